import type { Hit } from './hit.ts'

/**
 * The least scores of a passage that answers a question, by words alone or by meaning. Of 36 questions that one of 12
 * documents answers, 15 found it by words and 28 by MiniLM. Of 30 that none answers, 4 and 5 found something
 * (bench/documents/held-out.ts).
 */
export const leastOfDocuments = { byWords: 0.2, byMeaning: 0.3 } as const

/**
 * Gives the documents that answer the question, among documents that reach the bound for words alone. Where vectors
 * could be compared, the higher bound holds.
 */
export function tellingDocuments(hits: readonly Hit[]): readonly Hit[] {
  const least = hits.some(({ signals }) => signals.some(({ name }) => name === 'meaning'))
    ? leastOfDocuments.byMeaning
    : leastOfDocuments.byWords
  return hits.filter(({ score }) => score >= least)
}
