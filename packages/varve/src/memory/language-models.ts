import type { LanguageModelChoice } from './configuration.ts'
import type { LanguageModel } from '../models/language-model.ts'
import { type CallMeans, ModelCalls } from '../distil/model-calls.ts'
import type { distilWrites } from '../distil/writes.ts'
import type { Engine } from '../engine/engine.ts'
import { calledOn } from '../engine/port.ts'
import type { AskedModels } from '../upkeep/layers.ts'

/** The models by task. Tasks that share a model share the count of its failures too. */
export interface LanguageModels {
  readonly distil: LanguageModel | undefined
  readonly edit: LanguageModel | undefined
  readonly notes: LanguageModel | undefined
}

/**
 * The window, in tokens, of a host's own model that declares none. Every model that a provider serves today has it, and
 * so have most of those on a laptop.
 */
const usualWindow = 32_768

/** Makes the models that write a memory's layers. InvalidConfiguration when the host's object is no language model. */
export async function languageModelsOf(choice: LanguageModelChoice | undefined): Promise<LanguageModels> {
  if (choice === undefined) return { distil: undefined, edit: undefined, notes: undefined }
  const window = choice.window === undefined ? {} : { window: choice.window }
  if ('url' in choice) {
    const { openAiCompatible } = await import('../models/ai-sdk/language-openai-compatible.ts')
    const model = openAiCompatible({
      url: choice.url,
      model: choice.model,
      ...(choice.key === undefined ? {} : { key: choice.key }),
      ...window,
    })
    return { distil: model, edit: model, notes: model }
  }
  const { aiSdkLanguageModel } = await import('../models/ai-sdk/language-model.ts')
  const made = new Map<unknown, LanguageModel>()
  const modelOf = (given: typeof choice.given.distil): LanguageModel | undefined => {
    if (given === undefined) return undefined
    const model = made.get(given) ?? aiSdkLanguageModel(given, { window: choice.window ?? usualWindow })
    made.set(given, model)
    return model
  }
  const { distil, edit = distil, notes = distil } = choice.given
  return { distil: modelOf(distil), edit: modelOf(edit), notes: modelOf(notes) }
}

/** Makes the callers of a memory's models, which write each request in its ledger: by task, and one a model. */
export function askedModels(
  { distil, edit, notes }: LanguageModels,
  { call }: Pick<Engine, 'call'>,
  means: Pick<CallMeans, 'clock' | 'observer' | 'deadlineMs'>,
): { byTask: AskedModels; calls: readonly ModelCalls[] } {
  const ledger = calledOn<typeof distilWrites>('distil', (name, args) => call('write', name, args))
  const callMeans: CallMeans = { ...means, ledger, tally: { made: 0 } }
  const byModel = new Map(
    [distil, edit, notes].flatMap((model) => (model === undefined ? [] : [[model, new ModelCalls(model, callMeans)] as const])),
  )
  const callsOf = (model: LanguageModel | undefined): ModelCalls | undefined => (model === undefined ? undefined : byModel.get(model))
  return { byTask: { distil: callsOf(distil), edit: callsOf(edit), notes: callsOf(notes) }, calls: [...byModel.values()] }
}
