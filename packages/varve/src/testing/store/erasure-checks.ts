import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict'
import { NotFound } from '../../errors/not-found.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { forget, previewForget, replaceMessage } from '../../storage/erase/erasure.ts'
import type { ForgetSelection } from '../../storage/erase/forget-selection.ts'
import { contextKeys, saveContext } from '../../storage/log/contexts.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { type Epochs, epochsOf } from '../../storage/epochs.ts'
import { findPartition } from '../../storage/partitions.ts'
import { answer } from '../../storage/program.ts'
import { sessionName } from '../../scope/partition.ts'
import { changeSession, sessions } from '../../storage/log/sessions.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import { erasedAfter } from '../../storage/segment/tombstones.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')

async function left(store: StoreUnderTest): Promise<readonly string[]> {
  return (await store.read(() => readMessages(ada, talkSession, { limit: 100 }))).map(({ content }) => content)
}

function forgetting(store: StoreUnderTest, selection: ForgetSelection) {
  return store.write(() => forget(ada, selection, uuidv7(monday), monday))
}

export const erasureChecks: readonly ProgramCheck[] = [
  {
    // requirement: P3.11
    name: 'forget erases exactly the selected messages: a time is strict, and selections narrow each other',
    async run(store) {
      const said = [1_000, 2_000, 3_000].map((saidAt) => prepared(`at ${saidAt}`, { saidAt }))
      const appended = await append(store, ada, talkSession, said)
      await append(store, ada, sessionName('other'), [prepared('elsewhere', { saidAt: 500 })])
      deepEqual((await forgetting(store, { session: talkSession, before: 1_000 })).receipt.counts, { message: 0 })
      deepEqual((await forgetting(store, { session: talkSession, before: 1_001 })).receipt.counts, { message: 1 })
      deepEqual(await left(store), ['at 2000', 'at 3000'])
      await forgetting(store, { messages: appended.slice(1).map(({ id }) => id), before: 3_000 })
      deepEqual(await left(store), ['at 3000'])
      deepEqual((await store.read(() => readMessages(ada, sessionName('other'), { limit: 10 }))).length, 1)
    },
  },
  {
    // requirement: P3.13
    name: 'a preview gives the counts of the forget that follows, and changes nothing',
    async run(store) {
      const appended = await append(store, ada, talkSession, ['one', 'two'])
      await append(store, ada, sessionName('other'), ['three'])
      const selections: ForgetSelection[] = [
        { messages: appended.slice(0, 1).map(({ id }) => id) },
        { session: talkSession },
        { all: true },
      ]
      for (const selection of selections) {
        const preview = await store.read(() => previewForget(ada, selection))
        const { receipt } = await forgetting(store, selection)
        deepEqual(receipt.counts, preview)
      }
    },
  },
  {
    name: 'a session that lost all of its messages loses its name, and is listed by the time when it was made',
    async run(store) {
      const [one, two] = await append(store, ada, talkSession, ['one', 'two'])
      await append(store, ada, sessionName('later'), [prepared('three', { saidAt: monday + 1 })])
      await store.write(() => changeSession(ada, talkSession, { name: 'One and two' }, monday))
      const all = () => store.read(() => sessions(ada, { limit: 10 }))
      const listed = async () => (await all()).items.map(({ id, name = 'none', messages }) => `${id}: ${name}, ${messages}`)
      await forgetting(store, { messages: [one?.id ?? ''] })
      deepEqual(await listed(), ['later: none, 1', 'talk: One and two, 1'])
      await forgetting(store, { messages: [two?.id ?? ''] })
      deepEqual(await listed(), ['later: none, 1', 'talk: none, 0'])
    },
  },
  {
    name: 'a forget that names an unknown message is refused as a whole',
    async run(store) {
      const [one] = await append(store, ada, talkSession, ['one'])
      await rejects(forgetting(store, { messages: [one?.id ?? '', uuidv7(monday)] }), NotFound)
      await rejects(forgetting(store, { messages: ['no id at all'] }), NotFound)
      deepEqual(await left(store), ['one'])
    },
  },
  {
    name: 'a forget raises the epoch, leaves a tombstone for every message, and erases its terms',
    async run(store) {
      await append(store, ada, talkSession, ['one', 'two', 'three'])
      const before = await store.read(() => findPartition(ada))
      const { receipt } = await forgetting(store, { before: monday + 1 })
      equal(receipt.physical, 'pending')
      const after = await store.read(() => findPartition(ada))
      notEqual(after?.epoch, before?.epoch)
      const erased = await store.read(() => erasedAfter(after?.id ?? 0, before?.epoch ?? 0))
      deepEqual(erased?.toSorted(), [1, 2, 3])
      deepEqual(await store.read(() => termsAfter(after?.id ?? 0, 0, 10)), [])
    },
  },
  {
    name: 'a forget hands over every erased word, so that the bytes can be searched for it',
    async run(store) {
      const fields = {
        externalId: 'the external id',
        name: 'the name of a speaker',
        thread: 'the name of a thread',
        parts: '["the parts of it"]',
        metadata: '{"the":"metadata"}',
      }
      await append(store, ada, talkSession, [prepared('the content of it', fields)])
      const { needles } = await forgetting(store, { session: talkSession })
      // The store decides how to cut them, and that the shortest identify nothing.
      const words = (needles ?? []).map((needle) => Buffer.from(needle).toString())
      for (const word of ['the content of it', ...Object.values(fields), 'talk'])
        equal(
          words.some((text) => text.includes(word)),
          true,
          word,
        )
    },
  },
  {
    name: 'a message keeps its id, place and times through several replacements, and can still be forgotten',
    async run(store) {
      const [, two] = await append(store, ada, talkSession, ['one', prepared('two', { externalId: 'x' }), 'three'])
      const id = two?.id ?? ''
      for (const words of ['zwei', 'deux', 'dos']) {
        const { message, receipt } = await store.write(() =>
          replaceMessage(ada, id, () => answer(prepared(words, { externalId: 'x' })), uuidv7(monday), monday + 9),
        )
        deepEqual(
          [message.id, message.seq, message.content, message.externalId, message.recordedAt, receipt.counts],
          [id, 2, words, 'x', monday, { message: 1 }],
        )
      }
      deepEqual(await left(store), ['one', 'dos', 'three'])
      equal((await append(store, ada, talkSession, [prepared('again', { externalId: 'x' })]))[0]?.duplicate, true)
      await forgetting(store, { messages: [id] })
      deepEqual(await left(store), ['one', 'three'])
      await rejects(forgetting(store, { messages: [id] }), NotFound)
    },
  },
  {
    name: 'a forget erases the contexts that showed its messages, and keeps the others',
    async run(store) {
      const [one, two] = await append(store, ada, talkSession, ['one', 'two'])
      const record = (id: string | undefined) => ({ id: uuidv7(monday), messages: [id ?? ''], shingles: new Uint8Array(8), epochs: [] })
      await store.write(() => saveContext(ada, talkSession, record(one?.id), monday))
      await store.write(() => saveContext(ada, talkSession, record(two?.id), monday))
      const owner = await store.read(() => findPartition(ada))
      const keys = await store.read(() => contextKeys(owner?.id ?? 0, talkSession))
      const [first, second] = keys.toSorted((a, b) => a.id - b.id)
      await forgetting(store, { messages: [one?.id ?? ''] })
      deepEqual(await store.read(() => contextKeys(owner?.id ?? 0, talkSession)), [second])
      notEqual(first, undefined)
    },
  },
  {
    name: 'a context is recorded only when none of its epochs changed since it was assembled',
    async run(store) {
      const [one] = await append(store, ada, talkSession, ['one', 'two'])
      await append(store, userOf('acme', 'bob'), talkSession, ['another user'])
      const remembered = async () => {
        const owner = await store.read(() => findPartition(ada))
        return (await store.read(() => contextKeys(owner?.id ?? 0, talkSession))).length
      }
      const record = (epochs: Epochs) => ({ id: uuidv7(monday), messages: [one?.id ?? ''], shingles: new Uint8Array(8), epochs })
      const erasures = [
        () => store.write(() => replaceMessage(ada, one?.id ?? '', () => answer(prepared('uno')), uuidv7(monday), monday)),
        () => forgetting(store, { messages: [one?.id ?? ''] }),
        () => forgetting(store, { session: talkSession }),
      ]
      for (const erase of erasures) {
        const before = await store.read(() => epochsOf(ada))
        await erase()
        await store.write(() => saveContext(ada, talkSession, record(before), monday))
        equal(await remembered(), 0)
      }
      await append(store, ada, talkSession, ['three'])
      const before = await store.read(() => epochsOf(ada))
      await append(store, ada, talkSession, ['four'])
      await store.write(() => forget(userOf('acme', 'bob'), { all: true }, uuidv7(monday), monday))
      await store.write(() => saveContext(ada, talkSession, record(before), monday))
      equal(await remembered(), 1)
    },
  },
]
