import { type QueryWord, queryWords } from '../index/query.ts'
import { scoreWords, type WordScores } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import type { Signal } from './hit.ts'
import { namedSpeakers } from './speakers.ts'
import { weights } from './weights.ts'

const dayMs = 86_400_000

/** Which messages may be found, and how age counts. Sessions are numbers of the store. */
export interface RankOptions {
  readonly session: number | undefined
  readonly excludeSession: number | undefined
  readonly from: number
  readonly to: number
  readonly halfLifeDays: number | undefined
  readonly minScore: number
  readonly now: number
}

/** The messages that match, best first, and an account of each one's score. */
export interface Ranking {
  readonly docs: readonly number[]
  readonly scores: Float64Array
  signals(doc: number): Signal[]
}

/** Ranks a partition's messages for a question. The same store and question give the same order: equal scores, newest first. */
export function rank(segment: Segment, query: string, options: RankOptions): Ranking {
  const { speakers, words } = namedSpeakers(segment, queryWords(query, segment.languages))
  const found = scoreWords(segment, words)
  const scores = new Float64Array(segment.count)
  const kept: number[] = []
  for (const doc of found.touched) {
    if (!isWanted(segment, doc, options)) continue
    const score = total(parts(segment, found, speakers, options, doc))
    if (score <= 0 || score < options.minScore) continue
    scores[doc] = score
    kept.push(doc)
  }
  kept.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a)
  return { docs: kept, scores, signals: (doc) => explain(segment, found, parts(segment, found, speakers, options, doc), doc, options.now) }
}

interface Parts {
  readonly words: number
  readonly around: number
  readonly speaker: number
  readonly age: number
}

function isWanted(segment: Segment, doc: number, options: RankOptions): boolean {
  const session = segment.sessions[doc]
  const at = segment.saidAt[doc] ?? 0
  if ((segment.lengths[doc] ?? 0) === 0) return false
  if (options.session !== undefined && session !== options.session) return false
  return session !== options.excludeSession && at >= options.from && at <= options.to
}

function parts(segment: Segment, found: WordScores, speakers: ReadonlySet<number>, options: RankOptions, doc: number): Parts {
  const words = weights.words * (found.own[doc] ?? 0)
  const around = weights.around * (found.around[doc] ?? 0)
  const speaker = speakers.has(segment.speakers[doc] ?? -1) ? weights.speaker : 0
  const days = Math.max(0, options.now - (segment.saidAt[doc] ?? 0)) / dayMs
  const decay = options.halfLifeDays === undefined ? 1 : 0.5 ** (days / options.halfLifeDays)
  return { words, around, speaker, age: (words + around + speaker) * (decay - 1) }
}

function total({ words, around, speaker, age }: Parts): number {
  return words + around + speaker + age
}

function explain(segment: Segment, found: WordScores, values: Parts, doc: number, now: number): Signal[] {
  const own = found.words.filter((word) => has(segment, word, doc))
  const near = found.words.filter((word) => windowOf(segment, doc).some((other) => has(segment, word, other)))
  const days = Math.floor(Math.max(0, now - (segment.saidAt[doc] ?? 0)) / dayMs)
  const all: Signal[] = [
    { name: 'words', value: values.words, text: `matches ${quoted(own)}` },
    { name: 'around', value: values.around, text: near.length === 0 ? 'in its place in the talk' : `said around it: ${quoted(near)}` },
    { name: 'speaker', value: values.speaker, text: `said by ${segment.speakerNames[segment.speakers[doc] ?? -1] ?? ''}, whom you asked about` },
    { name: 'age', value: values.age, text: `said ${days} days ago` },
  ]
  return all.filter(({ value }) => value !== 0)
}

function windowOf(segment: Segment, doc: number): number[] {
  const before = segment.previous[doc] ?? -1
  const after = segment.next[doc] ?? -1
  const around = [before, before < 0 ? -1 : (segment.previous[before] ?? -1), after, after < 0 ? -1 : (segment.next[after] ?? -1)]
  return around.filter((other) => other >= 0)
}

function quoted(words: readonly QueryWord[]): string {
  return words.map(({ written }) => `'${written}'`).join(', ')
}

function has(segment: Segment, word: QueryWord, doc: number): boolean {
  return word.variants.some((variant) => {
    const term = segment.terms.find(variant)
    const postings = term === undefined ? undefined : segment.postings[term]
    return postings !== undefined && postings.has(doc)
  })
}
