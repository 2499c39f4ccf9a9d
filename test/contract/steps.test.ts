import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkedFact } from '../fixtures/facts/checked.ts'
import { addFact } from '../../packages/varve/src/facts/write-facts.ts'
import { Segments } from '../../packages/varve/src/index/segments.ts'
import { recall } from '../../packages/varve/src/recall/recall.ts'
import { recallRequest } from '../../packages/varve/src/recall/request.ts'
import { foundAt } from '../../packages/varve/src/storage/epochs.ts'
import { migrate } from '../../packages/varve/src/storage/sqlite/migrate.ts'
import { openMemory } from '../../packages/varve/src/index.ts'
import { privacyWrites } from '../../packages/varve/src/privacy/writes.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { itemTerms } from '../../packages/varve/src/index/item-terms.ts'
import { claim } from '../../packages/varve/src/storage/claims.ts'
import { storeParts } from '../../packages/varve/src/storage/derived/distilled.ts'
import type { NewPart } from '../../packages/varve/src/storage/derived/part-stores.ts'
import { forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import type { ReadFacts } from '../../packages/varve/src/storage/known/known.ts'
import { bitOf } from '../../packages/varve/src/storage/layers.ts'
import { findBoth } from '../../packages/varve/src/storage/log/sessions.ts'
import { findKnownOf } from '../../packages/varve/src/storage/partitions.ts'
import type { WritingHere } from '../../packages/varve/src/storage/here.ts'
import { appendMessages, nothingAsked, type Prepare } from '../../packages/varve/src/storage/log/append.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { runStep } from '../../packages/varve/src/storage/sqlite/execute.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { awaiting } from '../../packages/varve/src/testing/awaiting.ts'
import { asPrepared, monday, prepared } from '../../packages/varve/src/testing/store/check.ts'

// The cost for an engine over a network: each step is a round trip.

const mostToForget = 24
/** Its looks before and after included. */
const mostOfCall = 16
const mostToAppend = 12
const mostToStore = 5
const messages = 24

const ada = partitionId(projectName('default'), { kind: 'user', name: 'ada' })
const receipt = '01890a5d-ac96-774b-bcce-b302099a8057'

const talk = Array.from({ length: messages }, (_, at) => ({
  role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content:
    at % 2 === 0
      ? `Our barge number ${at} is painted green. My sister Mira lives in Bergen. I live in Kiel. I work at Harbour ${at}.`
      : 'Noted.',
  ...(at % 2 === 0 ? { name: `Crew ${at}` } : {}),
}))

/** A part that a model reads of a session, with facts that nobody stated before. */
function partOf(session: number, facts: number): NewPart {
  const range = { from: 1, to: 6, messages: 6, sitting: '2026-01-05', firstAt: monday, lastAt: monday }
  const known = Array.from({ length: facts }, (_, at): ReadFacts['facts'][number] => ({
    ...{ says: 'is', subject: 'Mira', predicate: 'paints', object: `barge ${at}`, subjectKey: 'mira', predicateKey: 'paints' },
    ...{ objectKey: `barge ${at}`, insteadKey: null, validFrom: null, validUntil: null, saidAt: monday, confidence: 1 },
    ...{ single: false, phrase: null, whenFrom: null, whenTo: null, dependsOn: [], writer: 'model', session },
    sources: [{ session, seq: 1, from: 0, to: 3 }],
    restsOn: at === 0 ? [] : [at - 1],
    ...itemTerms(`Mira paints barge ${at}`, 'en'),
  }))
  return { ...range, layer: bitOf('facts'), sentences: [], writer: 'model', provisional: false, known: { facts: known, refused: 0 } }
}

/** A program's result on a connection, and its cost. */
interface Counted<Result> {
  readonly result: Result
  readonly steps: number
  readonly queries: number
}

/** Runs a program as over a network, and rolls back. */
async function counted<Result>(connection: Connection, program: Program<Result>): Promise<Counted<Result>> {
  let [steps, queries] = [0, 0]
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = await awaiting(program, (step) => {
      steps += 1
      queries += 'list' in step ? step.list.length : 1
      return runStep(connection, step)
    })
    return { result, steps, queries }
  } finally {
    connection.exec('ROLLBACK')
  }
}

/** Runs a program, and commits. */
async function written(connection: Connection, program: Program<unknown>): Promise<void> {
  await awaiting(program, (step) => runStep(connection, step))
}

const batch = (from: number): ReturnType<typeof asPrepared> =>
  asPrepared(talk.map(({ content }, at) => prepared(content, { externalId: `m${from + at}` })))

/** Calls a function that writes as over a network, and rolls back. A transaction of its own takes no further step. */
async function countedCall<Result>(connection: Connection, call: (here: WritingHere) => Promise<Result>): Promise<Counted<Result>> {
  let [steps, queries] = [0, 0]
  const run = <Value>(program: Program<Value>): Promise<Value> =>
    awaiting(program, (step) => {
      steps += 1
      queries += 'list' in step ? step.list.length : 1
      return runStep(connection, step)
    })
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = await call({
      ...{ now: monday, key: 'key', segmentBytes: 1 },
      read: run,
      write: (program) => run(program()),
      keep: (_kind, make) => make(),
      eraseBytes: async () => undefined,
      makeRoom: async () => false,
    })
    return { result, steps, queries }
  } finally {
    connection.exec('ROLLBACK')
  }
}

describe('a session of 24 messages, with its gist, its bank entry, facts, documents, notes and a block', () => {
  let connection: Connection

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-test-'))
    const store = join(folder, 'varve.db')
    const memory = await openMemory({
      store,
      upkeep: 'manual',
      embeddingModel: false,
      isolation: 'silent',
      layers: { gists: true, bank: true, facts: true, documents: true, notes: true },
      logger: { warn: () => undefined },
    })
    const handle = memory.for('ada')
    await handle.append(
      'monday',
      talk.map((message, at) => ({ ...message, id: `m${at}` })),
    )
    await handle.append('tuesday', talk.slice(0, 6))
    await memory.upkeep.run({ all: true })
    await handle.documents.memorize('monday')
    await memory.for('grace').append('monday', talk)
    await handle.blocks.set('plan', 'paint the barge', { session: 'monday' })
    await handle.context({ session: 'monday', query: 'barge', maxTokens: 1_000 })
    await memory.close()
    connection = openConnection(store)
    return () => {
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test(`is forgotten in at most ${mostToForget} steps`, async () => {
    const { result, steps, queries } = await counted(connection, forget(ada, { session: sessionName('monday') }, receipt, monday))
    expect(result.receipt.counts).toMatchObject({ message: messages, session: 1, gist: 1, bank: 1, block: 1, context: expect.any(Number) })
    expect(result.receipt.counts['fact']).toBeGreaterThan(5)
    expect(result.receipt.counts['document']).toBeGreaterThan(5)
    expect(queries).toBeGreaterThan(messages)
    expect(steps).toBeLessThanOrEqual(mostToForget)
  })

  test(`another user’s, without documents and blocks, is forgotten by a call of at most ${mostOfCall} steps`, async () => {
    const grace = partitionId(projectName('default'), { kind: 'user', name: 'grace' })
    const { result, steps } = await countedCall(connection, (here) => privacyWrites.forget(here, grace, { session: sessionName('monday') }))
    expect(result.receipt.counts).toMatchObject({ message: messages, session: 1 })
    expect(steps).toBeLessThanOrEqual(mostOfCall)
  })

  test(`is forgotten message by message in at most ${mostToForget} steps`, async () => {
    const ids = connection
      .prepare<[], { id: string }>(
        "SELECT lower(hex(uuid)) AS id FROM message WHERE session_id = (SELECT id FROM session WHERE external_id = 'monday')",
      )
      .all()
    const dashed = ids.map(({ id }) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
    const { result, steps } = await counted(connection, forget(ada, { messages: dashed }, receipt, monday))
    expect(result.receipt.counts).toMatchObject({ message: messages })
    expect(steps).toBeLessThanOrEqual(mostToForget)
  })

  test(`grows by 24 messages, of which the session has half already, in at most ${mostToAppend} steps`, async () => {
    const { result, steps } = await counted(connection, appendMessages(ada, sessionName('monday'), batch(messages / 2), monday))
    expect(result.map(({ duplicate }) => duplicate)).toEqual(talk.map((_, at) => at < messages / 2))
    expect(result.map(({ seq }) => seq)).toEqual(talk.map((_, at) => at + 1 + messages / 2))
    expect(steps).toBeLessThanOrEqual(mostToAppend)
  })

  test('a message to a session that was written to before takes 2 steps, also with what the session was shown', async () => {
    const session = sessionName('monday')
    const told: (number | undefined)[] = []
    const append = () =>
      appendMessages(
        ada,
        session,
        (owner, row, contexts) => {
          told.push(contexts?.here.length)
          return asPrepared([prepared('the barge leaves')])(owner, row)
        },
        monday,
        { ...nothingAsked, looksAround: true },
      )
    await counted(connection, appendMessages(ada, session, batch(0), monday))
    const { result, steps } = await counted(connection, append())
    expect(result).toHaveLength(1)
    expect(told).toEqual([1])
    expect(steps).toBe(2)
  })

  test('what was read ahead of another partition than the user’s counts for nothing', async () => {
    const other = openConnection(':memory:')
    migrate(other, { file: ':memory:', now: 0, identity: { id: 'other', key: 'key' } })
    const bob = partitionId(projectName('default'), { kind: 'user', name: 'bob' })
    const say = (content: string) => asPrepared([prepared(content)])
    await counted(connection, appendMessages(ada, sessionName('monday'), batch(0), monday))
    // In this store, ada’s number of the first one is bob’s, or nobody’s.
    for (const one of [bob, partitionId(projectName('default'), { kind: 'user', name: 'carol' }), ada])
      await written(other, appendMessages(one, sessionName('monday'), say('the first words'), monday))
    await counted(connection, appendMessages(ada, sessionName('monday'), batch(0), monday))
    const told: unknown[] = []
    const prepare: Prepare = (owner, row, contexts) => {
      told.push(contexts)
      return say('her own')(owner, row)
    }
    await written(other, appendMessages(ada, sessionName('monday'), prepare, monday, { ...nothingAsked, looksAround: true }))
    expect(told).toEqual([undefined])
    const stored = other
      .prepare("SELECT partition.owner FROM message JOIN partition ON partition.id = partition_id WHERE content = 'her own'")
      .all()
    expect(stored).toEqual([{ owner: 'ada' }])
    other.close()
  })

  test('a recall by words that finds no fact takes 2 steps', async () => {
    const segments = new Segments(64 * 1024 * 1024)
    const ask = (query: string) => foundAt(ada, recall(segments, ada, recallRequest({ query }, monday)))
    await counted(connection, ask('barge'))
    const { result, steps } = await counted(connection, ask('noted'))
    expect(result.found.hits.length).toBeGreaterThan(5)
    expect(steps).toBe(2)
  })

  test(`a new user’s first 24 messages take at most ${mostToAppend} steps`, async () => {
    const bob = partitionId(projectName('other'), { kind: 'user', name: 'bob' })
    const { result, steps, queries } = await counted(connection, appendMessages(bob, sessionName('monday'), batch(0), monday))
    expect(result.map(({ seq }) => seq)).toEqual(talk.map((_, at) => at + 1))
    expect(queries).toBeGreaterThan(2 * messages)
    expect(steps).toBeLessThanOrEqual(mostToAppend)
  })

  test(`the facts of a part are stored in at most ${mostToStore} steps, however many they are`, async () => {
    const storing = function* (facts: number): Program<number> {
      const { owner, row } = yield* findBoth(ada, sessionName('tuesday'))
      const place = { partition: owner?.id ?? 0, session: row?.id ?? 0 }
      const holder = { holder: 'one', now: monday, until: monday + 1 }
      yield* claim('session', { ref: place.session, partition: place.partition }, holder)
      const before = (yield* findKnownOf(place.partition))?.messages ?? 0
      const read = { ...place, epoch: row?.epoch ?? 0, holder: 'one', layers: bitOf('facts') }
      expect(yield* storeParts(read, [partOf(place.session, facts)], monday, monday + 1)).toBe(true)
      return ((yield* findKnownOf(place.partition))?.messages ?? 0) - before
    }
    await counted(connection, findBoth(ada, sessionName('tuesday')))
    const [few, many] = [await counted(connection, storing(1)), await counted(connection, storing(40))]
    expect([few.result, many.result]).toEqual([1, 40])
    expect(many.queries).toBeGreaterThan(few.queries + 39 * 3)
    expect(many.steps).toBe(few.steps)
    // Claiming takes two steps, and these looks four.
    expect(many.steps).toBeLessThanOrEqual(mostToStore + 6)
  })

  test('all of a user is forgotten in steps that do not grow with the messages', async () => {
    const { result, steps } = await counted(connection, forget(ada, { all: true }, receipt, monday))
    expect(result.receipt.counts).toMatchObject({ message: messages + 6, session: 2 })
    expect(steps).toBeLessThanOrEqual(3 * mostToForget)
  })

  test('a fact is added in as many steps, however many facts it rests on at last', async () => {
    const chain = function* (length: number): Program<number> {
      let last: string | undefined
      let took = 0
      for (let at = 0; at < length; at += 1) {
        took = 0
        const added = addFact(
          ada,
          checkedFact({ predicate: 'decided to', object: `step ${at}`, ...(last === undefined ? {} : { dependsOn: [last] }) }),
          monday,
        )
        for (let next = added.next(); ; next = added.next(yield next.value)) {
          if (next.done === true) {
            last = next.value
            break
          }
          took += 1
        }
      }
      return took
    }
    expect((await counted(connection, chain(40))).result).toBe((await counted(connection, chain(2))).result)
  })
})
