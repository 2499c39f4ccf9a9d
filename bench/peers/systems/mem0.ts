import { join } from 'node:path'
import { Memory } from 'mem0ai/oss'
import { dimension, modelName, noKey, type OpenSystem, spoken } from '../system.ts'

/** A limit above every count, for `kept`. */
const everything = 1_000_000

/**
 * A user for each partition and a run for each session, in one store: its own `memory` vector store, which is a SQLite
 * file, and its history.
 *
 * `infer: false` keeps messages as they are, without a language model. The model that mem0 insists on is at a path of
 * the endpoint that refuses and counts.
 */
export const openMem0: OpenSystem = async ({ folder, endpoint }) => {
  const memory = new Memory({
    embedder: { provider: 'openai', config: { apiKey: noKey, model: modelName, baseURL: endpoint } },
    vectorStore: { provider: 'memory', config: { collectionName: 'memories', dimension, dbPath: join(folder, 'vector_store.db') } },
    llm: { provider: 'openai', config: { apiKey: noKey, model: 'none', baseURL: `${endpoint}/refused` } },
    historyDbPath: join(folder, 'history.db'),
  })
  return {
    append: async (userId, turn) => {
      await memory.add([{ role: 'user', content: spoken(turn) }], {
        userId,
        runId: turn.session,
        metadata: { turn: turn.id },
        infer: false,
      })
    },
    recall: async (partition, question, topK) => {
      const { results } = await memory.search(question, { topK, filters: { user_id: partition } })
      return results.map(({ metadata }) => String(metadata?.['turn']))
    },
    kept: async (partition) => {
      const { results } = await memory.getAll({ filters: { user_id: partition }, topK: everything })
      return results.map(({ metadata }) => String(metadata?.['turn']))
    },
  }
}
