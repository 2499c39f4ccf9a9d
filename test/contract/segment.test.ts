import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimEmbeddings, storeEmbeddings } from '../../packages/varve/src/index/embedding-work.ts'
import { Segments } from '../../packages/varve/src/index/segments.ts'
import { analyse } from '../../packages/varve/src/index/analyse.ts'
import { encodeTerms } from '../../packages/varve/src/index/terms-codec.ts'
import { recall } from '../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../packages/varve/src/recall/request.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { forget, replaceMessage } from '../../packages/varve/src/storage/erase/erasure.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import type { PreparedMessage } from '../../packages/varve/src/storage/log/prepared-message.ts'
import { answer, type Program } from '../../packages/varve/src/storage/program.ts'
import { execute } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { findPartition } from '../../packages/varve/src/storage/partitions.ts'
import { dropTombstones } from '../../packages/varve/src/storage/segment/tombstones.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const monday = Date.UTC(2026, 0, 5, 9)
const roomy = 64 * 1024 * 1024
// Few words that often meet: that is where counts, stems, neighbours and names can go wrong.
const vocabulary = ['ferry', 'ferries', 'kiosk', 'the', 'Ada', 'Bob', 'Fähre', 'дорога', '渡轮', 'leaves', 'leaving', '9']
const languages = ['en', 'de', 'ru', '']
const questions = ['ferry kiosk', 'what did Ada say', 'Bob leaving', 'the', 'дороги', '渡轮 ferry', 'Fähren']

type Change =
  | {
      readonly kind: 'append'
      readonly session: number
      readonly words: readonly string[]
      readonly name: string | null
      readonly language: string
    }
  | { readonly kind: 'replace'; readonly which: number; readonly words: readonly string[]; readonly language: string }
  | { readonly kind: 'forget'; readonly which: number }
  | { readonly kind: 'forget-session'; readonly session: number }
  | { readonly kind: 'embed'; readonly texts: number }
  | { readonly kind: 'look' }
  | { readonly kind: 'drop tombstones'; readonly dropped: number }

const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 8 })
const append = fc.record({
  kind: fc.constant('append' as const),
  session: fc.nat(2),
  words,
  name: fc.constantFrom(null, null, 'Ada', 'Bob Ferry'),
  language: fc.constantFrom(...languages),
})
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: append },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), which: fc.nat(), words, language: fc.constantFrom(...languages) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget-session' as const), session: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('embed' as const), texts: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop tombstones' as const), dropped: fc.integer({ min: 1, max: 3 }) }) },
)

const maker = { name: 'test', dimension: 16, quantisation: 'none' }

/** Makes a vector: a word adds to one component, and all texts share one. */
function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(maker.dimension)
  vector[0] = 0.5
  for (const word of text.split(/\s+/)) {
    const place = 1 + ([...word].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % (maker.dimension - 1))
    vector[place] = (vector[place] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

function prepared(text: readonly string[], language: string, name: string | null): PreparedMessage {
  const content = text.join(' ')
  const terms = encodeTerms({ role: 'user', language, name: name ?? '', text: analyse(content, language) })
  return {
    externalId: null,
    role: 'user',
    origin: 'person',
    name,
    thread: null,
    content,
    parts: null,
    metadata: null,
    recalled: [],
    saidAt: monday,
    tokens: 1,
    main: { tokens: 1, calls: 0, isPause: undefined },
    terms,
    traits: 0,
  }
}

/** A speaker whose messages are all gone leaves no name: 'Bob' is a word again. */
const nameOfOneWhoIsForgotten: Change[] = [
  { kind: 'append', session: 0, words: ['Bob', 'ferry'], name: null, language: 'en' },
  { kind: 'append', session: 0, words: ['kiosk'], name: null, language: 'en' },
  { kind: 'append', session: 0, words: ['ferry'], name: 'Bob Ferry', language: 'en' },
  { kind: 'look' },
  { kind: 'forget', which: 2 },
]

/** Words without a language take all the room for such words, until they are forgotten. */
const wordsThatKeepOthersOut: Change[] = [
  { kind: 'append', session: 0, words: Array.from({ length: 1_000 }, (_, number) => `w${number}`), name: null, language: '' },
  { kind: 'append', session: 1, words: ['leavings'], name: null, language: '' },
  { kind: 'append', session: 1, words: ['kiosk'], name: null, language: 'en' },
  { kind: 'look' },
  { kind: 'forget', which: 0 },
]

/** One partition that goes through changes, with an index that is asked now and then. */
class History {
  readonly ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
  readonly followed = new Segments(roomy)
  readonly connection = openConnection(':memory:')
  ids: { id: string; session: number; name: string | null }[] = []

  constructor() {
    migrate(this.connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  }

  run<Result>(program: Program<Result>): Result {
    return execute(this.connection, program)
  }

  apply(step: Change): void {
    if (step.kind === 'look') this.ask(this.followed, 'ferry')
    else if (step.kind === 'embed') this.embed(step.texts)
    else if (step.kind === 'drop tombstones')
      this.run(dropTombstones(this.run(findPartition(this.ada))?.id ?? 0, { kept: 0, dropped: step.dropped }))
    else if (step.kind === 'append') {
      const [one] = this.run(
        appendMessages(
          this.ada,
          sessionName(`s${step.session}`),
          () => answer({ messages: [prepared(step.words, step.language, step.name)], language: step.language, votes: {} }),
          monday,
        ),
      )
      this.ids.push({ id: one?.id ?? '', session: step.session, name: step.name })
    } else if (step.kind === 'forget-session') {
      if (!this.ids.some(({ session }) => session === step.session)) return
      this.run(forget(this.ada, { session: sessionName(`s${step.session}`) }, uuidv7(monday), monday))
      this.ids = this.ids.filter(({ session }) => session !== step.session)
    } else if (this.ids.length > 0) this.change(step)
  }

  change(step: Extract<Change, { kind: 'replace' | 'forget' }>): void {
    const target = this.ids[step.which % this.ids.length]
    if (target === undefined) return
    if (step.kind === 'replace')
      this.run(replaceMessage(this.ada, target.id, () => answer(prepared(step.words, step.language, target.name)), uuidv7(monday), monday))
    else {
      this.run(forget(this.ada, { messages: [target.id] }, uuidv7(monday), monday))
      this.ids = this.ids.filter((other) => other !== target)
    }
  }

  embed(texts: number): void {
    const claim = this.run(claimEmbeddings(maker, { holder: 'test', now: monday, until: monday + 1 }, { texts, tokens: 10_000 }))
    this.run(storeEmbeddings(claim, claim.texts.map(vectorOf), 'test'))
  }

  ask(segments: Segments, query: string) {
    return this.run(
      recall(segments, this.ada, recallRequest({ query, limit: 100, neighbours: 1 }, monday), { maker, vector: vectorOf(query) }),
    )
  }
}

test('an index that followed any appends, replacements and forgets answers exactly like one loaded cold', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (steps) => {
      const history = new History()
      try {
        for (const step of steps) history.apply(step)
        for (const question of questions)
          expect(history.ask(history.followed, question)).toEqual(history.ask(new Segments(roomy), question))
      } finally {
        history.connection.close()
      }
    }),
    { numRuns: runs(300), examples: [[nameOfOneWhoIsForgotten], [wordsThatKeepOthersOut]] },
  )
})

test('under a small bound every partition still answers, and exactly as under a large one', () => {
  const history = new History()
  const bounded = new Segments(64 * 1024)
  const owners = Array.from({ length: 30 }, (_, place) => partitionId(projectName('acme'), { kind: 'user', name: `user ${place}` }))
  for (const [place, owner] of owners.entries()) {
    const batch = Array.from({ length: 5 }, (_, turn) => prepared(['ferry', `pier${place}`, `turn${turn}`], 'en', null))
    history.run(appendMessages(owner, sessionName('talk'), () => answer({ messages: batch, language: 'en', votes: {} }), monday))
  }
  for (const owner of [...owners, ...owners.toReversed()]) {
    const request = recallRequest({ query: 'ferry turn3' }, monday)
    const answer = history.run(recall(bounded, owner, request))
    expect(answer).toEqual(history.run(recall(new Segments(roomy), owner, request)))
    expect(answer.hits).toHaveLength(5)
    expect(bounded.bytes).toBeLessThanOrEqual(64 * 1024)
  }
  expect(bounded.size).toBeLessThan(owners.length)
  history.connection.close()
})

test('vectors of a partition that is over the bound are loaded for the messages that are searched', () => {
  const history = new History()
  const bounded = new Segments(64 * 1024)
  for (let round = 0; round < 4; round += 1) {
    const batch = Array.from({ length: 300 }, (_, place) => prepared(['ferry', `w${round}x${place}`], 'en', null))
    history.run(appendMessages(history.ada, sessionName('talk'), () => answer({ messages: batch, language: 'en', votes: {} }), monday))
    while (
      history.run(claimEmbeddings(maker, { holder: 'test', now: monday, until: monday + 1 }, { texts: 1, tokens: 1 })).progress.length > 0
    )
      history.embed(300)
    const { hits, degraded } = history.ask(bounded, `w${round}x299`)
    expect(hits[0]?.seq).toBe((round + 1) * 300)
    expect(hits[0]?.signals.map(({ name }) => name)).toContain('meaning')
    expect(degraded.join()).not.toContain('no vector yet')
    expect(bounded.bytes).toBeLessThanOrEqual(64 * 1024)
  }
  history.connection.close()
})

test('an index over its bound keeps the newest messages that fit, however many more come', () => {
  const history = new History()
  const bounded = new Segments(64 * 1024)
  const searched: number[] = []
  for (let round = 0; round < 8; round += 1) {
    const batch = Array.from({ length: 300 }, (_, place) =>
      prepared(['ferry', ...Array.from({ length: 20 }, (_unused, word) => `w${round}x${place}x${word}`)], 'en', null),
    )
    history.run(appendMessages(history.ada, sessionName('talk'), () => answer({ messages: batch, language: 'en', votes: {} }), monday))
    const { hits, degraded } = history.run(recall(bounded, history.ada, recallRequest({ query: `w${round}x299x7`, limit: 1 }, monday)))
    expect(hits[0]?.seq).toBe((round + 1) * 300)
    expect(degraded[0]).toMatch(/^partial index: the newest \d+ of \d+ messages/)
    searched.push(Number(/newest (\d+)/.exec(degraded[0] ?? '')?.[1]))
  }
  // It may keep more when terms are small, but not everything: twice the first load would be no bound.
  expect(Math.max(...searched)).toBeLessThan(2 * (searched[0] ?? 0))
  history.connection.close()
})
