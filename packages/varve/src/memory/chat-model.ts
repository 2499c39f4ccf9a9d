import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import type { VarveError } from '../errors/varve-error.ts'
import type { TalkingModel } from '../models/ai-sdk/language-model-shape.ts'
import { configure } from './configuration.ts'

/** The language model of an environment, for a talk with a person. */
export interface ChatModel {
  readonly name: string
  readonly model: TalkingModel
  /** Tells a failure of the model in Varve's own words: the provider's may hold the request and its key. */
  failed(error: unknown): VarveError
}

/** Makes the model that VARVE_MODEL_URL, VARVE_MODEL and VARVE_MODEL_KEY name. InvalidConfiguration when they name none. */
export async function chatModelIn(environment: Readonly<Record<string, string | undefined>>): Promise<ChatModel> {
  const { languageModel } = configure({}, environment)
  if (languageModel === undefined || !('url' in languageModel))
    throw new InvalidConfiguration({
      setting: 'VARVE_MODEL_URL',
      reason:
        'is not set, and neither is VARVE_MODEL: they name the language model to talk with, such as http://localhost:11434/v1 and ' +
        'qwen3. VARVE_MODEL_KEY is for a server that wants a key',
    })
  const [{ openAiCompatibleTalker }, { classifyFailure, isNetworkFailure }] = await Promise.all([
    import('../models/ai-sdk/language-openai-compatible.ts'),
    import('../models/ai-sdk/classify-failure.ts'),
  ])
  const { model: name, url } = languageModel
  // Of the address only its origin is told: a key may stand in the rest.
  const addressed = (error: unknown): string => (isNetworkFailure(error) ? `${name} at ${new URL(url).origin}` : name)
  return {
    name,
    model: await openAiCompatibleTalker(languageModel),
    failed: (error) => classifyFailure(error, addressed(error), { now: Date.now }),
  }
}
