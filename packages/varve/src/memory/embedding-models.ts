import type { AiSdkEmbeddingModel } from '../models/ai-sdk/embedding-model-shape.ts'
import type { EmbeddingRuntime } from './configuration.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { LateEmbeddingModel } from '../models/late-embedding-model.ts'
import { identity, limits } from '../models/minilm/identity.ts'

/** Gives the model of the package; undefined when it is off. The model's code is loaded at its first use. */
export function ownModel(runtime: EmbeddingRuntime): EmbeddingModel | undefined {
  if (runtime === 'off') return undefined
  return new LateEmbeddingModel({ identity, limits }, async () => (await import('../models/minilm/minilm.ts')).miniLm({ runtime }))
}

/** Wraps the host's own model. InvalidConfiguration when it is no embedding model. */
export async function givenModel(model: AiSdkEmbeddingModel): Promise<EmbeddingModel> {
  const { aiSdkEmbeddingModel } = await import('../models/ai-sdk/ai-sdk-embedding-model.ts')
  return aiSdkEmbeddingModel(model)
}
