import { generateKeyPairSync } from 'node:crypto'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Imported, type Memory, openMemory, type Receipt, type UserMemory } from '../../packages/varve/src/index.ts'
import { VarveError } from '../../packages/varve/src/errors/varve-error.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { importInSteps } from '../fixtures/memory/import-steps.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { problemsOf } from '../fault/support/inspect.ts'
import { scaled } from '../fault/support/scale.ts'
import { OtherProcess } from './other-process.ts'

const options = { layers: { bank: true, documents: true, notes: true }, embeddingModel: false, languageModel: false } as const
const pair = generateKeyPairSync('ed25519')
const signingKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const trust = [pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]
const clock = new ManualClock(Date.UTC(2026, 6, 1))
const who = { project: 'pier', user: 'ada' }

async function openHere(store: string): Promise<{ readonly memory: Memory; readonly ada: UserMemory }> {
  const memory = await openForTest({ ...options, store })
  return { memory, ada: memory.for(who) }
}

/** Exports a memory twice that has something of each layer, in some hundreds of lines. */
async function exported(): Promise<readonly [string, string]> {
  await using memory = await openMemory({ ...options, store: 'memory:', upkeep: 'manual' })
  const ada = memory.for(who)
  for (let day = 1; day < 5; day += 1)
    await ada.append(
      `talk-${day}`,
      Array.from({ length: 25 }, (_, place) => ({
        role: 'user' as const,
        id: `${day}-${place}`,
        at: Date.UTC(2026, 3, day, 8, place),
        content: place % 5 === 0 ? `I moved to Oslo ${day}. My cat Tuna is ${place}.` : `The ferry ${place} leaves kiosk ${day} at nine.`,
      })),
    )
  await ada.blocks.set('habits', 'tea at the harbour')
  await ada.blocks.set('here', 'only today', { session: 'talk-1' })
  await ada.documents.edit('Cats', '- Tuna is a cat')
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  await ada.instructions.add('Answer in French.')
  await memory.upkeep.run({ all: true })
  const linesOf = async (): Promise<string> => (await Array.fromAsync(ada.export({ signingKey }))).join('')
  return [await linesOf(), await linesOf()]
}

/** A stranger's sessions share nothing: so sessions, and the profile that lists them, differ in that. */
const isOfContent = (difference: string): boolean => !/^(sessions|profile)/.test(difference)

/** The messages of the export. */
const messages = 100

const countIn = async (ada: UserMemory): Promise<number> => (await Array.fromAsync(ada.timeline())).length

let text = ''
let later = ''
/** All answers after an import that nobody disturbed. */
let whole: Readonly<Record<string, unknown>> = {}

beforeAll(async () => {
  ;[text, later] = await exported()
  await using memory = await openMemory({ ...options, store: 'memory:', upkeep: 'manual' })
  await memory.for(who).import(text, { trust })
  whole = await everythingOf(memory.for(who), clock)
})

/** Counts what an import must not leave behind. */
function leftOf(store: string): Readonly<Record<string, number>> {
  const connection = new Database(store, { readonly: true })
  const count = (sql: string): number => Number(connection.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get())
  const left = {
    imports: count('import'),
    lines: count('import_lines'),
    places: count('import_place'),
    'held sessions': count("work WHERE lease_holder = 'import'"),
    'blocks that nothing finds': count('block WHERE uuid NOT IN (SELECT uuid FROM item)'),
    'pages to index': count('page WHERE indexed = 0'),
  }
  connection.close()
  return left
}

const nothing = { imports: 0, lines: 0, places: 0, 'held sessions': 0, 'blocks that nothing finds': 0, 'pages to index': 0 }

/** Nothing is left of imports, and the file is sound. */
async function expectNothingLeft(store: string, ada: UserMemory): Promise<void> {
  expect(await ada.imports.list()).toEqual([])
  expect(leftOf(store)).toEqual(nothing)
  expect(problemsOf(store)).toEqual([])
}

/** Gives the error of a call that may fail with one of some codes; undefined when it did not fail. */
async function failure(call: Promise<unknown>, ...codes: readonly string[]): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    const code = VarveError.is(error) ? error.code : String(error)
    expect(
      codes.some((one) => code.includes(one)),
      code,
    ).toBe(true)
    return code
  }
}

const idOf = async (ada: UserMemory): Promise<string> => (await ada.imports.list())[0]?.id ?? 'none'

describe('two processes', () => {
  test('that import the same lines at once end as one import does', async () => {
    for (let round = 0; round < 2; round += 1) {
      const store = newStore()
      const { ada } = await openHere(store)
      const other = await OtherProcess.start(store)
      const both = await Promise.all([ada.import(text, { trust }), other.call<Imported>(['import'], text, { trust })])
      expect(both.map(({ state }) => state)).toEqual(['applied', 'applied'])
      expect(both.map(({ stored }) => stored['message'] ?? 0).toSorted((a, b) => a - b)).toEqual([0, messages])
      expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
      await expectNothingLeft(store, ada)
    }
  })

  test('that accept one import at once apply it once', async () => {
    const store = newStore()
    const { ada } = await openHere(store)
    const other = await OtherProcess.start(store)
    const { id } = await ada.import(text)
    const failed = await Promise.all([
      failure(ada.imports.accept(id), 'NOT_FOUND'),
      failure(other.call(['imports', 'accept'], id), 'NotFound'),
    ])
    expect(failed.filter((code) => code !== undefined).length).toBeLessThan(2)
    expect(differences(whole, await everythingOf(ada, clock)).filter(isOfContent)).toEqual([])
    await expectNothingLeft(store, ada)
    expect(await rejection(ada.imports.accept(id))).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of which one accepts what the other discards leave nothing half, and it can be imported again', async () => {
    for (let round = 0; round < 3; round += 1) {
      const store = newStore()
      const { ada } = await openHere(store)
      const other = await OtherProcess.start(store)
      const { id } = await ada.import(text)
      const [accepted, discarded] = await Promise.all([
        failure(ada.imports.accept(id), 'NOT_FOUND'),
        failure(other.call(['imports', 'discard'], id), 'NotFound'),
      ])
      if (accepted === undefined) expect(await countIn(ada)).toBe(messages)
      else expect(discarded).toBeUndefined()
      await expectNothingLeft(store, ada)
      await ada.import(text, { accept: true })
      expect(await countIn(ada)).toBe(messages)
      await expectNothingLeft(store, ada)
    }
  })
})

/** Tells how the messages are fewer or more after something was done by another during an import. */
type Meanwhile = (ada: UserMemory) => Promise<number>

const receiptOf = async (receipt: Promise<Receipt>): Promise<number> => -((await receipt).counts['message'] ?? 0)

const whileImporting: Record<string, Meanwhile> = {
  'forgets a session': async (ada) => ((await ada.sessions.list()).length === 0 ? 0 : receiptOf(ada.forget({ session: 'talk-1' }))),
  'forgets everything': (ada) => receiptOf(ada.forget({ all: true })),
  'forgets a message': async (ada) => {
    const [last] = await ada.messages('talk-1', { limit: 1 })
    return last === undefined ? 0 : receiptOf(ada.forget({ messages: [last.id] }))
  },
  'appends to a session of it': async (ada) => (await ada.append('talk-1', { role: 'user', content: 'The kayak is red.' })).messages.length,
  'discards it': async (ada) => ada.imports.discard(await idOf(ada)).then(() => 0),
  'imports the same lines': async (ada) => ada.import(text, { trust }).then(() => 0),
}

/** The steps of an import before which another does something; all of them in full runs. */
const steps = scaled([3, 5, 7, 8], [2, 3, 4, 5, 6, 7, 8, 9, 10])

describe('an import, before each of whose steps another', () => {
  test.each(Object.entries(whileImporting))('%s, leaves nothing half and brings nothing forgotten back', async (_, meanwhile) => {
    for (const at of steps) {
      const store = newStore()
      const { memory, ada } = await openHere(store)
      let [more, done] = [0, false]
      const before = async (_: string, step: number): Promise<void> => {
        if (step !== at) return
        ;[more, done] = [await meanwhile(ada), true]
      }
      await failure(importInSteps(store, text, trust[0] ?? '', before), 'NOT_FOUND')
      expect(done, `step ${at}`).toBe(true)
      await expectNothingLeft(store, ada)
      await ada.import(text, { trust })
      expect(await countIn(ada), `step ${at}`).toBe(messages + more)
      await memory.upkeep.run({ all: true })
      expect(await countIn(ada)).toBe(messages + more)
      await expectNothingLeft(store, ada)
      await memory.close()
    }
  })

  test.each([
    ['the same lines', 2, 'transfer.begin'],
    ['the same lines', 5, 'transfer.begin'],
    ['the same lines', 7, 'transfer.begin'],
    ['another export', 7, 'transfer.accept'],
  ])('begins to import %s (step %i), goes on undisturbed: the other waits, and both are applied', async (which, at, waitsWith) => {
    const store = newStore()
    const { ada } = await openHere(store)
    const asked: string[] = []
    const waits = Promise.withResolvers<void>()
    let second: Promise<Imported> | undefined
    const ofSecond = async (name: string): Promise<void> => {
      // A call that is made twice was told to wait.
      if (asked.includes(name) && name === waitsWith) waits.resolve()
      asked.push(name)
    }
    const first = await importInSteps(store, text, trust[0] ?? '', async (_, step) => {
      if (step !== at) return
      second = importInSteps(store, which === 'another export' ? later : text, trust[0] ?? '', ofSecond)
      await Promise.race([waits.promise, second])
    })
    expect(first).toMatchObject({ state: 'applied', stored: { message: messages } })
    expect(await second).toMatchObject({ state: 'applied', duplicates: { message: messages } })
    expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
    await expectNothingLeft(store, ada)
  })

  test('accepts it is refused until all of its lines are there', async () => {
    const store = newStore()
    const { ada } = await openHere(store)
    const accepted: unknown[] = []
    await importInSteps(store, text, trust[0] ?? '', async (name) => {
      if (name === 'transfer.stage') accepted.push(await rejection(ada.imports.accept(await idOf(ada))))
    })
    expect(accepted).toEqual([expect.objectContaining({ code: 'OPTION_INVALID' }), expect.objectContaining({ code: 'OPTION_INVALID' })])
    expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
  })
})

test('a forget of a message that is not there takes no import away', async () => {
  const { ada } = await openHere('memory:')
  const { id } = await ada.import(text)
  expect(await rejection(ada.forget({ messages: ['01a2177c-33e7-709e-bf98-776f27f7af29'] }))).toMatchObject({ code: 'NOT_FOUND' })
  expect((await ada.imports.list()).map((one) => one.id)).toEqual([id])
})
