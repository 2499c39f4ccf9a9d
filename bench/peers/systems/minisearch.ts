import MiniSearch, { type Options } from 'minisearch'
import { stemmer } from 'stemmer'
import { stopwords } from '@orama/stopwords/english'
import type { Opened, PeerTurn } from '../system.ts'

/** Opens an index for each partition, because MiniSearch has no partitions. With its defaults. */
export async function openMiniSearch(): Promise<Opened> {
  return indexes({})
}

const stopWords = new Set(stopwords)

/** Opens the same with the hook for stop words and stemming from its documentation. */
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
