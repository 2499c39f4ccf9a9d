import { deepEqual, equal, rejects } from 'node:assert/strict'
import { listBlocks, readRevisions } from '../../blocks/read-blocks.ts'
import { setBlock } from '../../blocks/write-block.ts'
import { documentRevisions, listDocuments } from '../../documents/read-documents.ts'
import { editDocument } from '../../documents/write-documents.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { factHistory, factsAround, queryFacts } from '../../facts/read-facts.ts'
import { addFact } from '../../facts/write-facts.ts'
import { listGists } from '../../gists/read-gists.ts'
import { writeGist } from '../../gists/write-gist.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { listNotes } from '../../notes/read-notes.ts'
import { replaceNotes } from '../../notes/write-notes.ts'
import { timeline } from '../../recall/timeline.ts'
import { partitionId, projectName, sessionName } from '../../scope/partition.ts'
import { receipts, saveReceipt } from '../../storage/erase/receipts.ts'
import { type Listed, type ListRequest, mostListedItems } from '../../storage/listed.ts'
import { beginCall, ledger } from '../../storage/log/ledger.ts'
import { noteRun, upkeepRuns } from '../../storage/log/runs.ts'
import { sessions } from '../../storage/log/sessions.ts'
import { countNamedUsers, ensurePartition, ensureProject, findPartition, projects, usersOf } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, prepared, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const acme = partitionId(projectName('acme'), { kind: 'shared' })
const person = { writer: 'person', isTool: false, during: undefined }
const always = { validAt: monday + 1e9, asOf: Number.POSITIVE_INFINITY }

const anyTime = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

/** A list of a store. */
interface StoreList {
  readonly name: string
  /** True when its cursor names the row at which a page ended, instead of a number of rows. */
  readonly isKeyset: boolean
  page(request: ListRequest): Program<Listed<unknown>>
}

/** All lists that the store keeps, of one project and one user. */
export const storeLists: readonly StoreList[] = [
  { name: 'projects', isKeyset: true, page: projects },
  { name: 'users', isKeyset: true, page: (request) => usersOf('acme', request) },
  { name: 'receipts', isKeyset: true, page: receipts },
  { name: 'ledger', isKeyset: true, page: (request) => ledger(undefined, 0, always.validAt, request) },
  { name: 'runs of upkeep', isKeyset: true, page: (request) => upkeepRuns(undefined, 0, always.validAt, request) },
  { name: 'sessions', isKeyset: true, page: (request) => sessions(ada, request) },
  { name: 'gists', isKeyset: true, page: (request) => listGists(ada, request) },
  { name: 'documents', isKeyset: true, page: (request) => listDocuments(ada, request) },
  { name: 'document revisions', isKeyset: true, page: (request) => documentRevisions(ada, 'plan', request) },
  { name: 'notes', isKeyset: true, page: (request) => listNotes(ada, request) },
  { name: 'timeline', isKeyset: true, page: (request) => timeline(ada, { ...request, ...anyTime, order: 'newest' }) },
  { name: 'oldest first', isKeyset: true, page: (request) => timeline(ada, { ...request, ...anyTime, order: 'oldest' }) },
  { name: 'blocks', isKeyset: false, page: (request) => listBlocks(ada, undefined, request) },
  { name: 'block revisions', isKeyset: true, page: (request) => readRevisions(ada, 'plan', undefined, request) },
  {
    name: 'facts',
    isKeyset: false,
    page: (request) => queryFacts(ada, { subject: undefined, predicate: undefined, object: undefined, ...always, ...request }),
  },
  { name: 'history', isKeyset: false, page: (request) => factHistory(ada, { subject: 'Mia', predicate: undefined }, request, monday) },
  { name: 'around', isKeyset: false, page: (request) => factsAround(ada, 'Mia', { hops: 2, ...always, ...request }) },
]

/** One more row for every list, or a change of that row where it exists. */
export interface Row {
  /** The name of its project and user; the names' bytes give the order. */
  readonly name: string
  /** The number of its session, document and block. */
  readonly place: number
  /** The time of writing: several rows may have the same. */
  readonly at: number
}

export async function addRow(store: StoreUnderTest, { name, place, at }: Row): Promise<void> {
  const session = sessionName(`session ${place}`)
  await append(store, ada, session, [prepared(`said in ${place}`, { saidAt: at })])
  const partition = (await store.read(() => findPartition(ada)))?.id
  const work = [{ partition, kind: 'session' as const, due: place, done: 1, failed: 0, failures: [] }]
  await store.write(() => noteRun({ run: uuidv7(at), isAsked: true, beganAt: at, endedAt: at, ms: 1, work }, at))
  await store.write(function* () {
    yield* ensureProject(name, at)
    yield* ensurePartition(userOf('acme', name), at)
    yield* saveReceipt(uuidv7(at), { message: place }, 'done', at)
    const project = yield* ensureProject('acme', at)
    const call = { project, task: 'distil', layers: 1, model: `model ${place}`, tokens: 1 }
    yield* beginCall(call, { calls: undefined, tokens: undefined, since: at }, at)
    yield* writeGist(ada, session, [`Of ${place}.`], at)
    yield* replaceNotes(ada, session, { content: `noted ${at} ${place}`, revision: undefined }, 'person', at)
    const change = { content: `written ${at} ${place}`, description: undefined, maxChars: undefined, revision: undefined }
    for (const [owner, document] of [
      [ada, 'plan'],
      [ada, `document ${place}`],
      [acme, `shared ${place}`],
    ] as const)
      yield* editDocument(owner, document, change, person, at)
    for (const [owner, block] of [
      [ada, 'plan'],
      [ada, `block ${place}`],
      [acme, `shared ${place}`],
    ] as const)
      yield* setBlock(owner, { name: block, session: undefined }, { text: `set ${at} ${place}`, maxChars: undefined }, person, at)
    for (const [subject, object] of [
      ['Mia', `thing ${place}`],
      [`thing ${place}`, 'salt'],
    ] as const)
      yield* addFact(
        ada,
        {
          subject,
          predicate: 'likes',
          object,
          validFrom: null,
          validUntil: null,
          confidence: 1,
          single: false,
          dependsOn: [],
          sources: [],
        },
        at,
      )
  })
}

/** Joins all pages of a list; calls `between` once, after the first page. */
async function joined(store: StoreUnderTest, { page }: StoreList, limit: number, between?: () => Promise<void>): Promise<unknown[]> {
  const found: unknown[] = []
  let cursor: string | undefined
  do {
    const request = { limit, cursor }
    const { items, cursor: next } = await store.read(() => page(request))
    equal(next === undefined ? items.length <= limit : items.length === limit, true)
    found.push(...items)
    if (cursor === undefined) await between?.()
    cursor = next
  } while (cursor !== undefined)
  return found
}

export async function checkPages(store: StoreUnderTest, each: readonly number[]): Promise<void> {
  for (const list of storeLists) {
    const { items: whole, cursor } = await store.read(() => list.page({ limit: mostListedItems / 10 }))
    equal(cursor, undefined, list.name)
    for (const limit of each) deepEqual(await joined(store, list, limit), whole, `${list.name}, ${limit} at a time`)
  }
}

/** Checks that rows from before and after a change between two pages are listed once each. */
export async function checkChanged(store: StoreUnderTest, limit: number, rows: readonly Row[]): Promise<void> {
  for (const list of storeLists.filter(({ isKeyset }) => isKeyset)) {
    const read = async (): Promise<string[]> => {
      const { items } = await store.read(() => list.page({ limit: mostListedItems / 10 }))
      return items.map((item) => JSON.stringify(item))
    }
    const before = await read()
    const told = (
      await joined(store, list, limit, async () => {
        for (const row of rows) await addRow(store, row)
      })
    ).map((item) => JSON.stringify(item))
    const after = new Set(await read())
    const stayed = before.filter((item) => after.has(item))
    deepEqual(
      told.filter((item) => stayed.includes(item)),
      stayed,
      list.name,
    )
  }
}

export const listChecks: readonly ProgramCheck[] = [
  {
    name: 'the pages of a list join to the whole list, with one, two or three items a page',
    async run(store) {
      for (const place of [0, 1, 2, 3]) await addRow(store, { name: `user ${place}`, place, at: monday + Math.floor(place / 2) })
      await checkPages(store, [1, 2, 3])
    },
  },
  {
    name: 'a write between two pages hides no other row of a list',
    async run(store) {
      for (const place of [0, 1, 2, 3]) await addRow(store, { name: `user ${place}`, place, at: monday })
      await checkChanged(store, 2, [
        { name: 'about', place: 0, at: monday + 1 },
        { name: 'zoe', place: 9, at: monday + 1 },
      ])
    },
  },
  {
    name: 'projects and users are listed in the order of their bytes, and named users are counted',
    async run(store) {
      const names = ['zoe', 'Zoe', 'ada', '\u{10ffff}', 'é', '\ufffd', 'a%']
      for (const name of names) {
        await store.write(() => ensureProject(name, monday))
        await store.write(() => ensurePartition(userOf('zoe', name), monday))
      }
      await store.write(() => ensurePartition(partitionId(projectName('zoe'), { kind: 'anonymous' }), monday))
      const inOrder = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      deepEqual(await joined(store, { name: 'users', isKeyset: true, page: (request) => usersOf('zoe', request) }, 1), inOrder)
      deepEqual(
        (await store.read(() => projects({ limit: 10 }))).items.map(({ name }) => name),
        inOrder,
      )
      deepEqual([await store.read(() => countNamedUsers('zoe')), await store.read(() => countNamedUsers('ada'))], [names.length, 0])
    },
  },
  {
    name: 'a list refuses a limit out of bounds, a garbled cursor, and a cursor of another list',
    async run(store) {
      for (const place of [0, 1]) await addRow(store, { name: `user ${place}`, place, at: monday })
      const cursors = new Map<StoreList, string>()
      for (const list of storeLists) cursors.set(list, (await store.read(() => list.page({ limit: 1 }))).cursor ?? '')
      for (const [list, own] of cursors) {
        for (const limit of [0, 1.5, mostListedItems + 1])
          await rejects(
            store.read(() => list.page({ limit })),
            InvalidOption,
          )
        const others = [...cursors.values()].filter((cursor) => cursor !== own)
        for (const cursor of ['', 'nonsense', `${own} `, `${own}\n`, own.replace(':', ''), ...others])
          await rejects(
            store.read(() => list.page({ limit: 1, cursor })),
            InvalidOption,
            `${list.name}: ${cursor}`,
          )
      }
    },
  },
]
