import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { byHand } from '../../models/writer.ts'
import {
  addInstruction,
  editInstructions,
  type InstructionRow,
  instructionsOf,
  noteEnds,
  storeReadInstructions,
  withdrawInstructions,
} from '../../storage/derived/instructions.ts'
import { forget, previewForget } from '../../storage/erase/erasure.ts'
import type { ForgetSelection } from '../../storage/erase/forget-selection.ts'
import { findPartition } from '../../storage/partitions.ts'
import { uuidText } from '../../storage/uuid-bytes.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, monday, type ProgramCheck, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')

/** An instruction as the second message of the session says it, unless `seq` says otherwise. */
function asked(text: string, seq = 2, from = 0) {
  return { text, seq, from, to: from + text.length, saidAt: monday + seq, takesBack: false }
}

async function partitionOf(store: StoreUnderTest): Promise<number> {
  return (await store.read(() => findPartition(ada)))?.id ?? 0
}

async function told(store: StoreUnderTest): Promise<readonly string[]> {
  return (await append(store, ada, talkSession, ['one', 'two', 'three', 'four'])).map(({ id }) => id)
}

/** Stores a reading of the four messages. */
async function read(store: StoreUnderTest, writer: string, list: readonly ReturnType<typeof asked>[]): Promise<void> {
  const partition = await partitionOf(store)
  const range = { from: 1, to: 4, writer, provisional: writer === 'extractive' }
  await store.write(() => storeReadInstructions({ partition, session: 1 }, range, list, monday))
}

async function rows(store: StoreUnderTest): Promise<readonly InstructionRow[]> {
  const partition = await partitionOf(store)
  return (await store.read(() => instructionsOf(partition))).toSorted((a, b) => a.seq - b.seq || a.starts - b.starts)
}

async function texts(store: StoreUnderTest): Promise<string[]> {
  return (await rows(store)).map(({ content }) => content)
}

async function forgetting(store: StoreUnderTest, selection: ForgetSelection) {
  const preview = await store.read(() => previewForget(ada, selection))
  const { receipt, needles } = await store.write(() => forget(ada, selection, uuidv7(monday), monday))
  deepEqual(receipt.counts, preview)
  return { erased: receipt.counts['instruction'] ?? 0, words: (needles ?? []).map((needle) => Buffer.from(needle).toString()) }
}

/** Edits the statement of a text by hand. */
async function edit(store: StoreUnderTest, text: string, hand: string): Promise<void> {
  const found = (await rows(store)).filter(({ content }) => content === text)
  await store.write(() => editInstructions(found, hand, monday + 10))
}

export const instructionChecks: readonly ProgramCheck[] = [
  {
    name: 'an instruction goes with its message, with the words that a person put in its place; the counts are the preview’s',
    async run(store) {
      const ids = await told(store)
      await read(store, 'extractive', [
        asked('Always show the tide tables.', 1),
        asked('Call me Captain.'),
        asked('Never suggest eels.', 3),
      ])
      await edit(store, 'Always show the tide tables.', 'Show the tide tables of Vardø.')
      const { erased, words } = await forgetting(store, { messages: ids.slice(0, 1) })
      equal(erased, 1)
      for (const text of ['Always show the tide tables.', 'Show the tide tables of Vardø.']) equal(words.includes(text), true, text)
      deepEqual(await texts(store), ['Call me Captain.', 'Never suggest eels.'])
      equal((await forgetting(store, { session: talkSession })).erased, 2)
      deepEqual(await texts(store), [])
    },
  },
  {
    name: 'an instruction by hand goes by the time of its adding, or with all',
    async run(store) {
      await told(store)
      const partition = await partitionOf(store)
      await read(store, 'extractive', [asked('Call me Captain.')])
      await store.write(() => addInstruction(partition, 'Use plain words.', byHand, monday + 5))
      await store.write(() => addInstruction(partition, 'Answer in Norwegian.', byHand, monday + 50))
      equal((await forgetting(store, { session: talkSession })).erased, 1)
      const before = await store.read(() => findPartition(ada))
      equal((await forgetting(store, { before: monday + 10 })).erased, 1)
      notEqual((await store.read(() => findPartition(ada)))?.epoch, before?.epoch)
      deepEqual(await texts(store), ['Answer in Norwegian.'])
      equal((await forgetting(store, { all: true })).erased, 1)
    },
  },
  {
    name: 'a reading with more of the talk states no instruction anew; a language model’s takes the place of an extractive one',
    async run(store) {
      await told(store)
      await read(store, 'extractive', [asked('Call me Captain.'), asked('Never suggest eels.', 3)])
      const [first] = await rows(store)
      await read(store, 'extractive', [asked('Call me Captain.'), asked('Captain', 2, 8)])
      deepEqual(await texts(store), ['Call me Captain.', 'Never suggest eels.'])
      await read(store, 'a model', [asked('Call me Captain.'), asked('suggest eels', 3, 6)])
      deepEqual(
        (await rows(store)).map(({ content, writer, provisional }) => [content, writer, provisional]),
        [
          ['Call me Captain.', 'a model', 0],
          ['suggest eels', 'a model', 0],
        ],
      )
      deepEqual((await rows(store))[0]?.uuid, first?.uuid)
    },
  },
  {
    name: 'an instruction that a person edited or withdrew stays, whatever a later reading of its message finds',
    async run(store) {
      await told(store)
      await read(store, 'extractive', [asked('Call me Captain.'), asked('Never suggest eels.', 3)])
      await edit(store, 'Call me Captain.', 'Call me Skipper.')
      const eels = (await rows(store)).filter(({ content }) => content === 'Never suggest eels.')
      await store.write(() => withdrawInstructions(eels, monday + 10))
      for (const found of [[asked('me Captain', 2, 5), asked('Use feet.', 2, 40), asked('Never suggest eels.', 3)], []])
        await read(store, 'a model', found)
      deepEqual(
        (await rows(store)).map(({ content, hand, withdrawn_at: withdrawn }) => [content, hand, withdrawn]),
        [
          ['Call me Captain.', 'Call me Skipper.', null],
          ['Use feet.', null, null],
          ['Never suggest eels.', null, monday + 10],
        ],
      )
    },
  },
  {
    name: 'ends are noted for statements as they were compared; one that was edited meanwhile waits for another comparison',
    async run(store) {
      await told(store)
      await read(store, 'extractive', [asked('Call me Captain.'), asked('Call me Bo.', 3)])
      const partition = await partitionOf(store)
      const [earlier = '', later = ''] = (await rows(store)).map(({ uuid }) => uuidText(uuid))
      const compared = [earlier, later].map((id) => ({ id, editedAt: null }))
      await store.write(() => noteEnds(partition, { compared, ends: [{ later, earlier }] }))
      deepEqual(
        (await rows(store)).map((row) => [row.ended, row.compared]),
        [
          ['[]', 1],
          [JSON.stringify([earlier]), 1],
        ],
      )
      await edit(store, 'Call me Captain.', 'Call me Skipper.')
      await store.write(() => noteEnds(partition, { compared, ends: [] }))
      deepEqual(
        (await rows(store)).map((row) => row.compared),
        [0, 1],
      )
      await store.write(() => noteEnds(partition, { compared: [{ id: earlier, editedAt: monday + 10 }], ends: [] }))
      deepEqual(
        (await rows(store)).map((row) => [row.ended, row.compared]),
        [
          ['[]', 1],
          ['[]', 1],
        ],
      )
    },
  },
]
