import { WordScorer } from '../../../packages/varve/src/index/score-words.ts'
import type { Index } from '../../../packages/varve/src/index/segments.ts'
import { windowsOf } from '../../../packages/varve/src/index/windows.ts'
import { askedDates } from '../../../packages/varve/src/recall/asked-dates.ts'
import type { AskedCalendar } from '../../../packages/varve/src/recall/calendar.ts'
import type { SignalInput } from '../../../packages/varve/src/recall/part.ts'
import { readQuestion } from '../../../packages/varve/src/recall/question.ts'
import { type RankOptions, rank } from '../../../packages/varve/src/recall/rank.ts'
import { usuallyRanked } from '../../../packages/varve/src/recall/recall.ts'
import { shortlist } from '../../../packages/varve/src/recall/shortlist.ts'
import { date } from '../../../packages/varve/src/recall/signals/date.ts'
import { meaning } from '../../../packages/varve/src/recall/signals/meaning.ts'
import { person } from '../../../packages/varve/src/recall/signals/person.ts'
import { sessionMeaning } from '../../../packages/varve/src/recall/signals/session.ts'
import { speaker } from '../../../packages/varve/src/recall/signals/speaker.ts'
import { talk } from '../../../packages/varve/src/recall/signals/talk.ts'
import { question as asking, when } from '../../../packages/varve/src/recall/signals/traits.ts'
import { around, matchedWords } from '../../../packages/varve/src/recall/signals/words.ts'
import { mean } from '../../shared/statistics.ts'
import type { StepCost } from './tasks.ts'

/** The signals of rank.ts. */
const signals = Object.entries({
  words: matchedWords,
  around,
  meaning,
  talk,
  session: sessionMeaning,
  speaker,
  person,
  date,
  when,
  question: asking,
})

const runs = 5
/** As many hits as recall compares in full precision. */
const refined = 50

export interface Asked {
  readonly text: string
  readonly vector: Float32Array
}

/** Times the steps of ranking one by one, on the same ground for all. */
export class RankingSteps {
  readonly #index: Index
  readonly #now: number
  readonly #calendar: AskedCalendar
  readonly #recall: (asked: Asked) => unknown
  readonly #scorer = new WordScorer()
  readonly #cosines: Float32Array
  #times = new Map<string, { cpu: number; best: number }[]>()
  #candidates: number[] = []

  constructor(index: Index, now: number, recall: (asked: Asked) => unknown) {
    this.#index = index
    this.#now = now
    this.#calendar = { now, timeZone: 'UTC', hemisphere: 'north' }
    this.#recall = recall
    this.#cosines = new Float32Array(index.segment.count + 1)
  }

  measure(asked: Asked): void {
    const { segment, vectors } = this.#index
    const options: RankOptions = {
      session: undefined,
      excludeSession: undefined,
      from: 0,
      to: this.#now,
      halfLifeDays: undefined,
      minScore: 0,
      now: this.#now,
      calendar: this.#calendar,
      most: usuallyRanked,
    }
    const read = this.#timed('the question, read', () => readQuestion(segment, asked.text, asked.vector, this.#calendar))
    const found = this.#timed('words, found', () => this.#scorer.find(segment, read.words))
    this.#timed('vectors, compared', () => vectors?.scan(asked.vector, this.#cosines))
    const candidates = this.#timed('candidates, by words and meaning', () =>
      shortlist(segment, { own: found.own, cosines: this.#cosines, is: () => [] }, options, options.most),
    )
    const windows = this.#timed('those around them', () => windowsOf(segment, candidates))
    const scores = this.#timed('words, scored here and near by', () => this.#scorer.score(segment, found, candidates, windows))
    // A made-up question names no date and no asker: here each signal has something to find.
    const question = { ...read, dates: askedDates('in May 2024', ['en'], this.#calendar), asksWhen: true, about: 'user' as const }
    const ground: SignalInput = { segment, question, candidates, windows, words: found.words, scores, cosines: this.#cosines }
    for (const [name, signal] of signals) this.#timed(`signal ${name}`, () => signal(ground))
    const ranking = this.#timed('rank() in all', () => rank(this.#index, asked, options))
    this.#timed(`the best ${refined}, taken`, () => ranking.best(refined))
    this.#timed('those without a vector, counted', () => ranking.withoutVector)
    this.#timed('recall in all, in its thread', () => this.#recall(asked))
    this.#candidates.push(candidates.length)
  }

  clear(): void {
    this.#times = new Map()
    this.#candidates = []
  }

  costs(): { readonly candidates: number; readonly steps: readonly StepCost[] } {
    const steps = [...this.#times].map(([name, times]) => ({
      name,
      cpu: mean(times.map(({ cpu }) => cpu)),
      best: mean(times.map(({ best }) => best)),
    }))
    return { candidates: mean(this.#candidates), steps }
  }

  #timed<Result>(name: string, step: () => Result): Result {
    const cpu = process.threadCpuUsage()
    let best = Number.POSITIVE_INFINITY
    let result: Result
    let run = 0
    do {
      const start = performance.now()
      result = step()
      best = Math.min(best, performance.now() - start)
      run += 1
    } while (run < runs)
    const { user, system } = process.threadCpuUsage(cpu)
    this.#times.set(name, [...(this.#times.get(name) ?? []), { cpu: (user + system) / runs, best: best * 1_000 }])
    return result
  }
}
