import { InMemoryStore } from '@langchain/langgraph-checkpoint'
import { dimension, type OpenSystem, spoken } from '../system.ts'
import { embedder } from './embed.ts'

/** A namespace for each partition; only the text of a value is embedded. */
export const openLangGraph: OpenSystem = async ({ endpoint }) => {
  const store = new InMemoryStore({ index: { dims: dimension, embeddings: embedder(endpoint), fields: ['text'] } })
  return {
    append: (partition, turn) => store.put([partition], turn.id, { text: spoken(turn), session: turn.session, at: turn.at }),
    recall: async (partition, question, limit) => (await store.search([partition], { query: question, limit })).map(({ key }) => key),
  }
}
