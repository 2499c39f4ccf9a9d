import { join } from 'node:path'
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store'
import { Memory } from 'mem0ai/oss'
import { dimension, modelName, noKey, type OpenSystem, spoken } from '../system.ts'
import { embedder } from './embed.ts'

/** Returns the address of the server that a system is to use. */
function serverOf({ server }: Parameters<OpenSystem>[0]): string {
  if (server === undefined) throw new RangeError('the address of a server is missing')
  return server
}

/**
 * mem0 with its pgvector store in its defaults: no index on the vectors, so that each search looks at all of its table.
 * Messages as they are (`infer: false`); its history is a SQLite file beside.
 */
export const openMem0OnServer: OpenSystem = async (options) => {
  const { folder, endpoint } = options
  const memory = new Memory({
    embedder: { provider: 'openai', config: { apiKey: noKey, model: modelName, baseURL: endpoint } },
    vectorStore: {
      provider: 'pgvector',
      config: { collectionName: 'memories', dimension, embeddingModelDims: dimension, connectionString: serverOf(options) },
    },
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
  }
}

/** LangGraph's PostgresStore in its defaults: vectors by pgvector with its HNSW index, a namespace for each partition. */
export const openLangGraphOnServer: OpenSystem = async (options) => {
  const store = PostgresStore.fromConnString(serverOf(options), {
    index: { dims: dimension, embed: embedder(options.endpoint), fields: ['text'] },
  })
  await store.setup()
  return {
    append: (partition, turn) => store.put([partition], turn.id, { text: spoken(turn), session: turn.session, at: turn.at }),
    recall: async (partition, question, limit) => (await store.search([partition], { query: question, limit })).map(({ key }) => key),
    close: () => store.stop(),
  }
}
