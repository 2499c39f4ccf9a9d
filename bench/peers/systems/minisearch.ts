import MiniSearch, { type Options } from 'minisearch'
import { stemmer } from 'stemmer'
import { stopwords } from '@orama/stopwords/english'
import type { Opened, PeerTurn } from '../system.ts'

/** An index a partition: MiniSearch has no partitions. Its defaults. */
export async function openMiniSearch(): Promise<Opened> {
  return indexes({})
}

const stopWords = new Set(stopwords)

/** With the hook that its documentation gives for stop words and stemming. */
export async function openMiniSearchStemmed(): Promise<Opened> {
  return indexes({
    processTerm: (term) => {
      const lower = term.toLowerCase()
      return stopWords.has(lower) ? null : stemmer(lower)
    },
  })
}

function indexes(options: Partial<Options<PeerTurn>>): Opened {
  const partitions = new Map<string, MiniSearch<PeerTurn>>()
  return {
    append: async (partition, turn) => {
      const index = partitions.get(partition) ?? new MiniSearch<PeerTurn>({ fields: ['speaker', 'text'], ...options })
      partitions.set(partition, index)
      index.add(turn)
    },
    recall: async (partition, question, limit) => {
      const found = partitions.get(partition)?.search(question) ?? []
      return found.slice(0, limit).map(({ id }) => String(id))
    },
  }
}
