import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemTerms } from '../../packages/varve/src/index/item-terms.ts'
import { bankStats, renderedBank } from '../../packages/varve/src/bank/bank-of.ts'
import { ShownBanks } from '../../packages/varve/src/bank/shown-banks.ts'
import { assemble } from '../../packages/varve/src/context/assemble.ts'
import { contextRequest } from '../../packages/varve/src/context/request.ts'
import { BankMarks } from '../../packages/varve/src/context/bank-marks.ts'
import { Profiles } from '../../packages/varve/src/facts/profiles.ts'
import { checkedFact } from '../fixtures/facts/checked.ts'
import { addFact } from '../../packages/varve/src/facts/write-facts.ts'
import { writeGist } from '../../packages/varve/src/gists/write-gist.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { claimEmbeddings, storeEmbeddings } from '../../packages/varve/src/index/embedding-work.ts'
import { type Pages, Segments } from '../../packages/varve/src/index/segments.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { profileOf } from '../../packages/varve/src/privacy/profile.ts'
import { Sayings } from '../../packages/varve/src/privacy/sayings.ts'
import { recallFacts } from '../../packages/varve/src/recall/fact-hits.ts'
import { questionText } from '../../packages/varve/src/recall/question-text.ts'
import { recall } from '../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../packages/varve/src/recall/request.ts'
import { sessionName } from '../../packages/varve/src/scope/partition.ts'
import { forget, replaceMessage } from '../../packages/varve/src/storage/erase/erasure.ts'
import { replaceItem } from '../../packages/varve/src/storage/derived/item-erasure.ts'
import { itemKinds, itemsOfSession } from '../../packages/varve/src/storage/derived/items.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/messages.ts'
import { findSessionRow } from '../../packages/varve/src/storage/log/sessions.ts'
import { ensureDerivedOf, findPartition } from '../../packages/varve/src/storage/partitions.ts'
import { answer, type Program } from '../../packages/varve/src/storage/program.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { execute, runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { awaiting } from '../../packages/varve/src/testing/awaiting.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { asPrepared, monday, prepared, userOf } from '../../packages/varve/src/testing/store/check.ts'

/** Pages so small that every index is read in several steps. */
const smallPages: Pages = { messages: 2, vectors: 2 }
const roomy = 16 * 1024 * 1024
const ada = userOf('acme', 'ada')
const vocabulary = ['ferry', 'kiosk', 'the', 'Ada', 'Bob', 'leaves', 'rope', 'bell']
const makers = [
  { name: 'one', dimension: 16, quantisation: 'none' },
  { name: 'other', dimension: 16, quantisation: 'none' },
] as const
const [firstMaker] = makers

type Look =
  | { readonly kind: 'recall'; readonly query: string; readonly maker: number | undefined; readonly limit: number }
  | { readonly kind: 'everything'; readonly query: string; readonly maker: number | undefined }
  | { readonly kind: 'facts' | 'question'; readonly query: string }
  | { readonly kind: 'context'; readonly query: string; readonly maker: number | undefined; readonly maxTokens: number }
  | { readonly kind: 'bank'; readonly maxTokens: number }
  | { readonly kind: 'profile' }
type Change =
  | {
      readonly kind: 'append'
      readonly session: number
      readonly words: readonly string[]
      readonly repeated: number
      readonly name: string | null
    }
  | { readonly kind: 'replace' | 'forget'; readonly which: number; readonly words: readonly string[] }
  | { readonly kind: 'forget-session'; readonly session: number }
  | { readonly kind: 'embed'; readonly texts: number; readonly maker: number }
  | { readonly kind: 'gist' | 'entry'; readonly session: number; readonly words: readonly string[] }
  | { readonly kind: 'fact'; readonly object: string }
interface Begun {
  readonly turns: number
  readonly slow: number
  readonly look: Look
}

/** A change, and looks that begin a number of turns after it began, or after it was done. Later rounds do not wait for them. */
interface Round {
  readonly change: Change
  readonly during: readonly Begun[]
  readonly after: readonly Begun[]
}

const words = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 })
const query = fc.constantFrom('ferry kiosk', 'what did Bob say', 'the', 'rope bell')
const maker = fc.constantFrom(undefined, 0, 0, 0, 1)
const look: fc.Arbitrary<Look> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('recall' as const), query, maker, limit: fc.constantFrom(2, 100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('everything' as const), query, maker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('facts' as const, 'question' as const), query }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('context' as const), query, maker, maxTokens: fc.constantFrom(150, 2_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bank' as const), maxTokens: fc.constantFrom(200, 2_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('profile' as const) }) },
)
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      session: fc.nat(2),
      words,
      repeated: fc.integer({ min: 1, max: 3 }),
      name: fc.constantFrom(null, 'Ada', 'Bob Ferry'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('replace' as const, 'forget' as const), which: fc.nat(), words }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget-session' as const), session: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('embed' as const),
      texts: fc.integer({ min: 1, max: 6 }),
      maker: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('gist' as const, 'entry' as const), session: fc.nat(2), words }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fact' as const), object: fc.constantFrom(...vocabulary) }) },
)
const looks = fc.array(fc.record({ turns: fc.nat(20), slow: fc.constantFrom(0, 0, 1, 20), look }), { maxLength: 4 })
const round: fc.Arbitrary<Round> = fc.record({ change, during: looks, after: looks })

/** The first content of the house, so that there are things to find, to forget and to keep. */
const before: readonly Change[] = [
  ...[0, 1, 2].flatMap((session): Change[] => [
    { kind: 'append', session, words: ['ferry', 'kiosk', 'bell'], repeated: 3, name: 'Ada' },
    { kind: 'entry', session, words: ['ferry', 'rope'] },
    { kind: 'gist', session, words: ['kiosk', 'bell'] },
  ]),
  { kind: 'fact', object: 'bell' },
  ...[0, 1].flatMap((place): Change[] => Array.from({ length: 3 }, () => ({ kind: 'embed', texts: 100, maker: place }))),
]

/** Makes a vector: a word adds to one component, by each model to another, and all texts share one. */
function vectorOf(text: string, place: number): Float32Array {
  const vector = new Float32Array(firstMaker.dimension)
  vector[0] = 0.5
  for (const word of text.split(/\s+/)) {
    const at = 1 + ([...word].reduce((sum, letter) => sum * (place + 1) + (letter.codePointAt(0) ?? 0), 0) % (vector.length - 1))
    vector[at] = (vector[at] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

/** The memory between programs. */
class Between {
  readonly segments: Segments
  readonly banks = new ShownBanks()
  readonly marks = new BankMarks()
  readonly profiles = new Profiles()
  readonly sayings = new Sayings()

  constructor(pages?: Pages) {
    this.segments = new Segments(roomy, pages)
  }
}

function asked(text: string, place: number | undefined) {
  const of = place === undefined ? undefined : makers[place]
  return of === undefined || place === undefined ? undefined : { maker: of, vector: vectorOf(text, place) }
}

function lookOf(one: Look, { segments, banks, marks, profiles, sayings }: Between, tokenizer: Tokenizer): Program<unknown> {
  switch (one.kind) {
    case 'recall':
      return recall(
        segments,
        ada,
        recallRequest({ query: one.query, limit: one.limit, neighbours: 1 }, monday),
        asked(one.query, one.maker),
      )
    case 'everything':
      return recall(
        segments,
        ada,
        recallRequest({ query: one.query, kinds: ['message', 'gist', 'bank', 'fact', 'block', 'document'] }, monday),
        asked(one.query, one.maker),
      )
    case 'facts':
      return recallFacts(segments, ada, { ...recallRequest({ query: one.query }, monday), validAt: monday, asOf: Number.POSITIVE_INFINITY })
    case 'question':
      return questionText(segments, ada, one.query, firstMaker)
    case 'context': {
      const request = contextRequest('0190a0b0-0000-7000-8000-000000000001', {
        session: sessionName('s1'),
        maxTokens: one.maxTokens,
        persona: undefined,
        estimated: false,
        tiers: undefined,
        search: recallRequest({ query: one.query }, monday),
      })
      return assemble(segments, ada, request, { key: 'key', tokenizer, asked: asked(one.query, one.maker), banks, marks, profiles })
    }
    case 'bank':
      return one.maxTokens > 1_000
        ? bankStats(banks, ada, monday, tokenizer, marks.marking(ada, monday))
        : renderedBank(banks, ada, { maxTokens: one.maxTokens, now: monday }, tokenizer, marks.marking(ada, monday))
    case 'profile':
      return profileOf({ profiles, sayings }, ada, monday)
  }
}

/** A file with a connection for each running program, as an engine over a network has them. */
class House {
  readonly between = new Between(smallPages)
  readonly #file: string
  readonly #tokenizer: Tokenizer
  readonly #writer: Connection
  readonly #idle: Connection[] = []
  readonly #pauses: readonly number[]
  #paused = 0
  #lane: Promise<void> = Promise.resolve()
  #sent: string[] = []

  constructor(file: string, tokenizer: Tokenizer, pauses: readonly number[]) {
    this.#file = file
    this.#tokenizer = tokenizer
    this.#pauses = pauses
    this.#writer = openConnection(file)
    migrate(this.#writer, { file, now: 0, identity: { id: 'store', key: 'key' } })
  }

  /**
   * Runs a look among all others, and alone with an empty memory, on the same state of the store. A slow look waits
   * more turns at each step.
   */
  async look(one: Look, slow = 0): Promise<{ among: unknown; alone: unknown }> {
    const connection = this.#idle.pop() ?? openConnection(this.#file)
    connection.exec('BEGIN')
    try {
      const among = await awaiting(lookOf(one, this.between, this.#tokenizer), (step) =>
        this.#pausing(() => runStep(connection, step), slow),
      )
      return { among, alone: execute(connection, lookOf(one, new Between(), this.#tokenizer)) }
    } finally {
      connection.exec('COMMIT')
      this.#idle.push(connection)
    }
  }

  /** Runs one change at a time; looks go on at each of its steps. */
  change(one: Change): Promise<void> {
    this.#lane = this.#lane.then(() => this.#apply(one))
    return this.#lane
  }

  close(): void {
    for (const connection of [...this.#idle, this.#writer]) connection.close()
  }

  async #apply(one: Change): Promise<void> {
    switch (one.kind) {
      case 'append':
        return await this.#append(one)
      case 'embed':
        return await this.#embed(one)
      case 'fact':
        return void (await this.#write(
          addFact(ada, checkedFact({ subject: one.object === 'Bob' ? 'Bob' : 'user', predicate: 'likes', object: one.object }), monday),
        ))
      case 'gist':
      case 'entry':
        return await this.#write(derive(one))
      case 'forget-session':
        return await this.#write(forgetting(one.session))
      case 'replace':
      case 'forget':
        return await this.#changeOne(one)
    }
  }

  async #changeOne({ kind, which, words: anew }: Extract<Change, { kind: 'replace' | 'forget' }>): Promise<void> {
    const id = this.#sent[which % Math.max(1, this.#sent.length)]
    if (id === undefined) return
    if (kind === 'replace')
      return void (await this.#write(replaceMessage(ada, id, () => answer(prepared(anew.join(' '))), uuidv7(monday), monday)))
    await this.#write(forget(ada, { messages: [id] }, uuidv7(monday), monday))
    this.#sent = this.#sent.filter((other) => other !== id)
  }

  async #append({ session, words: said, repeated, name }: Extract<Change, { kind: 'append' }>): Promise<void> {
    const messages = Array.from({ length: repeated }, (_, place) => prepared([...said, `${place}`].join(' '), { name }))
    const added = await this.#write(appendMessages(ada, sessionName(`s${session}`), asPrepared(messages), monday))
    // Only standing messages may be replaced, so those of the session that is forgotten as a whole are left out.
    if (session !== 2) this.#sent.push(...added.map(({ id }) => id))
  }

  async #embed({ texts, maker: place }: Extract<Change, { kind: 'embed' }>): Promise<void> {
    const of = makers[place] ?? firstMaker
    const claim = await this.#write(claimEmbeddings(of, { holder: 'test', now: monday, until: monday + 1 }, { texts, tokens: 10_000 }))
    await this.#write(
      storeEmbeddings(
        claim,
        claim.texts.map((text) => vectorOf(text, place)),
        'test',
      ),
    )
  }

  async #write<Result>(program: Program<Result>): Promise<Result> {
    this.#writer.exec('BEGIN IMMEDIATE')
    const result = await awaiting(program, (step) => this.#pausing(() => runStep(this.#writer, step)))
    this.#writer.exec('COMMIT')
    return result
  }

  /** The pause comes after the answer: the first step fixes the state of the store that is seen. */
  async #pausing<Result>(answered: () => Result, slow = 0): Promise<Result> {
    const rows = answered()
    this.#paused += 1
    await ticks(slow + (this.#pauses[this.#paused % this.#pauses.length] ?? 0))
    return rows
  }
}

function* forgetting(session: number): Program<void> {
  const owner = yield* findPartition(ada)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, sessionName(`s${session}`))
  if (session === 2 && row !== undefined) yield* forget(ada, { session: sessionName('s2') }, uuidv7(monday), monday)
}

/** Stores a gist of a session, or its bank entry, in the place of the one before. */
function* derive({ kind, session, words: said }: Extract<Change, { kind: 'gist' | 'entry' }>): Program<void> {
  const owner = yield* findPartition(ada)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, sessionName(`s${session}`))
  if (owner === undefined || row === undefined || row.seq === 0) return
  if (kind === 'gist') return yield* writeGist(ada, sessionName(`s${session}`), [said.join(' ')], monday)
  const old = (yield* itemsOfSession(row.id)).find((item) => item.kind === itemKinds.bank)
  yield* replaceItem(
    yield* ensureDerivedOf(owner.id, monday),
    old,
    {
      id: uuidv7(monday),
      kind: itemKinds.bank,
      rung: 0,
      period: `2026/2026-01/2026-W02/2026-01-0${5 + session}`,
      session: row.id,
      sentences: [{ text: said.join(' '), from: [1] }],
      spans: [[1, row.seq]],
      madeOf: [],
      hand: null,
      handSeq: 0,
      pinned: session === 1,
      messages: 1,
      conversations: 1,
      firstAt: monday,
      lastAt: monday,
      writer: 'extractive',
      provisional: false,
      ...itemTerms(said.join(' '), 'en'),
    },
    monday,
  )
}

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

let folder = ''
let stores = 0
let tokenizer: Tokenizer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'varve-interleaving-'))
  tokenizer = await loadTokenizer()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function inHouse(pauses: readonly number[], use: (house: House) => Promise<void>): Promise<void> {
  stores += 1
  const house = new House(join(folder, `${stores}.db`), tokenizer, pauses)
  try {
    await use(house)
  } finally {
    house.close()
  }
}

const ferry: Look = { kind: 'recall', query: 'ferry kiosk', maker: undefined, limit: 100 }

function said(session: number, repeated: number, ...spoken: readonly string[]): Change {
  return { kind: 'append', session, words: spoken, repeated, name: null }
}

async function expectEqual(looked: readonly Promise<{ among: unknown; alone: unknown }>[]): Promise<void> {
  for (const { among, alone } of await Promise.all(looked)) expect(among).toEqual(alone)
}

test('two recalls at once, right after an append, find each message once', async () => {
  await inHouse([0], async (house) => {
    await house.change(said(0, 3, 'ferry', 'kiosk'))
    await house.look(ferry)
    await house.change(said(0, 3, 'ferry', 'kiosk'))
    await expectEqual([house.look(ferry), house.look(ferry), house.look(ferry)])
  })
})

test('a recall that began before a forget, an append or a vector ranks its own state, though the index moved on', async () => {
  for (const late of [
    { kind: 'forget-session', session: 2 },
    said(1, 3, 'ferry', 'kiosk', 'bell'),
    { kind: 'embed', texts: 6, maker: 0 },
  ] satisfies Change[]) {
    await inHouse([0], async (house) => {
      const question: Look = { ...ferry, maker: 0 }
      for (const one of [
        said(0, 3, 'ferry', 'kiosk'),
        said(2, 4, 'ferry', 'rope'),
        { kind: 'embed', texts: 2, maker: 0 },
      ] satisfies Change[])
        await house.change(one)
      await house.look(question)
      const slow = [house.look(question, 200), house.look(question, 100), house.look(question, 50)]
      await house.change(late)
      await expectEqual([...slow, house.look(question), house.look(question)])
      await expectEqual([house.look(question)])
    })
  }
})

test('vectors of two models asked for by turns', async () => {
  await inHouse([0], async (house) => {
    for (const one of before) await house.change(one)
    for (let turn = 0; turn < 6; turn += 1)
      await expectEqual([0, 1, 0, 1].map((place, later) => house.look({ ...ferry, maker: place }, later * (turn % 3))))
  })
})

test('whatever programs run at once, each sees what it would see alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }),
      async (rounds, pauses) => {
        await inHouse(pauses, async (house) => {
          for (const one of before) await house.change(one)
          const looked: Promise<{ among: unknown; alone: unknown }>[] = []
          const begin = (some: Round['during']): void => {
            for (const { turns, slow, look: one } of some) looked.push(ticks(turns).then(() => house.look(one, slow)))
          }
          for (const { change: one, during, after } of rounds) {
            begin(during)
            await house.change(one)
            begin(after)
          }
          await expectEqual(looked)
          // The memory that remains is right for the next program.
          const next: readonly Look[] = [
            { ...ferry, maker: 0 },
            { kind: 'bank', maxTokens: 200 },
            { kind: 'profile' },
            { kind: 'context', query: 'the ferry', maker: 0, maxTokens: 400 },
          ]
          for (const one of next) await expectEqual([house.look(one)])
        })
      },
    ),
    { numRuns: runs(40) },
  )
}, 120_000)
