import type { AiSdkEmbeddingModel } from '../models/ai-sdk/embedding-model-shape.ts'
import type { EmbeddingRuntime } from './configuration.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { LateEmbeddingModel } from '../models/late-embedding-model.ts'
import { identity, limits } from '../models/minilm/identity.ts'

/** The model that a memory embeds with. Its code is loaded when it is first needed. */
export function ownModel(runtime: EmbeddingRuntime): EmbeddingModel | undefined {
  if (runtime === 'off') return undefined
  return new LateEmbeddingModel({ identity, limits }, async () => (await import('../models/minilm/minilm.ts')).miniLm({ runtime }))
}

/** InvalidConfiguration for what is no embedding model. */
export async function givenModel(model: AiSdkEmbeddingModel): Promise<EmbeddingModel> {
  const { aiSdkEmbeddingModel } = await import('../models/ai-sdk/ai-sdk-embedding-model.ts')
  return aiSdkEmbeddingModel(model)
}
