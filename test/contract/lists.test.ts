import fc from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { listBlocks, readRevisions } from '../../packages/varve/src/blocks/read-blocks.ts'
import { setBlock } from '../../packages/varve/src/blocks/write-block.ts'
import { factHistory, factsAround, queryFacts } from '../../packages/varve/src/facts/read-facts.ts'
import { addFact, mergeEntities } from '../../packages/varve/src/facts/write-facts.ts'
import { mostCountedUsers } from '../../packages/varve/src/errors/isolation-warning.ts'
import { IsolationWarning } from '../../packages/varve/src/index.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { noteTurn, receipts, releaseErasures, claimErasures } from '../../packages/varve/src/storage/erase/receipts.ts'
import { type Listed, type ListRequest, mostListedBytes, namedPage } from '../../packages/varve/src/storage/listed.ts'
import { beginCall, ledger } from '../../packages/varve/src/storage/log/ledger.ts'
import { countNamedUsers, ensurePartition, ensureProject } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import type { StoreUnderTest } from '../../packages/varve/src/testing/index.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { append, monday, userOf } from '../../packages/varve/src/testing/store/check.ts'
import { addRow, checkChanged, checkPages } from '../../packages/varve/src/testing/store/list-checks.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { sqliteStores } from './sqlite-store.ts'
import { anyCharacter } from '../fixtures/text/any-character.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const ada = userOf('acme', 'ada')
const acme = partitionId(projectName('acme'), { kind: 'shared' })
const person = { writer: 'person', during: undefined }
const always = { validAt: monday + 1e9, asOf: Number.POSITIVE_INFINITY }

async function withStore(work: (store: StoreUnderTest) => Promise<void>): Promise<void> {
  const store = await sqliteStores(undefined).open('')
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

const row = fc.record({
  name: fc.string({ minLength: 1, maxLength: 12, unit: anyCharacter }).filter((name) => !name.includes('\0')),
  place: fc.nat(5),
  at: fc.nat(2).map((later) => monday + later),
})

test('pages of every list are the list, and what is written between two of them takes no other row from it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.array(row, { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 1, max: 5 }),
      (rows, changes, limit) =>
        withStore(async (store) => {
          for (const one of rows) await addRow(store, one)
          await checkPages(store, [limit])
          await checkChanged(store, limit, changes)
        }),
    ),
    { numRuns: runs(30) },
  )
}, 60_000)

/**
 * Returns the number of items of each page when the caller asks for more than there is room for. All together have the
 * given number.
 */
async function pages(store: StoreUnderTest, page: (request: ListRequest) => Program<Listed<unknown>>): Promise<number[]> {
  const lengths: number[] = []
  const texts = new Set<string>()
  let cursor: string | undefined
  do {
    const request = { limit: 10_000, cursor }
    const listed = await store.read(() => page(request))
    lengths.push(listed.items.length)
    for (const item of listed.items) texts.add(JSON.stringify(item))
    cursor = listed.cursor
  } while (cursor !== undefined)
  expect(texts.size).toBe(lengths.reduce((sum, length) => sum + length, 0))
  return lengths
}

test('a page of much text ends early, with a cursor', () =>
  withStore(async (store) => {
    const long = '€'.repeat(100_000)
    const fit = Math.floor(mostListedBytes / 300_010)
    const project = await store.write(() => ensureProject('acme', monday))
    for (let place = 0; place < 60; place += 1) {
      await store.write(function* () {
        for (const [owner, name] of [
          [ada, 'plan'],
          [ada, `block ${place}`],
          [acme, `block ${place}`],
        ] as const)
          yield* setBlock(owner, { name, session: undefined }, { text: `${long.slice(9)} ${place}`, maxChars: 100_000 }, person, monday)
        const free = { calls: undefined, tokens: undefined, since: monday }
        yield* beginCall({ project, task: 'distil', layers: 1, model: long, tokens: 1 }, free, monday)
        yield* noteTurn(uuidv7(monday), {}, monday)
      })
    }
    await store.write(() => claimErasures('somebody', monday + 1e9, monday + 2e9))
    await store.write(() => releaseErasures('somebody', long))
    expect(await pages(store, (request) => listBlocks(ada, undefined, request))).toEqual([fit, fit, 121 - 2 * fit])
    expect(await pages(store, (request) => readRevisions(ada, 'plan', undefined, request))).toEqual([fit, 60 - fit])
    expect(await pages(store, receipts)).toEqual([fit, 60 - fit])
    for (const of of ['acme', undefined]) {
      const { items, cursor = '' } = await store.read(() => ledger(of, 0, monday, { limit: 10_000 }))
      expect(items).toHaveLength(fit)
      expect((await store.read(() => ledger(of, 0, monday, { limit: 10_000, cursor }))).items).toHaveLength(60 - fit)
    }
  }))

test(
  'a page of many long facts ends early, with a cursor',
  () =>
    withStore(async (store) => {
      const count = 3_000
      for (let from = 0; from < count; from += 500) {
        await store.write(function* () {
          for (let place = from; place < from + 500; place += 1) {
            const object = `${'€'.repeat(1_990)} ${place}`
            const fact = { subject: 'Mia', predicate: 'likes', object, validFrom: null, validUntil: null, confidence: 1, single: false }
            yield* addFact(ada, { ...fact, dependsOn: [], sources: [] }, monday)
          }
        })
      }
      const any = { subject: undefined, predicate: undefined, object: undefined }
      for (const page of [
        (request: ListRequest) => queryFacts(ada, { ...any, ...always, ...request }),
        (request: ListRequest) => factHistory(ada, { subject: 'Mia', predicate: undefined }, request, monday),
        (request: ListRequest) => factsAround(ada, 'Mia', { hops: 1, ...always, ...request }),
      ]) {
        const [first = 0, second = 0, ...more] = await pages(store, page)
        expect([first > 2_700 && first < 2_850, first + second, more]).toEqual([true, count, []])
      }
    }),
  60_000,
)

test('facts of an entity with two names keep their order, however many are asked for', () =>
  withStore(async (store) => {
    const said = ['salt', 'rope', 'tea', 'salt', 'figs', 'rope', 'tea', 'nets']
    await store.write(function* () {
      for (const [place, object] of said.entries()) {
        const fact = {
          predicate: 'likes',
          object,
          validFrom: null,
          validUntil: null,
          confidence: 1,
          single: false,
          dependsOn: [],
          sources: [],
        }
        yield* addFact(ada, { subject: place % 3 === 0 ? 'Sandy' : 'Alexandra', ...fact }, monday + place)
      }
      yield* mergeEntities(ada, 'Sandy', 'Alexandra', monday + 100)
    })
    for (const limit of [1, 2, 3, 10]) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const request = { subject: 'Alexandra', predicate: undefined, object: undefined, ...always, limit, cursor }
        const page = await store.read(() => queryFacts(ada, request))
        found.push(...page.items.map(({ object }) => object))
        cursor = page.cursor
      } while (cursor !== undefined)
      expect(found).toEqual(['nets', 'tea', 'rope', 'figs', 'salt'])
    }
  }))

test('facts of a long message hold their own words, not the message', () =>
  withStore(async (store) => {
    const said = Array.from({ length: 300 }, (_, place) => `I like thing number ${place} best. ${'and so on '.repeat(300)}`)
    const [message] = await append(store, ada, sessionName('talk'), [said.join('')])
    await store.write(function* () {
      for (let place = 0; place < said.length; place += 1) {
        const fact = { subject: 'Mia', predicate: 'likes', object: `thing ${place}`, validFrom: null, validUntil: null, confidence: 1 }
        const text = `I like thing number ${place} best.`
        const sources = [{ message: message?.id ?? '', text, from: undefined, to: undefined }]
        yield* addFact(ada, { ...fact, single: false, dependsOn: [], sources }, monday)
      }
    })
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    const asked = { subject: 'Mia', predicate: undefined, object: undefined, ...always, limit: said.length }
    const { items } = await store.read(() => queryFacts(ada, asked))
    collectGarbage()
    // Each would keep half of the message: 135 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
    expect(items.map(({ sources }) => sources[0]?.text)).toContain('I like thing number 299 best.')
  }))

test('a page of many long names ends early, with a cursor', () => {
  const rows = Array.from({ length: 70_000 }, (_, place) => ({ name: `${place}`.padStart(256, 'x') }))
  const { items, cursor } = namedPage('user', rows, 100_000, ({ name }) => name)
  expect([items.length, cursor === undefined]).toEqual([mostListedBytes / 256, false])
})

test('named users are counted up to a bound, and the warning says so', () =>
  withStore(async (store) => {
    await store.write(function* () {
      for (let place = 0; place < mostCountedUsers + 5; place += 1) yield* ensurePartition(userOf('acme', `user ${place}`), monday)
    })
    const namedUsers = await store.read(() => countNamedUsers('acme'))
    expect(namedUsers).toBe(mostCountedUsers)
    expect(new IsolationWarning({ project: 'acme', namedUsers }).message).toContain('has 1,000 or more named user(s)')
    expect(new IsolationWarning({ project: 'acme', namedUsers: 999 }).message).toContain('has 999 named user(s)')
  }))
