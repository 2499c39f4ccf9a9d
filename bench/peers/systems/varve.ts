import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Memory, MemoryOptions } from '../../../packages/varve/src/index.ts'
import { productFrom } from '../../speed/product.ts'
import { originVariable } from '../environment.ts'
import { modelName, noKey, type Opened, type OpenOptions, type OpenSystem } from '../system.ts'

type Model = Pick<MemoryOptions, 'embeddingModel'>

const longestSettlingSeconds = 3_600
const longestSession = 10_000

/** Varve without onnxruntime-node, which npm does not install by itself: the package's model, as WebAssembly. */
export const openVarve: OpenSystem = (options) => withRuntime('wasm', options)

/** Varve with onnxruntime-node installed. */
export const openVarveNative: OpenSystem = (options) => withRuntime('native', options)

/** Varve with the model at the others' endpoint. */
export const openVarveEndpoint: OpenSystem = (options) => {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: options.endpoint, apiKey: noKey })
  return open(options, { embeddingModel: provider.embeddingModel(modelName) })
}

/** Varve without a model. */
export const openVarveWords: OpenSystem = (options) => open(options, { embeddingModel: false })

function withRuntime(runtime: 'wasm' | 'native', options: OpenOptions): Promise<Opened> {
  process.env['VARVE_EMBEDDINGS'] = runtime
  return open(options, {})
}

/** Opens Varve with a user for each partition, a session for each session, and the speaker as the name; else by default. */
async function open({ folder, server }: OpenOptions, model: Model): Promise<Opened> {
  const { openMemory } = await productFrom(process.env[originVariable] === 'built' ? 'built' : 'source')
  const memory = await openMemory({ store: server ?? join(folder, 'varve.db'), ...model })
  return {
    append: async (partition, { session, id, speaker, text, at }) => {
      await memory.for(partition).append(session, { role: 'user', name: speaker, content: text, id, at })
    },
    settle: () => settle(memory),
    recall: async (partition, question, limit) => {
      const { hits, degraded } = await memory.for(partition).recall(question, { limit })
      if (degraded.length > 0) throw new RangeError(`a question was not answered in full: ${degraded.join('; ')}`)
      return hits.map(({ externalId }) => String(externalId))
    },
    kept: async (partition, sessions) => {
      const handle = memory.for(partition)
      const messages = await Promise.all(sessions.map((session) => handle.messages(session, { limit: longestSession })))
      return messages.flat().map(({ externalId }) => String(externalId))
    },
    close: () => memory.close(),
  }
}

/** Runs upkeep until every vector is stored. */
export async function settle(memory: Memory): Promise<void> {
  const { settled } = await memory.upkeep.run({ maxSeconds: longestSettlingSeconds })
  const { backlog, failures } = await memory.upkeep.status()
  if (!settled || backlog.embeddings > 0) throw new RangeError(`not everything was embedded: ${JSON.stringify({ backlog, failures })}`)
}
