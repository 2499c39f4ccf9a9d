import { extractiveWriter } from '../extractive/extractive-writer.ts'
import { contentTerms } from '../index/content-terms.ts'
import { speaksToReader } from '../tasks/speaks-to-reader.ts'
import type { SaidSentence } from './pooled.ts'

/** The sentences of one person among which the choice is: the longest ones, of which the newest. It takes the square of them. */
const mostCandidates = 64

/** Among sentences as long as this, length does not choose the candidates. */
const longWords = 30

/** A shorter sentence counts in proportion. Chosen on half of a public set of talks (bench/profile.ts). */
const fullWords = 18

/** More words than a portrait has: a sentence that does not fit leaves its room to the next. */
const bounds = { maxBullets: 16, maxWords: 180 } as const

/** Chooses the sentences that tell most of a person by the gist writer's own measure, the best first. */
export function mostTelling(said: readonly SaidSentence[]): readonly SaidSentence[] {
  const candidates = said.toSorted((a, b) => Math.min(longWords, b.words) - Math.min(longWords, a.words)).slice(0, mostCandidates)
  const language = commonest(candidates.map((one) => one.language))
  const writer = extractiveWriter({ terms: (text) => contentTerms(text, language) })
  const sources = candidates.map(({ text, words }) => ({ bullets: [{ text }], weight: Math.min(1, words / fullWords) }))
  const chosen = writer.digest(sources, bounds).flatMap(({ from: [place = 0] }) => candidates.slice(place, place + 1))
  return chosen.filter(({ text }) => !speaksToReader(text))
}

function commonest(languages: readonly string[]): string {
  const counts = [...Map.groupBy(languages, (language) => language)].toSorted(([, a], [, b]) => b.length - a.length)
  return counts[0]?.[0] ?? ''
}
