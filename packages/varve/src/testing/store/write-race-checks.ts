import { deepEqual, equal, ok } from 'node:assert/strict'
import { readBlock, readRevisions } from '../../blocks/read-blocks.ts'
import { setBlock } from '../../blocks/write-block.ts'
import { documentRevisions } from '../../documents/read-documents.ts'
import { editDocument } from '../../documents/write-documents.ts'
import { NotFound } from '../../errors/not-found.ts'
import { StaleRevision } from '../../errors/stale-revision.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { type PartitionId, sessionName } from '../../scope/partition.ts'
import { forget, replaceMessage } from '../../storage/erase/erasure.ts'
import type { ForgetSelection } from '../../storage/erase/forget-selection.ts'
import { sessions } from '../../storage/log/sessions.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { findPartition, projectSettings, setProjectSettings } from '../../storage/partitions.ts'
import { answer } from '../../storage/program.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, monday, prepared, talkSession } from './check.ts'
import { allFulfilled, fulfilled, inRounds, race, type RaceCheck, rounds } from './race.ts'

const other = sessionName('other')
const person = { writer: 'person', isTool: false, during: undefined }

/** Checks that messages, terms and counters agree and that another message can be appended. Returns the user's remaining messages. */
async function standing(store: StoreUnderTest, owner: PartitionId): Promise<readonly string[]> {
  const partition = await store.read(() => findPartition(owner))
  const contents: string[] = []
  for (const { id, messages } of (await store.read(() => sessions(owner, { limit: 10 }))).items) {
    const said = await store.read(() => readMessages(owner, sessionName(id), { limit: 100 }))
    equal(said.length, messages, `session ${id} counts its messages`)
    contents.push(...said.map(({ content }) => content))
  }
  equal(partition?.messages, contents.length, 'the partition counts its messages')
  const terms = await store.read(() => termsAfter(partition?.id ?? 0, 0, 100))
  equal(terms.length, contents.length, 'each message has its terms')
  ok(
    terms.every(({ ord }) => ord <= (partition?.seq ?? 0)),
    'no ordinal is given twice',
  )
  const [next] = await Promise.allSettled([append(store, owner, talkSession, ['afterwards'])])
  fulfilled(next)
  return contents.toSorted()
}

function forgetting(store: StoreUnderTest, owner: PartitionId, selection: ForgetSelection) {
  return store.write(() => forget(owner, selection, uuidv7(monday), monday))
}

function replacing(store: StoreUnderTest, owner: PartitionId, id: string) {
  return store.write(() => replaceMessage(owner, id, () => answer(prepared('in its place')), uuidv7(monday), monday))
}

const appends: readonly RaceCheck[] = [
  {
    name: 'two appends to one session at the same time are both stored, and its messages are numbered without a gap',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const appending = (a: string, b: string) => (store: StoreUnderTest) => append(store, owner, talkSession, [a, b])
        // First in a session and a partition that do not exist yet.
        const first = await race(stores, round, appending('a', 'b'), appending('c', 'd'))
        const second = await race(stores, round, appending('e', 'f'), appending('g', 'h'))
        deepEqual([...first, ...second].flatMap((outcome) => fulfilled(outcome).map(({ seq }) => seq)).toSorted(), [1, 2, 3, 4, 5, 6, 7, 8])
        deepEqual(await standing(stores[0], owner), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      }),
  },
  {
    name: 'an external id that is appended twice at the same time is stored once, and one append reports a duplicate',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const twice = (store: StoreUnderTest) => append(store, owner, talkSession, [prepared('once', { externalId: 'x' })])
        await append(stores[0], owner, talkSession, ['before'])
        const [one = [], two = []] = (await race(stores, round, twice, twice)).map((outcome) => fulfilled(outcome))
        deepEqual([...one, ...two].map(({ duplicate }) => duplicate).toSorted(), [false, true])
        equal(one[0]?.id, two[0]?.id)
        deepEqual(await standing(stores[0], owner), ['before', 'once'])
      }),
  },
]

const erasures: readonly RaceCheck[] = [
  {
    name: 'a forget beside an append to another session keeps the counters right, and the partition takes more messages',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const [message] = await append(stores[0], owner, talkSession, ['forgotten', 'kept'])
        const outcomes = await race(
          stores,
          round,
          (store) => forgetting(store, owner, { messages: [message?.id ?? ''] }),
          (store) => append(store, owner, other, ['new']),
        )
        allFulfilled(outcomes)
        deepEqual(await standing(stores[0], owner), ['kept', 'new'])
      }),
  },
  {
    name: 'a forget of a session beside an append to it erases the session, and either erases or keeps the new message',
    run: (stores) =>
      inRounds(async (owner, round) => {
        await append(stores[0], owner, other, ['kept'])
        await append(stores[0], owner, talkSession, ['forgotten'])
        const outcomes = await race(
          stores,
          round,
          (store) => forgetting(store, owner, { session: talkSession }),
          (store) => append(store, owner, talkSession, ['new']),
        )
        allFulfilled(outcomes)
        const contents = await standing(stores[0], owner)
        ok(['kept', 'kept,new'].includes(contents.join()), `stands: ${contents.join()}`)
      }),
  },
  {
    name: 'a replacement beside an append stores both the new words and the new message, and keeps the counters right',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const [message] = await append(stores[0], owner, talkSession, ['replaced', 'kept'])
        const outcomes = await race(
          stores,
          round,
          (store) => replacing(store, owner, message?.id ?? ''),
          (store) => append(store, owner, talkSession, ['new']),
        )
        allFulfilled(outcomes)
        deepEqual(await standing(stores[0], owner), ['in its place', 'kept', 'new'])
      }),
  },
  {
    name: 'forgetting a message while it is replaced erases it, its new words included',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const [message] = await append(stores[0], owner, talkSession, ['forgotten', 'kept'])
        const id = message?.id ?? ''
        const [gone, replaced] = await race(
          stores,
          round,
          (store) => forgetting(store, owner, { messages: [id] }),
          (store) => replacing(store, owner, id),
        )
        fulfilled(gone)
        if (replaced.status === 'rejected') ok(replaced.reason instanceof NotFound, String(replaced.reason))
        deepEqual(await standing(stores[0], owner), ['kept'])
      }),
  },
]

const edits: readonly RaceCheck[] = [
  {
    name: 'of two edits of one revision of a document, one is stored, and the other is refused as stale',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const edit = (content: string, revision: number) => (store: StoreUnderTest) =>
          store.write(() => editDocument(owner, 'plan', { content, description: undefined, maxChars: undefined, revision }, person, monday))
        for (const revision of [0, 1]) {
          const outcomes = await race(stores, round, edit(`one ${revision}`, revision), edit(`two ${revision}`, revision))
          const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
          equal(refused.length, 1)
          ok(refused[0] instanceof StaleRevision, String(refused[0]))
        }
        deepEqual(
          (await stores[0].read(() => documentRevisions(owner, 'plan', { limit: 10 }))).items.map(({ revision }) => revision),
          [2, 1],
        )
      }),
  },
  {
    name: 'two changes of one block at the same time make two revisions',
    run: (stores) =>
      inRounds(async (owner, round) => {
        const set = (text: string) => (store: StoreUnderTest) =>
          store.write(() =>
            setBlock(
              owner,
              { name: 'plan', session: undefined },
              { text, maxChars: undefined },
              { writer: 'person', during: undefined },
              monday,
            ),
          )
        await set('first')(stores[0])
        const outcomes = await race(stores, round, set('one'), set('two'))
        allFulfilled(outcomes)
        const { items: revisions } = await stores[0].read(() => readRevisions(owner, 'plan', undefined, { limit: 10 }))
        deepEqual(revisions.map(({ text }) => text).toSorted(), ['first', 'one', 'two'])
        equal((await stores[0].read(() => readBlock(owner, 'plan', undefined)))?.revision, 3)
      }),
  },
  {
    name: 'changes of several settings of a project at the same time are all kept',
    async run(stores) {
      for (let round = 0; round < rounds; round += 1) {
        const project = `project ${round}`
        const set = (name: string) => (store: StoreUnderTest) => store.write(() => setProjectSettings(project, { [name]: round }, monday))
        // First in a project that does not exist yet.
        const outcomes = [...(await race(stores, round, set('one'), set('two'))), ...(await race(stores, round, set('three'), set('four')))]
        allFulfilled(outcomes)
        deepEqual(await stores[0].read(() => projectSettings(project)), { one: round, two: round, three: round, four: round })
      }
    },
  },
]

export const writeRaceChecks: readonly RaceCheck[] = [...appends, ...erasures, ...edits]
