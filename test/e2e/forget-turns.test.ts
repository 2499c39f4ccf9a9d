import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDocumentAhead } from '../../packages/varve/src/documents/write-documents.ts'
import { MemoryClosed } from '../../packages/varve/src/errors/memory-closed.ts'
import { NotFound } from '../../packages/varve/src/errors/not-found.ts'
import { checkedFact } from '../fixtures/facts/checked.ts'
import { addFact, correctFact } from '../../packages/varve/src/facts/write-facts.ts'
import { uuidv7 } from '../../packages/varve/src/ids/uuid.ts'
import { logWrites } from '../../packages/varve/src/log/writes.ts'
import { deleteProjectInTurns, forgetInTurns } from '../../packages/varve/src/privacy/forgetting.ts'
import { partitionId, projectName, sessionName } from '../../packages/varve/src/scope/partition.ts'
import { epochsOf } from '../../packages/varve/src/storage/epochs.ts'
import { type Erasure, eraseProject, forget } from '../../packages/varve/src/storage/erase/erasure.ts'
import { newReceipt } from '../../packages/varve/src/storage/erase/erases.ts'
import type { ForgetSelection } from '../../packages/varve/src/storage/erase/forget-selection.ts'
import { claimErasures, receipts } from '../../packages/varve/src/storage/erase/receipts.ts'
import { turnBounds } from '../../packages/varve/src/storage/erase/turns.ts'
import { tombstoneBounds } from '../../packages/varve/src/storage/segment/tombstones.ts'
import { saveContext } from '../../packages/varve/src/storage/log/contexts.ts'
import { appendMessages } from '../../packages/varve/src/storage/log/append.ts'
import { asPrepared, monday, prepared } from '../../packages/varve/src/testing/store/check.ts'
import { fewRuns } from '../../packages/varve/src/testing/runs.ts'
import { held } from '../fixtures/bounded/held.ts'
import { CountingPlace } from '../fixtures/bounded/place.ts'
import { note, tell, workAllIn } from '../fixtures/pages/engine.ts'

const acme = projectName('acme')
const userOf = (name: string) => partitionId(acme, { kind: 'user', name })
const ada = userOf('ada')
const talk = sessionName('talk')
/** Bounds so small that a forget of a few messages takes several transactions. */
const small = { messages: 2, bytes: 60, facts: 2, pages: 1, contexts: 1, sessions: 1, partitions: 1 }

interface Said {
  readonly session: number
  readonly subject: 'bakery' | 'ferry'
  readonly facts: number
  readonly after: 'nothing' | 'context' | 'work in' | 'note' | 'by hand' | 'correct'
}

const sessionOf = (session: number) => sessionName(`s${session}`)

/** Makes a store with some talk and items made from it; gives the ids of the messages. */
async function told(said: readonly Said[]): Promise<{ place: CountingPlace; ids: readonly string[] }> {
  const place = new CountingPlace()
  const ids: string[] = []
  for (const [at, { session, subject, facts, after }] of said.entries()) {
    const [id = ''] = await place.write(() => tell(ada, sessionOf(session), [{ subject, fact: `It is number ${at} of the ${subject}.` }]))
    ids.push(id)
    let fact = ''
    for (let one = 0; one < facts; one += 1) {
      fact = await place.write(() =>
        addFact(ada, checkedFact({ predicate: 'likes', object: `thing ${(at + one) % 5}`, sources: [{ message: id }] }), monday + at),
      )
    }
    if (after === 'context') {
      const record = { id: uuidv7(monday), messages: [id], shingles: new Uint8Array(8), epochs: await place.read(epochsOf(ada)) }
      await place.write(() => saveContext(ada, sessionOf(session), record, monday))
    } else if (after === 'work in') await place.write(() => workAllIn(ada, at % 2 === 0 ? 'extractive' : 'model'))
    else if (after === 'note') await place.write(() => note(ada, sessionOf(session), 'extractive'))
    else if (after === 'by hand')
      await place.write(() => addFact(ada, checkedFact({ predicate: 'likes', object: `thing ${at % 5}` }), monday + at))
    else if (after === 'correct' && fact !== '')
      await place.write(() => correctFact(ada, fact, { object: `thing ${at + 7}` }, monday + at + 1))
  }
  return { place, ids }
}

const saidOne: fc.Arbitrary<Said> = fc.record({
  session: fc.nat(2),
  subject: fc.constantFrom('bakery', 'ferry'),
  facts: fc.nat(3),
  after: fc.constantFrom('nothing', 'context', 'work in', 'note', 'by hand', 'correct'),
})

const selections: readonly ((ids: readonly string[]) => ForgetSelection)[] = [
  () => ({ all: true }),
  () => ({ session: sessionOf(0) }),
  () => ({ before: monday + 1 }),
  (ids) => ({ messages: ids.filter((_, at) => at % 3 !== 1) }),
  (ids) => ({ messages: ids, session: sessionOf(0) }),
]

test('what is forgotten in many transactions is what one would have taken out, and is counted the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(saidOne, { minLength: 1, maxLength: 12 }), fc.constantFrom(...selections), async (said, select) => {
      const { place, ids } = await told([{ session: 0, subject: 'ferry', facts: 1, after: 'note' }, ...said])
      using inTurns = place
      using atOnce = new CountingPlace(place.copy())
      const selection = select(ids)
      const { receipt } = await atOnce.write(() =>
        forget(ada, selection, newReceipt(monday, { what: 'messages', of: ada, selection }), monday),
      )
      const erasure = await forgetInTurns(inTurns, ada, selection, small)
      expect(erasure.receipt).toEqual({ ...receipt, id: erasure.receipt.id, signatures: erasure.receipt.signatures })
      expect(held(inTurns)).toEqual(held(atOnce))
    }),
    { numRuns: fewRuns(150) },
  )
})

test('a forget that was broken off anywhere leaves no word once it was asked for again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(saidOne, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...selections),
      fc.nat(40),
      async (said, select, at) => {
        const { place, ids } = await told([{ session: 0, subject: 'ferry', facts: 1, after: 'note' }, ...said])
        using inTurns = place
        const selection = select(ids)
        inTurns.transactions = []
        failing(inTurns, at)
        await forgetInTurns(inTurns, ada, selection, small).catch((error: unknown) => expect(error).toBeInstanceOf(MemoryClosed))
        inTurns.before = async () => undefined
        // The named message may be gone: the others go by their places.
        await forgetInTurns(inTurns, ada, selection, small).catch((error: unknown) => expect(error).toBeInstanceOf(NotFound))
        const standing = inTurns.rows('SELECT content FROM message').length
        const text = JSON.stringify(held(inTurns))
        const spoken = ids.filter((_, number) => text.includes(`It is number ${number} of the`)).length
        expect(spoken).toBeLessThanOrEqual(standing)
      },
    ),
    { numRuns: fewRuns(100) },
  )
})

test('a forget leaves no word of what it means, whichever document is edited meanwhile', async () => {
  const byHand = { writer: 'person', isTool: false, during: undefined }
  const line = { edits: [{ tool: 'append' as const, text: '- by hand' }], description: undefined, maxChars: undefined, revision: undefined }
  await fc.assert(
    fc.asyncProperty(
      fc.array(saidOne, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...selections),
      fc.nat(20),
      async (said, select, at) => {
        const { place, ids } = await told([{ session: 0, subject: 'ferry', facts: 0, after: 'work in' }, ...said])
        using inTurns = place
        inTurns.transactions = []
        inTurns.before = async (n) => {
          if (n !== at) return
          inTurns.before = async () => undefined
          for (const name of ['bakery', 'ferry']) await editDocumentAhead(inTurns, ada, name, line, byHand, monday)
        }
        await forgetInTurns(inTurns, ada, select(ids), small)
        const standing = inTurns.rows('SELECT content FROM message').length
        const text = JSON.stringify(held(inTurns))
        expect(ids.filter((_, number) => text.includes(`It is number ${number} of the`)).length).toBeLessThanOrEqual(standing)
      },
    ),
    { numRuns: fewRuns(100) },
  )
})

/** Makes messages of some users, each in a session of its own. */
async function crowd(users: number, messages: number): Promise<CountingPlace> {
  const place = new CountingPlace()
  for (let user = 0; user < users; user += 1) {
    for (let at = 0; at < messages; at += 1) {
      await place.write(() =>
        appendMessages(userOf(`user ${user}`), sessionOf(at), asPrepared([prepared(`number ${at} of ${user}`)]), monday),
      )
    }
  }
  return place
}

test('a project is deleted in many transactions as in one', async () => {
  using inTurns = await crowd(4, 5)
  using atOnce = new CountingPlace(inTurns.copy())
  const { receipt } = await atOnce.write(() => eraseProject('acme', newReceipt(monday, { what: 'project', project: 'acme' }), monday))
  const erasure = await deleteProjectInTurns(inTurns, acme, small)
  expect(erasure.receipt).toEqual({ ...receipt, id: erasure.receipt.id, signatures: erasure.receipt.signatures })
  expect(receipt.counts).toEqual({ message: 20, session: 20, partition: 4 })
  expect(held(inTurns)).toEqual(held(atOnce))
  await expect(deleteProjectInTurns(inTurns, acme, small)).rejects.toThrow(NotFound)
})

const spoken = (count: number, length = 1) =>
  Array.from({ length: count }, (_, at) => ({
    role: 'user' as const,
    origin: 'person' as const,
    name: null,
    externalId: null,
    thread: null,
    parts: null,
    metadata: null,
    content: `It is number ${at} of the ferry, `.repeat(length),
    saidAt: 5,
  }))

/** Large cases: many messages, long ones, many facts under one, many facts by hand, many sessions. */
const large: Readonly<Record<string, (place: CountingPlace) => Promise<ForgetSelection>>> = {
  'a session of 3,000 messages': async (place) => {
    for (let at = 0; at < 3; at += 1) await logWrites.append(place, ada, talk, spoken(1_000))
    return { session: talk }
  },
  'messages of 12 MiB': async (place) => {
    for (let at = 0; at < 12; at += 1) await logWrites.append(place, ada, talk, spoken(1, 35_000))
    return { before: 6 }
  },
  'one message under 1,200 facts': async (place) => {
    const [message] = await logWrites.append(place, ada, talk, spoken(1))
    for (let at = 0; at < 1_200; at += 1) {
      const fact = checkedFact({ predicate: `likes ${at % 40}`, object: `thing ${at}`, sources: [{ message: message?.id ?? '' }] })
      await place.write(() => addFact(ada, fact, monday))
    }
    return { messages: [message?.id ?? ''] }
  },
  '1,200 facts that were added by hand': async (place) => {
    await logWrites.append(place, ada, talk, spoken(1))
    for (let at = 0; at < 1_200; at += 1)
      await place.write(() => addFact(ada, checkedFact({ predicate: `likes ${at % 40}`, object: `thing ${at}` }), monday))
    return { before: monday + 1 }
  },
  'all of 1,500 sessions': async (place) => {
    for (let at = 0; at < 1_500; at += 1) await logWrites.append(place, ada, sessionOf(at), spoken(2))
    return { all: true }
  },
}

// requirement: P5.11
test.each(Object.entries(large))('%s is forgotten in transactions of which none is long', async (_, make) => {
  using place = new CountingPlace()
  const selection = await make(place)
  place.transactions = []
  await forgetInTurns(place, ada, selection)
  expect(place.rows('SELECT ord FROM message UNION ALL SELECT ord FROM message_terms UNION ALL SELECT ord FROM assertion')).toEqual([])
  // For each message: its row, its terms, a tombstone, its session and what the journal has of it. For a fact: its row, its
  // terms, a source and a tombstone. With all of a user the tombstones go, in one statement.
  const tombstones = 'all' in selection ? 3_000 : 0
  expect(place.most('changed')).toBeLessThanOrEqual(6 * turnBounds.messages + tombstones)
  expect(place.most('statements')).toBeLessThanOrEqual(13 * turnBounds.messages)
  expect(place.most('read')).toBeLessThanOrEqual(3 * turnBounds.bytes)
})

test('of what was forgotten long ago no more is kept than one transaction takes out with all of a user', async () => {
  using place = new CountingPlace()
  await logWrites.append(place, ada, talk, spoken(2))
  place.connection.exec(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000)
    INSERT INTO tombstone SELECT (SELECT id FROM partition WHERE owner = 'ada'), 1 + x / 250, 1000 + x FROM n`)
  place.transactions = []
  await forgetInTurns(place, ada, { all: true })
  expect(place.rows('SELECT ord FROM tombstone')).toEqual([])
  expect(place.most('changed')).toBeLessThanOrEqual(tombstoneBounds.kept + tombstoneBounds.dropped + 100)
})

const failing = (place: CountingPlace, from: number): void => {
  place.before = async (n) => {
    if (n >= from) throw new MemoryClosed()
  }
}

test('a forget that ends before its last transaction says what it took out, and the next one takes out the rest', async () => {
  using place = new CountingPlace()
  await logWrites.append(place, ada, talk, spoken(9))
  place.transactions = []
  failing(place, 3)
  await expect(forgetInTurns(place, ada, { session: talk }, small)).rejects.toThrow(MemoryClosed)
  const left = place.rows('SELECT ord FROM message').length
  expect(left).toBeGreaterThan(0)
  expect((await place.read(receipts({ limit: 10 }))).items).toMatchObject([{ counts: { message: 9 - left }, physical: 'pending' }])
  place.before = async () => undefined
  // Nobody searches the files for an erasure that is under way, only for one that began a while ago.
  expect(await place.write(() => claimErasures('another', monday, monday + 1))).toMatchObject({ ids: [] })
  expect(await place.write(() => claimErasures('another', monday + 61_000, monday + 62_000))).toMatchObject({ ids: [expect.any(String)] })
  const { receipt } = await forgetInTurns(place, ada, { session: talk }, small)
  expect(receipt.counts).toEqual({ message: left, session: 1 })
  expect(place.rows('SELECT ord FROM message')).toEqual([])
})

/** Does something between the second transaction of a forget and the third. */
async function during(
  selection: (ids: readonly string[]) => ForgetSelection,
  between: (place: CountingPlace, ids: readonly string[]) => Promise<unknown>,
): Promise<{ place: CountingPlace; erasure: Erasure }> {
  const place = new CountingPlace()
  const ids = (await logWrites.append(place, ada, talk, spoken(9))).map(({ id }) => id)
  place.transactions = []
  place.before = async (n) => {
    if (n !== 2) return
    place.before = async () => undefined
    await between(place, ids)
  }
  return { place, erasure: await forgetInTurns(place, ada, selection(ids), small) }
}

const contents = (place: CountingPlace) => place.rows('SELECT content FROM message')
const said = (content: string, saidAt: number) => spoken(1).map((message) => ({ ...message, content, saidAt }))

test('what is said to a session while it is forgotten goes with it', async () => {
  const { place, erasure } = await during(
    () => ({ session: talk }),
    (place) => logWrites.append(place, ada, talk, said('meanwhile', 5)),
  )
  using _ = place
  expect(contents(place)).toEqual([])
  expect(erasure.receipt.counts).toEqual({ message: 10, session: 1 })
})

test('of what is said meanwhile a forget by time takes what it means', async () => {
  const { place } = await during(
    () => ({ before: 6 }),
    (place) => logWrites.append(place, ada, talk, [...said('of before', 5), ...said('of later', 7)]),
  )
  using _ = place
  expect(contents(place)).toEqual([{ content: 'of later' }])
})

test('a message that gets new words while it is forgotten goes with these', async () => {
  const { place } = await during(
    (ids) => ({ messages: ids }),
    (place, ids) => logWrites.replace(place, ada, ids[8] ?? '', 'new words'),
  )
  using _ = place
  expect(contents(place)).toEqual([])
})

test('of another session or user nothing goes, whoever forgets meanwhile', async () => {
  const { place } = await during(
    () => ({ session: talk }),
    async (place) => {
      await forgetInTurns(place, ada, { all: true }, small)
      await logWrites.append(place, userOf('bob'), talk, said('of bob', 5))
      await logWrites.append(place, ada, talk, said('of ada', 5))
      await logWrites.append(place, ada, sessionOf(1), said('elsewhere', 5))
    },
  )
  using _ = place
  expect(contents(place)).toEqual([{ content: 'of bob' }, { content: 'elsewhere' }])
})

test('a user who is gone before the last transaction leaves the words of the others to be searched for', async () => {
  const { place, erasure } = await during(
    () => ({ all: true }),
    (place) => place.write(() => forget(ada, { all: true }, uuidv7(monday), monday)),
  )
  using _ = place
  expect(erasure.receipt).toMatchObject({ counts: { message: 4 }, physical: 'pending' })
  expect(erasure.needles?.map((needle) => Buffer.from(needle).toString())).toContain('It is number 0 of the ferry, ')
})

test('a message that is not there is told before anything goes', async () => {
  using place = new CountingPlace()
  const ids = (await logWrites.append(place, ada, talk, spoken(9))).map(({ id }) => id)
  await expect(forgetInTurns(place, ada, { messages: [...ids, uuidv7(monday)] }, small)).rejects.toThrow(NotFound)
  expect(contents(place)).toHaveLength(9)
})
