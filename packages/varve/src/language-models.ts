import type { LanguageModelChoice } from './configuration.ts'
import type { LanguageModel } from './models/language-model.ts'
import type { LanguageModels } from './upkeep/layers.ts'

/** Tokens of a host's own model that says nothing of its window: what any model served today by a provider has, and few of those on a laptop have not. */
const usualWindow = 32_768

/** The models that a memory's layers are written with. InvalidConfiguration for what is no language model. */
export async function languageModelsOf(choice: LanguageModelChoice | undefined): Promise<LanguageModels> {
  if (choice === undefined) return { distil: undefined, edit: undefined, notes: undefined }
  const window = choice.window === undefined ? {} : { window: choice.window }
  if ('url' in choice) {
    const { openAiCompatible } = await import('./models/ai-sdk/language-openai-compatible.ts')
    const model = openAiCompatible({ url: choice.url, model: choice.model, ...(choice.key === undefined ? {} : { key: choice.key }), ...window })
    return { distil: model, edit: model, notes: model }
  }
  const { aiSdkLanguageModel } = await import('./models/ai-sdk/language-model.ts')
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
