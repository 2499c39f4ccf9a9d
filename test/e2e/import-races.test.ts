import { beforeAll, describe, expect, test } from 'vitest'
import type { Imported, Receipt, UserMemory } from '../../packages/varve/src/index.ts'
import { VarveError } from '../../packages/varve/src/errors/varve-error.ts'
import { differences, everythingOf } from '../fixtures/memory/everything.ts'
import { importInSteps } from '../fixtures/memory/import-steps.ts'
import { newStore, rejection } from '../fixtures/memory/open.ts'
import {
  clock,
  expectNothingLeft,
  exportedMessages,
  type Exports,
  exportsToImport,
  openToImport,
  trust,
} from '../fixtures/memory/to-import.ts'
import { scaled } from '../fault/support/scale.ts'
import { OtherProcess } from './other-process.ts'

/** A stranger's sessions share nothing: so sessions, and the profile that lists them, differ in that. */
const isOfContent = (difference: string): boolean => !/^(sessions|profile)/.test(difference)

const countIn = async (ada: UserMemory): Promise<number> => (await Array.fromAsync(ada.timeline())).length

let [text, later] = ['', '']
let whole: Exports['whole'] = {}
beforeAll(async () => {
  ;({ text, later, whole } = await exportsToImport())
})

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
      const { ada } = await openToImport(store)
      const other = await OtherProcess.start(store)
      const both = await Promise.all([ada.import(text, { trust }), other.call<Imported>(['import'], text, { trust })])
      expect(both.map(({ state }) => state)).toEqual(['applied', 'applied'])
      expect(both.map(({ stored }) => stored['message'] ?? 0).toSorted((a, b) => a - b)).toEqual([0, exportedMessages])
      expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
      await expectNothingLeft(store, ada)
    }
  })

  test('that accept one import at once apply it once', async () => {
    const store = newStore()
    const { ada } = await openToImport(store)
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
      const { ada } = await openToImport(store)
      const other = await OtherProcess.start(store)
      const { id } = await ada.import(text)
      const [accepted, discarded] = await Promise.all([
        failure(ada.imports.accept(id), 'NOT_FOUND'),
        failure(other.call(['imports', 'discard'], id), 'NotFound'),
      ])
      if (accepted === undefined) expect(await countIn(ada)).toBe(exportedMessages)
      else expect(discarded).toBeUndefined()
      await expectNothingLeft(store, ada)
      await ada.import(text, { accept: true })
      expect(await countIn(ada)).toBe(exportedMessages)
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
      const { memory, ada } = await openToImport(store)
      let [more, done] = [0, false]
      const before = async (_: string, step: number): Promise<void> => {
        if (step !== at) return
        ;[more, done] = [await meanwhile(ada), true]
      }
      await failure(importInSteps(store, text, trust[0] ?? '', before), 'NOT_FOUND')
      expect(done, `step ${at}`).toBe(true)
      await expectNothingLeft(store, ada)
      await ada.import(text, { trust })
      expect(await countIn(ada), `step ${at}`).toBe(exportedMessages + more)
      await memory.upkeep.run({ all: true })
      expect(await countIn(ada)).toBe(exportedMessages + more)
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
    const { ada } = await openToImport(store)
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
    expect(first).toMatchObject({ state: 'applied', stored: { message: exportedMessages } })
    expect(await second).toMatchObject({ state: 'applied', duplicates: { message: exportedMessages } })
    expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
    await expectNothingLeft(store, ada)
  })

  test('accepts it is refused until all of its lines are there', async () => {
    const store = newStore()
    const { ada } = await openToImport(store)
    const accepted: unknown[] = []
    await importInSteps(store, text, trust[0] ?? '', async (name) => {
      if (name === 'transfer.stage') accepted.push(await rejection(ada.imports.accept(await idOf(ada))))
    })
    expect(accepted).toEqual([expect.objectContaining({ code: 'OPTION_INVALID' }), expect.objectContaining({ code: 'OPTION_INVALID' })])
    expect(differences(whole, await everythingOf(ada, clock))).toEqual([])
  })
})

test('a forget of a message that is not there takes no import away', async () => {
  const { ada } = await openToImport('memory:')
  const { id } = await ada.import(text)
  expect(await rejection(ada.forget({ messages: ['01a2177c-33e7-709e-bf98-776f27f7af29'] }))).toMatchObject({ code: 'NOT_FOUND' })
  expect((await ada.imports.list()).map((one) => one.id)).toEqual([id])
})
