import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact, UserMemory } from '../../packages/varve/src/index.ts'
import type { Stated } from '../../packages/varve/src/facts/derive.ts'
import type { ScriptedAnswer, ScriptedRequest } from '../../packages/varve/src/testing/index.ts'
import { distilling, type Distilling } from '../fixtures/distil/open.ts'
import { holdingAt } from '../fixtures/facts/oracle.ts'
import { fewRuns } from '../../packages/varve/src/testing/runs.ts'

const places = ['Oslo', 'Rome', 'Bern'] as const
const start = Date.UTC(2026, 5, 1)
const day = 86_400_000

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A statement: it holds from a day on, perhaps until another; or it is over, or was never so. */
type Statement =
  | {
      readonly says: 'is'
      readonly place: string
      readonly from: number | null
      readonly until: number | null
      readonly instead: string | null
    }
  | { readonly says: 'ends'; readonly place: string; readonly on: number | null }
  | { readonly says: 'wrong'; readonly place: string }

const wordsOf = (said: Statement): string => {
  if (said.says === 'wrong') return `I never lived in ${said.place} at all.`
  if (said.says === 'ends') return `I left ${said.place}${said.on === null ? '' : ` on ${dayOf(said.on)}`} for good.`
  const [from, until, not] = [
    said.from === null ? '' : ` since ${dayOf(said.from)}`,
    said.until === null ? '' : ` until ${dayOf(said.until)}`,
    said.instead === null ? '' : `, not in ${said.instead}`,
  ]
  return `I live in ${said.place}${from}${until}${not}, as you know.`
}

const line = new RegExp(
  String.raw`\[(\d+)\] \S+: (I (?:live in|left|never lived in) ([A-Z]\w+)(?: (?:since|` +
    String.raw`on) (\S+?))?(?: until (\S+?))?(?:, not in (\w+))?(?:, as you know| for good| at all)\.)`,
  'g',
)

/** Reads what the talk says, as a good model would. */
function reader({ prompt }: ScriptedRequest): ScriptedAnswer {
  const read = Array.from(prompt.matchAll(line), ([, number, quote = '', place, when = '', until = '', instead = '']) => {
    const says = quote.startsWith('I left') ? 'ends' : quote.startsWith('I never') ? 'wrong' : 'is'
    return {
      from: Number(number),
      quote,
      kind: { is: 'state', ends: 'ended', wrong: 'never' }[says],
      subject: '',
      predicate: 'lives in',
      object: place,
      instead,
      when,
      until,
      tense: says === 'is' ? 'present' : 'past',
      confidence: 0.9,
      single: true,
      restsOn: [],
    }
  })
  return { object: { gist: [{ from: [1], text: 'The talk was about places.' }], facts: read } }
}

const soon = fc.integer({ min: -40, max: 5 })
const some = fc.constantFrom(...places)
const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        says: fc.constant('is' as const),
        place: some,
        from: fc.option(soon, { freq: 2, nil: null }),
        until: fc.option(fc.nat({ max: 20 }), { freq: 1, nil: null }),
        instead: fc.option(some, { freq: 1, nil: null }),
      })
      .map((said) => ({
        ...said,
        from: said.from === null ? null : start + said.from * day,
        until: said.until === null ? null : start + ((said.from ?? 10) + said.until + 30) * day,
        instead: said.instead === said.place ? null : said.instead,
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ says: fc.constant('ends' as const), place: some, on: fc.option(fc.integer({ min: -40, max: -1 }), { nil: null }) })
      .map((said) => ({ ...said, on: said.on === null ? null : start + said.on * day })),
  },
  { weight: 1, arbitrary: fc.record({ says: fc.constant('wrong' as const), place: some }) },
)

type Step =
  | { readonly do: 'talk'; readonly said: readonly Statement[]; readonly ago: number; readonly isRead: boolean }
  | { readonly do: 'read' }
  | { readonly do: 'add'; readonly place: string; readonly from: number | null }
  | { readonly do: 'correct' | 'retract'; readonly which: number; readonly place: string; readonly at: number | null }
  | { readonly do: 'forget'; readonly which: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('talk' as const),
      said: fc.array(statement, { minLength: 1, maxLength: 3 }),
      ago: fc.nat({ max: 30 }),
      isRead: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      place: some,
      from: fc.option(
        soon.map((at) => start + at * day),
        { nil: null },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('correct' as const, 'retract' as const),
      which: fc.nat(),
      place: some,
      at: fc.option(
        soon.map((at) => start + at * day),
        { nil: null },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), which: fc.nat() }) },
)

/** A statement as the oracle knows it, with the messages on which it rests. */
interface Mirrored extends Stated {
  readonly of: readonly string[]
  readonly isEdit: boolean
}

/** Tells a history to a memory, and keeps the statements that stand. */
class Telling {
  readonly #it: Distilling
  readonly ada: UserMemory
  readonly moments: number[] = []
  rows: Mirrored[] = []
  #messages: string[] = []
  #unread: { session: string; said: readonly { id: string; at: number; statement: Statement }[] }[] = []
  #count = 0

  constructor(it: Distilling) {
    this.#it = it
    this.ada = it.memory.for('ada')
  }

  async take(one: Step): Promise<void> {
    this.#it.clock.advance(60_000)
    this.moments.push(this.#it.clock.now())
    if (one.do === 'talk') await this.#talk(one)
    else if (one.do === 'read') await this.#read()
    else if (one.do === 'add') await this.#add(one)
    else if (one.do === 'forget') await this.#forget(one)
    else await this.#edit(one)
  }

  async #talk({ said: drawn, ago, isRead }: Step & { do: 'talk' }): Promise<void> {
    const session = `talk-${this.moments.length}`
    // No two statements are said at the same time, and nobody says that he left tomorrow.
    const at = this.#it.clock.now() - ago * day
    const said = drawn.map((one) =>
      one.says === 'ends' && one.on !== null && one.on > at - day ? { ...one, on: Math.floor(at / day) * day - day } : one,
    )
    const messages = said.map((one, place) => ({ role: 'user' as const, content: wordsOf(one), at: at + place * 1_000 }))
    const appended = await this.ada.append(session, messages)
    const ids = appended.messages.map(({ id }) => id)
    this.#messages.push(...ids)
    this.#unread.push({ session, said: said.map((one, place) => ({ id: ids[place] ?? '', at: at + place * 1_000, statement: one })) })
    if (isRead) await this.#read()
  }

  async #read(): Promise<void> {
    for (const { session, said } of this.#unread.toReversed()) {
      await this.ada.distil(session)
      for (const { id, at, statement: one } of said) this.#push(rowOf(one, at), [id], false)
    }
    this.#unread = []
  }

  async #add({ place, from }: Step & { do: 'add' }): Promise<void> {
    await this.ada.facts.add({ predicate: 'lives in', object: place, ...(from === null ? {} : { validFrom: from }) })
    this.#push({ ...blank, object_key: place.toLowerCase(), valid_from: from, said_at: this.#it.clock.now() }, [], false)
  }

  async #edit({ do: what, which, place, at }: Step & { do: 'correct' | 'retract' }): Promise<void> {
    const known = await this.ada.facts.query({ subject: 'I', predicate: 'lives in' })
    const fact = known[which % Math.max(1, known.length)]
    if (fact === undefined) return
    const said_at = Math.max(
      this.#it.clock.now(),
      ...this.rows.filter((row) => row.object_key === fact.object.toLowerCase()).map((row) => row.said_at),
    )
    if (what === 'retract') return this.#retract(fact, at === null ? null : Math.max(at, fact.validFrom + 1), said_at)
    await this.ada.facts.correct(fact.id, {
      object: place,
      ...(at === null || at >= (fact.validUntil ?? Number.POSITIVE_INFINITY) ? {} : { validFrom: at }),
    })
    const until = fact.validUntil !== undefined && fact.supersededBy === undefined ? fact.validUntil : null
    this.#push(
      {
        ...blank,
        object_key: place.toLowerCase(),
        instead_key: fact.object.toLowerCase(),
        valid_from: at === null || at >= (fact.validUntil ?? Number.POSITIVE_INFINITY) ? null : at,
        valid_until: until,
        said_at,
      },
      [],
      true,
    )
  }

  async #retract(fact: Fact, until: number | null, said_at: number): Promise<void> {
    await this.ada.facts.retract(fact.id, until === null ? {} : { validUntil: until })
    this.#push({ ...blank, says: until === null ? 2 : 1, object_key: fact.object.toLowerCase(), valid_until: until, said_at }, [], true)
  }

  async #forget({ which }: Step & { do: 'forget' }): Promise<void> {
    const id = this.#messages[which % Math.max(1, this.#messages.length)]
    if (id === undefined) return
    await this.ada.forget({ messages: [id] })
    this.#messages = this.#messages.filter((other) => other !== id)
    this.#unread = this.#unread.map(({ session, said }) => ({ session, said: said.filter((one) => one.id !== id) }))
    this.rows = this.rows.flatMap((row) => {
      const of = row.of.filter((other) => other !== id)
      return row.of.length > 0 && of.length === 0 ? [] : [{ ...row, of }]
    })
    // A person's change goes with the last statement before it.
    const isLater = (a: Mirrored, b: Mirrored): boolean => a.said_at > b.said_at || (a.said_at === b.said_at && a.ord > b.ord)
    const isLost = (row: Mirrored): boolean =>
      row.isEdit &&
      !this.rows.some((other) => other.says === 0 && other.object_key === (row.instead_key ?? row.object_key) && isLater(row, other))
    while (this.rows.some(isLost)) this.rows = this.rows.filter((row) => !isLost(row))
  }

  #push(row: Omit<Stated, 'ord' | 'recorded_at'>, of: readonly string[], isEdit: boolean): void {
    this.#count += 1
    this.rows.push({ ...row, ord: this.#count, recorded_at: this.#it.clock.now(), of, isEdit })
  }
}

const blank = {
  says: 0,
  instead_key: null,
  valid_from: null,
  valid_until: null,
  when_from: null,
  when_to: null,
  withdrawn_at: null,
  single: 1,
} as const

function rowOf(said: Statement, said_at: number): Omit<Stated, 'ord' | 'recorded_at'> {
  const object_key = said.place.toLowerCase()
  if (said.says === 'wrong') return { ...blank, says: 2, object_key, said_at }
  if (said.says === 'ends') return { ...blank, says: 1, object_key, valid_until: said.on, said_at }
  // A told last day counts to its end.
  const until = said.until === null ? null : said.until + day
  const told = said.from === null ? {} : { when_from: said.from, when_to: said.from + day }
  return {
    ...blank,
    ...told,
    object_key,
    instead_key: said.instead?.toLowerCase() ?? null,
    valid_from: said.from,
    valid_until: until !== null && until < (said.from ?? said_at) ? null : until,
    said_at,
  }
}

// requirement: PART-7, PART-10
test(
  'what is known is what the definition says of the statements that stand, at any time, as of any time: told, read late, added, ' +
    'corrected, retracted and forgotten in any order',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const it = await distilling({ layers: { gists: true, facts: true } })
        it.clock.set(start)
        it.play(reader)
        const telling = new Telling(it)
        for (const one of steps) await telling.take(one)
        const now = it.clock.now()
        for (const asOf of [...telling.moments, now]) {
          for (const validAt of [
            now,
            start - 35 * day,
            start - 15 * day,
            start - 5 * day,
            start + 3 * day,
            start + 40 * day,
            start + 200 * day,
          ]) {
            const facts = await telling.ada.facts.query({ subject: 'I', predicate: 'lives in', validAt, asOf })
            expect(facts.map(({ object }) => object.toLowerCase()).toSorted()).toEqual(holdingAt(telling.rows, true, validAt, asOf))
            for (const { validFrom, validUntil } of facts) expect(validUntil ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(validFrom)
          }
        }
        const open = (await telling.ada.facts.history({ subject: 'I', predicate: 'lives in' })).filter(
          ({ validUntil, supersededAt }) => validUntil === undefined && supersededAt === undefined,
        )
        expect(open.length).toBeLessThanOrEqual(1)
        await it.memory.close()
      }),
      { endOnFailure: true, numRuns: fewRuns(25) },
    )
  },
)
