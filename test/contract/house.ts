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
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import { findSessionRow } from '../../packages/varve/src/storage/log/sessions.ts'
import { ensureDerivedOf, findPartition, projectNumber } from '../../packages/varve/src/storage/partitions.ts'
import { answer, type Program } from '../../packages/varve/src/storage/program.ts'
import { asPrepared, monday, prepared, userOf } from '../../packages/varve/src/testing/store/check.ts'
import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import type { StoreUnderTest } from '../../packages/varve/src/testing/index.ts'

/** Pages so small that every index is read in several steps. */
const smallPages: Pages = { messages: 2, vectors: 2 }
const roomy = 16 * 1024 * 1024
const ada = userOf('acme', 'ada')
export const vocabulary = ['ferry', 'kiosk', 'the', 'Ada', 'Bob', 'leaves', 'rope', 'bell']
const makers = [
  { name: 'one', dimension: 16, quantisation: 'none' },
  { name: 'other', dimension: 16, quantisation: 'none' },
] as const
const [firstMaker] = makers

/** A question of a test, and the call that answers it. */
export type Look =
  | { readonly kind: 'recall'; readonly query: string; readonly maker: number | undefined; readonly limit: number }
  | { readonly kind: 'everything'; readonly query: string; readonly maker: number | undefined }
  | { readonly kind: 'facts' | 'question'; readonly query: string }
  | { readonly kind: 'context'; readonly query: string; readonly maker: number | undefined; readonly maxTokens: number }
  | { readonly kind: 'bank'; readonly maxTokens: number }
  | { readonly kind: 'profile' }
/** A change of a test. */
export type Change =
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
/** The first content of the house, so that there are things to find, to forget and to keep. */
export const before: readonly Change[] = [
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

/** What a look gave among other programs, and what it gives alone. */
export interface Looked {
  readonly among: unknown
  readonly alone: unknown
}

/** A store whose looks share the memory that rooms keep between programs, as in one process. */
export class House {
  readonly between = new Between(smallPages)
  readonly #store: StoreUnderTest
  readonly #tokenizer: Tokenizer
  readonly #pauses: readonly number[]
  #paused = 0
  #lane: Promise<void> = Promise.resolve()
  #sent: string[] = []

  constructor(store: StoreUnderTest, tokenizer: Tokenizer, pauses: readonly number[]) {
    this.#store = store
    this.#tokenizer = tokenizer
    this.#pauses = pauses
  }

  /**
   * Runs a look among all others, and alone with an empty memory, on the same state of the store. A slow look waits
   * more turns at each step.
   */
  look(one: Look, slow = 0): Promise<Looked> {
    const among = (): Program<unknown> => this.#pausing(lookOf(one, this.between, this.#tokenizer), slow)
    const alone = (): Program<unknown> => lookOf(one, new Between(), this.#tokenizer)
    return this.#store.read(function* () {
      return { among: yield* among(), alone: yield* alone() }
    })
  }

  /** Runs one change at a time; looks go on at each of its steps. */
  change(one: Change): Promise<void> {
    this.#lane = this.#lane.then(() => this.#apply(one))
    return this.#lane
  }

  async #apply(one: Change): Promise<void> {
    switch (one.kind) {
      case 'append':
        return await this.#append(one)
      case 'embed':
        return await this.#embed(one)
      case 'fact':
        return void (await this.#write(() =>
          addFact(ada, checkedFact({ subject: one.object === 'Bob' ? 'Bob' : 'user', predicate: 'likes', object: one.object }), monday),
        ))
      case 'gist':
      case 'entry':
        return await this.#write(() => derive(one))
      case 'forget-session':
        return await this.#write(() => forgetting(one.session))
      case 'replace':
      case 'forget':
        return await this.#changeOne(one)
    }
  }

  async #changeOne({ kind, which, words: anew }: Extract<Change, { kind: 'replace' | 'forget' }>): Promise<void> {
    const id = this.#sent[which % Math.max(1, this.#sent.length)]
    if (id === undefined) return
    if (kind === 'replace')
      return void (await this.#write(() => replaceMessage(ada, id, () => answer(prepared(anew.join(' '))), uuidv7(monday), monday)))
    await this.#write(() => forget(ada, { messages: [id] }, uuidv7(monday), monday))
    this.#sent = this.#sent.filter((other) => other !== id)
  }

  async #append({ session, words: said, repeated, name }: Extract<Change, { kind: 'append' }>): Promise<void> {
    const messages = Array.from({ length: repeated }, (_, place) => prepared([...said, `${place}`].join(' '), { name }))
    const added = await this.#write(() => appendMessages(ada, sessionName(`s${session}`), asPrepared(messages), monday))
    // Only standing messages may be replaced, so those of the session that is forgotten as a whole are left out.
    if (session !== 2) this.#sent.push(...added.map(({ id }) => id))
  }

  async #embed({ texts, maker: place }: Extract<Change, { kind: 'embed' }>): Promise<void> {
    const of = makers[place] ?? firstMaker
    const claim = await this.#write(() =>
      claimEmbeddings(of, { holder: 'test', now: monday, until: monday + 1 }, { texts, tokens: 10_000 }),
    )
    await this.#write(() =>
      storeEmbeddings(
        claim,
        claim.texts.map((text) => vectorOf(text, place)),
        'test',
      ),
    )
  }

  #write<Result>(program: () => Program<Result>): Promise<Result> {
    return this.#store.write(() => this.#pausing(program()))
  }

  /**
   * Lets other programs go on after each step, for as long as so many small steps take. They come after the answer: the
   * first step fixes the state of the store that is seen.
   */
  *#pausing<Result>(program: Program<Result>, slow = 0): Program<Result> {
    let next = program.next([])
    while (next.done !== true) {
      const rows = yield next.value
      this.#paused += 1
      const turns = slow + (this.#pauses[this.#paused % this.#pauses.length] ?? 0)
      for (let turn = 0; turn < turns; turn += 1) yield* projectNumber('nobody has this name')
      next = program.next(rows)
    }
    return next.value
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
  const old = (yield* itemsOfSession(owner.id, row.id)).find((item) => item.kind === itemKinds.bank)
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
