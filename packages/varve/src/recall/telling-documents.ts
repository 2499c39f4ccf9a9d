import type { Hit } from './hit.ts'

/**
 * Under these scores a passage of a document has next to nothing to do with a question, told by words alone or by
 * meaning. Of 36 questions that one of 12 documents answers, 15 found it by words and 28 by MiniLM; of 30 that none
 * does, 4 and 5 found something (bench/documents/held-out.ts).
 */
export const leastOfDocuments = { byWords: 0.2, byMeaning: 0.3 } as const

/**
 * Of documents that score as much as words alone have to, those that have to do with the question: where vectors
 * could be compared, more is wanted.
 */
export function tellingDocuments(hits: readonly Hit[]): readonly Hit[] {
  const least = hits.some(({ signals }) => signals.some(({ name }) => name === 'meaning'))
    ? leastOfDocuments.byMeaning
    : leastOfDocuments.byWords
  return hits.filter(({ score }) => score >= least)
}
