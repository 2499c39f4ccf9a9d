import { create, insert, MODE_HYBRID_SEARCH, search } from '@orama/orama'
import { stopwords } from '@orama/stopwords/english'
import type { OpenSystem } from '../system.ts'
import { spoken } from '../system.ts'
import { embedder } from './embed.ts'

/** Orama's default of .8 is for larger models: MiniLM's cosine of a question and its answer is mostly under it. */
const leastSimilarity = 0

/** A database for each partition, hybrid search with the default weights, stemming and stop words as documented. */
export const openOrama: OpenSystem = async ({ endpoint }) => {
  const model = embedder(endpoint)
  const partitions = new Map<string, ReturnType<typeof database>>()
  return {
    append: async (partition, turn) => {
      const db = partitions.get(partition) ?? database()
      partitions.set(partition, db)
      const { id, speaker, text } = turn
      await insert(db, { id, speaker, text, embedding: await model.embedQuery(spoken(turn)) })
    },
    recall: async (partition, question, limit) => {
      const db = partitions.get(partition)
      if (db === undefined) return []
      const value = await model.embedQuery(question)
      const { hits } = await search(db, {
        mode: MODE_HYBRID_SEARCH,
        term: question,
        properties: ['speaker', 'text'],
        vector: { value, property: 'embedding' },
        similarity: leastSimilarity,
        limit,
      })
      return hits.map(({ id }) => id)
    },
  }
}

function database() {
  return create({
    schema: { id: 'string', speaker: 'string', text: 'string', embedding: 'vector[384]' } as const,
    components: { tokenizer: { language: 'english', stemming: true, stopWords: stopwords } },
  })
}
