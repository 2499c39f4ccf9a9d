import { type QueryWord, queryWords } from '../index/query.ts'
import { WordScorer, type WordScores } from '../index/score-words.ts'
import type { Segment } from '../index/segment.ts'
import { Best } from './best.ts'
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

/** The best messages for a question, and an account of each one's score. Good until the next question is ranked. */
export interface Ranking {
  /** All that match and may be found. */
  readonly matched: number
  /** The best of them, at most as many as asked for; the same store and question give the same order: equal scores, newest first. */
  best(most: number): { doc: number; score: number }[]
  signals(doc: number): Signal[]
}

const scorer = new WordScorer()

/** Ranks a partition's messages for a question. */
export function rank(segment: Segment, query: string, options: RankOptions): Ranking {
  const { speakers, words } = namedSpeakers(segment, queryWords(query, segment.languages))
  const found = scorer.score(segment, words)
  const isFiltered = options.session !== undefined || options.excludeSession !== undefined || Number.isFinite(options.from) || Number.isFinite(options.to)
  const wanted = isFiltered ? found.touched.filter((doc) => isWanted(segment, doc, options)) : found.touched
  const best = (most: number): { doc: number; score: number }[] => {
    const heap = new Best(Math.min(most, wanted.length))
    for (const doc of wanted) {
      const score = scoreOf(segment, found, speakers, options, doc)
      if (score > 0 && score >= options.minScore && (segment.lengths[doc] ?? 0) > 0) heap.offer(doc, score)
    }
    return heap.take()
  }
  return { matched: wanted.length, best, signals: (doc) => explain(segment, found, parts(segment, found, speakers, options, doc), doc, options.now) }
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
  if (options.session !== undefined && session !== options.session) return false
  return session !== options.excludeSession && at >= options.from && at <= options.to
}

function parts(segment: Segment, found: WordScores, speakers: ReadonlySet<number>, options: RankOptions, doc: number): Parts {
  const words = weights.words * (found.own[doc] ?? 0)
  const around = weights.around * ((found.around[doc] ?? 0) - (found.own[doc] ?? 0))
  const speaker = speakers.has(segment.speakers[doc] ?? -1) ? weights.speaker : 0
  const days = Math.max(0, options.now - (segment.saidAt[doc] ?? 0)) / dayMs
  const decay = options.halfLifeDays === undefined ? 1 : 0.5 ** (days / options.halfLifeDays)
  return { words, around, speaker, age: (words + around + speaker) * (decay - 1) }
}

/** The sum of the parts, without making them: this runs for every message that shares a word with the question. */
function scoreOf(segment: Segment, found: WordScores, speakers: ReadonlySet<number>, options: RankOptions, doc: number): number {
  if (options.halfLifeDays !== undefined) {
    const { words, around, speaker, age } = parts(segment, found, speakers, options, doc)
    return words + around + speaker + age
  }
  const speaker = speakers.size > 0 && speakers.has(segment.speakers[doc] ?? -1) ? weights.speaker : 0
  const own = found.own[doc] ?? 0
  return weights.words * own + weights.around * ((found.around[doc] ?? 0) - own) + speaker
}

function explain(segment: Segment, found: WordScores, values: Parts, doc: number, now: number): Signal[] {
  const own = found.words.filter((word) => has(segment, word, doc))
  const near = found.words.filter((word) => windowOf(segment, doc).some((other) => has(segment, word, other)))
  const days = Math.floor(Math.max(0, now - (segment.saidAt[doc] ?? 0)) / dayMs)
  const all: Signal[] = [
    { name: 'words', value: values.words, text: `matches ${quoted(own)}` },
    { name: 'around', value: values.around, text: `said around it: ${quoted(near)}` },
    { name: 'speaker', value: values.speaker, text: `said by ${segment.speakerNames[segment.speakers[doc] ?? -1]?.name ?? ''}, whom you asked about` },
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
    return term !== undefined && segment.postings.has(term, doc)
  })
}
