import { shown } from '../../errors/shown.ts'
import { z } from 'zod'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'

/** The call options of the AI SDK's object that are used here, the same in all three specifications. */
export interface GenerateOptions {
  prompt: ({ role: 'system'; content: string } | { role: 'user'; content: { type: 'text'; text: string }[] })[]
  maxOutputTokens?: number
  temperature?: number
  responseFormat?: { type: 'json'; schema: Readonly<Record<string, unknown>>; name: string }
  /** Specification v4. */
  reasoning?: 'low'
  providerOptions?: Record<string, Record<string, number>>
  abortSignal: AbortSignal
}

/**
 * A language model of the AI SDK, as `openai('…')` and the like return it: specification v2, v3 or v4 (AI SDK 5, 6 and
 * 7). Declared here, since the published package does not depend on the AI SDK. Its results are parsed.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: GenerateOptions): PromiseLike<unknown>
  /** Used where Varve makes the model itself: another's may have none. */
  doStream?(options: GenerateOptions): PromiseLike<{ readonly stream: ReadableStream }>
}

/** A message of a talk, as a model of the AI SDK takes it. */
export type TalkMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant'; readonly content: { readonly type: 'text'; readonly text: string }[] }

/** A call of a talk. */
export interface TalkCall {
  prompt: TalkMessage[]
  abortSignal: AbortSignal
}

/** A language model of the AI SDK whose answers come in pieces. */
export interface TalkingModel extends AiSdkLanguageModel {
  doGenerate(options: GenerateOptions): PromiseLike<{ readonly content: readonly object[] }>
  doStream(options: GenerateOptions | TalkCall): PromiseLike<{ readonly stream: ReadableStream }>
}

const modelShape = z.object({
  specificationVersion: z.enum(['v2', 'v3', 'v4']),
  provider: z.string().min(1),
  modelId: z.string().min(1),
  doGenerate: z.custom((value) => typeof value === 'function', 'is not a function'),
})

/** Returns the model itself, since its methods need it as `this`. Throws InvalidConfiguration with a description of anything else. */
export function checkedLanguageModel(received: unknown): AiSdkLanguageModel {
  if (isLanguageModel(received)) return received
  const reason = `must be a language model object of the AI SDK, such as openai('gpt-5-mini'): received ${describe(received)}`
  throw new InvalidConfiguration({ setting: 'languageModel', reason })
}

function isLanguageModel(received: unknown): received is AiSdkLanguageModel {
  return modelShape.safeParse(received).success
}

function describe(received: unknown): string {
  if (typeof received === 'string')
    return `a string, which names a model of the AI SDK's gateway: make the model object with the provider's package`
  if (typeof received === 'function') return "a function: call it with the model's name"
  if (typeof received !== 'object' || received === null) return shown(received)
  if ('doEmbed' in received) return 'an embedding model'
  const problems = modelShape.safeParse(received).error?.issues ?? []
  return `an object whose ${problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`
}
