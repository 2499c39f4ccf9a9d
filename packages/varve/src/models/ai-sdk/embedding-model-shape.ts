import { shown } from '../../errors/shown.ts'
import { z } from 'zod'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'

/**
 * An embedding model of the AI SDK, as `openai.embeddingModel('…')` and the like return it: specification v2, v3 or v4
 * (AI SDK 5, 6 and 7). Declared here, since the published package does not depend on the AI SDK.
 */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  readonly supportsParallelCalls: PromiseLike<boolean> | boolean
  doEmbed(options: {
    values: string[]
    abortSignal?: AbortSignal
  }): PromiseLike<{ embeddings: number[][]; usage?: { tokens: number } | undefined }>
}

const modelShape = z.object({
  specificationVersion: z.enum(['v2', 'v3', 'v4']),
  provider: z.string().min(1),
  modelId: z.string().min(1),
  doEmbed: z.custom((value) => typeof value === 'function', 'is not a function'),
})

/** Returns the model itself, since its methods need it as `this`. Throws InvalidConfiguration with a description of anything else. */
export function checkedModel(received: unknown): AiSdkEmbeddingModel {
  if (isEmbeddingModel(received)) return received
  const reason =
    `must be an embedding model object of the AI SDK, such as openai.embeddingModel('text-embedding-3-small'): received ` +
    `${describe(received)}`
  throw new InvalidConfiguration({ setting: 'embeddingModel', reason })
}

function isEmbeddingModel(received: unknown): received is AiSdkEmbeddingModel {
  return modelShape.safeParse(received).success
}

function describe(received: unknown): string {
  if (typeof received === 'string')
    return `a string, which names a model of the AI SDK's gateway: make the model object with the provider's package`
  if (typeof received === 'function') return "a function: call it with the model's name, or use its embeddingModel()"
  if (typeof received !== 'object' || received === null) return shown(received)
  if ('doGenerate' in received) return 'a language model'
  const problems = modelShape.safeParse(received).error?.issues ?? []
  return `an object whose ${problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`
}
