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
  const [{ openAiCompatibleTalker }, { classifyFailure }] = await Promise.all([
    import('../models/ai-sdk/language-openai-compatible.ts'),
    import('../models/ai-sdk/classify-failure.ts'),
  ])
  const { model: name, url } = languageModel
  // Without an answer the address is told, and of it the origin alone: a key may stand in the rest.
  const hasAnswered = (error: unknown): boolean => error instanceof Error && 'statusCode' in error && error.statusCode !== undefined
  const addressed = (error: unknown): string => (hasAnswered(error) ? name : `${name} at ${new URL(url).origin}`)
  return {
    name,
    model: await openAiCompatibleTalker(languageModel),
    failed: (error) => classifyFailure(error, addressed(error), { now: Date.now }),
  }
}
