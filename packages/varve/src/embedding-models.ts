import type { AiSdkEmbeddingModel } from './models/ai-sdk/embedding-model-shape.ts'
import type { EmbeddingRuntime } from './configuration.ts'
import type { EmbeddingModel } from './models/embedding-model.ts'

/** The model that a memory embeds with. Each kind's code is loaded when it is used: it takes 80 ms, in which the store's threads start. */
export async function ownModel(runtime: EmbeddingRuntime): Promise<EmbeddingModel | undefined> {
  if (runtime === 'off') return undefined
  const { miniLm } = await import('./models/minilm/minilm.ts')
  return miniLm({ runtime })
}

/** InvalidConfiguration for what is no embedding model. */
export async function givenModel(model: AiSdkEmbeddingModel): Promise<EmbeddingModel> {
  const { aiSdkEmbeddingModel } = await import('./models/ai-sdk/ai-sdk-embedding-model.ts')
  return aiSdkEmbeddingModel(model)
}
