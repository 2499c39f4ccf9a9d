import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { serveMemory } from '../../../packages/varve/src/server/serve-memory.ts'
import { modelName, noKey } from '../system.ts'
import { settle } from '../systems/varve.ts'
import type { ServeSystem } from './list.ts'

/** Varve's server as `varve serve` starts it, without bounds of requests: on a file that every commit syncs, and with a key. */
export const serveVarve: ServeSystem = async ({ folder, endpoint }) => {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: endpoint, apiKey: noKey })
  const embeddingModel = endpoint === '' ? false : provider.embeddingModel(modelName)
  const logger = { warn: () => undefined }
  const memory = await openMemory({ store: join(folder, 'varve.db'), upkeep: 'manual', isolation: 'silent', embeddingModel, logger })
  const server = await serveMemory(memory, { port: 0, limits: { perMinute: 1_000_000_000 }, log: 'errors' })
  const { key } = await memory.keys.create({ access: 'admin' })
  return {
    url: server.url,
    key,
    settle: () => settle(memory),
    close: async () => {
      await server.close()
      await memory.close()
    },
  }
}
