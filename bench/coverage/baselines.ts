import { countWords } from '../../packages/varve/src/extractive/words.ts'
import { below, type Random } from '../shared/random.ts'

const leadSentences = 3

/** Returns the first sentences of a session, a line each. */
export function firstSentences(sentences: readonly string[]): string {
  return sentences.slice(0, leadSentences).join('\n')
}

/** Returns the beginning of a session up to so many words, a line for each sentence. */
export function lead(sentences: readonly string[], words: number): string {
  const taken: string[] = []
  let left = words
  for (const sentence of sentences) {
    if (left <= 0) break
    const kept: string[] = []
    for (const word of sentence.split(/\s+/u)) {
      left -= countWords(word)
      if (left < 0) break
      kept.push(word)
    }
    taken.push(kept.join(' '))
  }
  return taken.join('\n')
}

/** Returns sentences in a random order, up to so many words. */
export function randomSentences(sentences: readonly string[], words: number, random: Random): string {
  const rest = [...sentences]
  for (let at = rest.length - 1; at > 0; at -= 1) {
    const other = below(random, at + 1)
    const [a = '', b = ''] = [rest[at], rest[other]]
    rest[at] = b
    rest[other] = a
  }
  return lead(rest, words)
}
