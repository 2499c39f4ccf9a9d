import { describe, expect, test } from 'vitest'
import { blockWrites } from '../../packages/varve/src/blocks/writes.ts'
import { setBlock } from '../../packages/varve/src/blocks/write-block.ts'
import { editDocumentAhead, deleteDocumentAhead } from '../../packages/varve/src/documents/write-documents.ts'
import { checkedFact } from '../fixtures/facts/checked.ts'
import { addFact, mergeEntities } from '../../packages/varve/src/facts/write-facts.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { deleteProjectInTurns, forgetInTurns } from '../../packages/varve/src/privacy/forgetting.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { epochsOf } from '../../packages/varve/src/storage/epochs.ts'
import { turnBounds } from '../../packages/varve/src/storage/erase/turns.ts'
import { saveContext } from '../../packages/varve/src/storage/log/contexts.ts'
import type { ShownContext } from '../../packages/varve/src/storage/log/past-contexts.ts'
import { monday } from '../../packages/varve/src/testing/store/check.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'

const acme = projectName('acme')
const [ada, bob] = [partitionId(acme, { kind: 'user', name: 'ada' }), partitionId(acme, { kind: 'user', name: 'bob' })]
const project = partitionId(acme, { kind: 'shared' })
const talk = sessionName('talk')
const mood = { name: 'mood', session: talk }
const sessions = 120
const perSession = 10
const byHand = { writer: 'person', isTool: false, during: undefined }
const unbounded = { description: undefined, maxChars: undefined, revision: undefined }

const sessionOf = (at: number) => sessionName(`s${at}`)

async function show(
  place: CountingPlace,
  partition: typeof ada,
  session: string,
  ids: readonly string[],
  shown?: ShownContext,
): Promise<void> {
  const epochs = await place.read(epochsOf(partition))
  const record = { id: uuidv7(monday), messages: ids, shingles: new Uint8Array(8), epochs, ...(shown === undefined ? {} : { shown }) }
  await place.write(() => saveContext(partition, sessionName(session), record, monday))
}

/** Gives a record from which a context with these items can be shown again. */
function shownAgain(ids: readonly string[]): ShownContext {
  const items = ids.map((id, group) => ({ id, tokens: 9, group, hash: 'abcdefghijk' }))
  const sections = [{ tier: 'details', tokens: 20, items }]
  return { question: 'q', maxTokens: 400, tokens: 20, text: 't', tiers: {}, sections, omitted: [], cuts: [] }
}

/**
 * Makes a store with a message, a fact from it, a block and two documents. Two users have more than a thousand
 * contexts; every seventh of them showed one of these.
 */
async function crowded() {
  const place = new CountingPlace()
  const [first, other] = await logWrites.append(
    place,
    ada,
    talk,
    ['the ferry leaves', 'the kiosk opens'].map((content) => ({
      role: 'user' as const,
      origin: 'person' as const,
      name: null,
      externalId: null,
      thread: null,
      parts: null,
      metadata: null,
      content,
      saidAt: 5,
    })),
  )
  const [message = '', kept = ''] = [first?.id, other?.id]
  const fact = await place.write(() => addFact(ada, checkedFact({ predicate: 'likes', object: 'ferries', sources: [{ message }] }), monday))
  const own = (await editDocumentAhead(place, ada, 'plan', { ...unbounded, content: 'The plan is long.' }, byHand, monday)).id
  const shared = (await editDocumentAhead(place, project, 'rules', { ...unbounded, content: 'The rules are short.' }, byHand, monday)).id
  const { id: block } = await place.write(() =>
    setBlock(ada, mood, { text: 'calm', maxChars: undefined }, { writer: 'person', during: undefined }, monday),
  )
  const shown = { message, fact, own, shared, block }
  for (let at = 0; at < sessions * perSession; at += 1) {
    const what = Object.values(shown)[at % 5] ?? ''
    await show(place, at % 3 === 0 ? bob : ada, sessionOf(at % sessions), at % 7 === 0 ? [kept, what] : [kept])
  }
  place.transactions = []
  return { place, kept, ...shown }
}

type Crowd = Awaited<ReturnType<typeof crowded>>

/** Counts the contexts, of all owners or of one, that showed one of some ids. */
function showing({ place }: Crowd, ids: readonly string[], owner?: string): number {
  const contexts = place.connection
    .prepare<[], { items: string; owner: string }>(
      'SELECT c.items, p.owner FROM context_record c JOIN partition p ON p.id = c.partition_id',
    )
    .all()
  return contexts.filter((one) => (owner === undefined || one.owner === owner) && ids.some((id) => one.items.includes(id))).length
}

/** The calls that erase, and the contexts that go with each. */
const erasing: Readonly<
  Record<
    string,
    {
      readonly erase: (crowd: Crowd) => Promise<unknown>
      readonly gone: (crowd: Crowd) => readonly [ids: readonly string[], owner?: string]
    }
  >
> = {
  'a forget of a message': {
    erase: ({ place, message }) => forgetInTurns(place, ada, { messages: [message] }),
    gone: ({ message, fact }) => [[message, fact], 'ada'],
  },
  'a deleted block': { erase: ({ place }) => blockWrites.delete(place, ada, mood), gone: ({ block }) => [[block], 'ada'] },
  'a replaced message': {
    erase: ({ place, message }) => logWrites.replace(place, ada, message, 'the ferry stays'),
    gone: ({ message, fact }) => [[message, fact], 'ada'],
  },
  'a deleted document': {
    erase: ({ place }) => deleteDocumentAhead(place, ada, { name: 'plan' }, uuidv7(monday), monday),
    gone: ({ own }) => [[own], 'ada'],
  },
  'a deleted document of the project': {
    erase: ({ place }) => deleteDocumentAhead(place, project, { name: 'rules' }, uuidv7(monday), monday),
    gone: ({ shared }) => [[shared]],
  },
}

describe.each(Object.entries(erasing))('%s', (_, { erase, gone }) => {
  // requirement: P3.7
  test('takes the contexts that showed it, no other, and no transaction looks through all of them', async () => {
    const crowd = await crowded()
    using place = crowd.place
    const [ids, owner] = gone(crowd)
    const [all, doomed] = [showing(crowd, [crowd.kept]), showing(crowd, ids, owner)]
    expect(doomed).toBeGreaterThan(15)
    await erase(crowd)
    expect(showing(crowd, [crowd.kept])).toBe(all - doomed)
    expect(showing(crowd, ids, owner)).toBe(0)
    expect(place.most('changed')).toBeLessThanOrEqual(3 * turnBounds.contexts)
    // A replaced message is compared with the newest 100 contexts, and a receipt has its signature. All contexts are over 10,000.
    expect(place.most('read')).toBeLessThan(2_000)
  })
})

test('a context that is noted while others are looked through goes with what it showed', async () => {
  const crowd = await crowded()
  using place = crowd.place
  place.before = async () => {
    place.before = async () => undefined
    await show(place, ada, 'late', [crowd.message])
  }
  await forgetInTurns(place, ada, { messages: [crowd.message] })
  expect(showing(crowd, [crowd.message], 'ada')).toBe(0)
})

test('a session takes those with it that showed its messages, its block or what was made of it', async () => {
  const crowd = await crowded()
  using place = crowd.place
  const gone = [crowd.message, crowd.kept, crowd.fact, crowd.block]
  const [all, doomed] = [showing(crowd, gone), showing(crowd, gone, 'ada')]
  const { receipt } = await forgetInTurns(place, ada, { session: talk })
  expect(receipt.counts).toEqual({ message: 2, session: 1, fact: 1, block: 1, context: doomed })
  expect(showing(crowd, gone)).toBe(all - doomed)
  expect(place.most('read')).toBeLessThan(1_000)
})

test('where names were merged, all contexts of the user go with a fact, some at a time; only those that showed it count', async () => {
  const crowd = await crowded()
  using place = crowd.place
  await place.write(() => addFact(ada, checkedFact({ subject: 'Mira', predicate: 'likes', object: 'ferries' }), monday))
  await place.write(() => mergeEntities(ada, 'Mira', 'Mirabel', monday))
  const counted = showing(crowd, [crowd.message, crowd.fact], 'ada')
  place.transactions = []
  const { receipt } = await forgetInTurns(place, ada, { messages: [crowd.message] })
  expect(receipt.counts).toEqual({ message: 1, fact: 1, context: counted })
  expect(showing(crowd, [crowd.kept], 'ada')).toBe(0)
  expect(place.most('changed')).toBeLessThanOrEqual(2 * turnBounds.contexts)
})

test('with all of a user, or of a project, go all contexts, some at a time', async () => {
  const crowd = await crowded()
  using place = crowd.place
  const [ofAda, ofBob] = [showing(crowd, [crowd.kept], 'ada'), showing(crowd, [crowd.kept], 'bob')]
  expect((await forgetInTurns(place, ada, { all: true })).receipt.counts).toMatchObject({ context: ofAda })
  expect(showing(crowd, [crowd.kept])).toBe(ofBob)
  await deleteProjectInTurns(place, acme, { ...turnBounds, contexts: 100 })
  expect(place.rows('SELECT id FROM context_record')).toEqual([])
  expect(place.most('changed')).toBeLessThanOrEqual(2 * turnBounds.contexts)
})

test('of more than 500 contexts that can be shown again, some at a time lose what was deleted, and keep the rest', async () => {
  const crowd = await crowded()
  using place = crowd.place
  const members = Array.from({ length: 5 }, (_, at) => partitionId(acme, { kind: 'user', name: `member ${at}` }))
  await Promise.all(
    members.map((member) => place.write(() => addFact(member, checkedFact({ predicate: 'likes', object: 'ferries' }), monday))),
  )
  const ids = [crowd.kept, crowd.shared]
  for (let at = 0; at < 600; at += 1) await show(place, members[at % 5] ?? ada, sessionOf(at % sessions), ids, shownAgain(ids))
  const kept = 'SELECT id FROM context_record WHERE shown IS NOT NULL'
  expect(place.rows(`${kept} AND shown LIKE '%${crowd.shared}%'`)).toHaveLength(600)
  place.transactions = []
  await deleteDocumentAhead(place, project, { name: 'rules' }, uuidv7(monday), monday)
  expect(place.rows(kept)).toHaveLength(600)
  expect(place.rows(`SELECT id FROM context_record WHERE shown LIKE '%${crowd.shared}%' OR items LIKE '%${crowd.shared}%'`)).toEqual([])
  expect(place.rows(`${kept} AND items LIKE '%${crowd.kept}%' AND length(shingles) = 0`)).toHaveLength(600)
  expect(place.most('changed')).toBeLessThanOrEqual(3 * turnBounds.contexts)
})
