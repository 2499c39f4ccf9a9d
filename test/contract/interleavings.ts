import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { loadTokenizer, type Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import type { StoreInitializer } from '../../packages/varve/src/testing/index.ts'
import { before, type Change, House, type Look, type Looked, vocabulary } from './house.ts'

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

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

const ferry = { kind: 'recall', query: 'ferry kiosk', maker: undefined, limit: 100 } as const satisfies Look

function said(session: number, repeated: number, ...spoken: readonly string[]): Change {
  return { kind: 'append', session, words: spoken, repeated, name: null }
}

async function expectEqual(looked: readonly Promise<Looked>[]): Promise<void> {
  for (const { among, alone } of await Promise.all(looked)) expect(among).toEqual(alone)
}

/**
 * Tests that the memory which rooms keep between programs stays right while programs run side by side. `numRuns` is how
 * often the property is tried.
 */
export function testInterleavings(stores: StoreInitializer, numRuns: number): void {
  let tokenizer: Tokenizer
  beforeAll(async () => {
    tokenizer = await loadTokenizer()
  })

  const inHouse = async (pauses: readonly number[], use: (house: House) => Promise<void>): Promise<void> => {
    const store = await stores.open(uuidv7())
    try {
      await use(new House(store, tokenizer, pauses))
    } finally {
      await store.close()
    }
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
            const looked: Promise<Looked>[] = []
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
      { numRuns },
    )
  }, 120_000)
}
