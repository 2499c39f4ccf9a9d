import { join } from 'node:path'
import { ModelRouterEmbeddingModel } from '@mastra/core/llm'
import { LibSQLStore, LibSQLVector } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { modelName, noKey, type OpenOptions, type OpenSystem, type PeerTurn, spoken } from '../system.ts'

/** One file with messages and vectors. Recall searches all threads of the resource, without neighbours and recent messages. */
export async function mastraParts({ folder, endpoint }: OpenOptions) {
  const url = `file:${join(folder, 'mastra.db')}`
  const storage = new LibSQLStore({ id: 'bench-store', url })
  const vector = new LibSQLVector({ id: 'bench-vector', url })
  const embedder = (): ModelRouterEmbeddingModel =>
    new ModelRouterEmbeddingModel({ providerId: 'bench', modelId: modelName, url: endpoint, apiKey: noKey })
  const semanticRecall = { topK: 10, messageRange: 0, scope: 'resource' as const }
  const memory =
    endpoint === ''
      ? new Memory({ storage, options: { lastMessages: false, semanticRecall: false } })
      : new Memory({ storage, vector, embedder: embedder(), options: { lastMessages: false, semanticRecall } })
  await storage.init()
  const close = async (): Promise<void> => {
    await memory.settled()
    await vector.close()
    await storage.close()
  }
  return { memory, storage, close }
}

/** A resource for each partition, a thread for each session. */
export const openMastra: OpenSystem = async (options) => {
  const { memory, close } = await mastraParts(options)
  const threads = new Threads(memory)
  return {
    append: async (resourceId, turn) => {
      const threadId = await threads.ensure(resourceId, turn)
      const content = { format: 2 as const, parts: [{ type: 'text' as const, text: spoken(turn) }], content: spoken(turn) }
      await memory.saveMessages({ messages: [{ id: turn.id, role: 'user', createdAt: new Date(turn.at), threadId, resourceId, content }] })
    },
    recall: async (resourceId, question, topK) => {
      const { messages } = await memory.recall({
        threadId: threads.latest(resourceId),
        resourceId,
        vectorSearchString: question,
        threadConfig: { semanticRecall: { topK, messageRange: 0, scope: 'resource' } },
      })
      return messages.map(({ id }) => id)
    },
    kept: async (resourceId) => {
      const { messages } = await memory.listMessagesByResourceId({ resourceId, perPage: false })
      return messages.map(({ id }) => id)
    },
    close,
  }
}

/** Threads are made before their first message, once. */
class Threads {
  readonly #memory: Memory
  readonly #known = new Set<string>()
  readonly #latest = new Map<string, string>()

  constructor(memory: Memory) {
    this.#memory = memory
  }

  async ensure(resourceId: string, { session }: PeerTurn): Promise<string> {
    const threadId = `${resourceId} ${session}`
    if (!this.#known.has(threadId)) {
      const now = new Date()
      await this.#memory.saveThread({ thread: { id: threadId, resourceId, title: session, createdAt: now, updatedAt: now } })
      this.#known.add(threadId)
      this.#latest.set(resourceId, threadId)
    }
    return threadId
  }

  latest(resourceId: string): string {
    return this.#latest.get(resourceId) ?? ''
  }
}
