import { deepEqual, equal, rejects } from 'node:assert/strict'
import { documentRevisions, listDocuments, readDocument } from '../../documents/read-documents.ts'
import { type DocumentStep, type DocumentWrite, workIn } from '../../documents/work-in.ts'
import { deleteDocument, editDocument, restoreDocument } from '../../documents/write-documents.ts'
import { LimitExceeded } from '../../errors/limit-exceeded.ts'
import { NotFound } from '../../errors/not-found.ts'
import { StaleRevision } from '../../errors/stale-revision.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { readNotes } from '../../notes/read-notes.ts'
import { type NotesRead, storeNotes } from '../../notes/write-notes.ts'
import { indexPages } from '../../pages/index-page.ts'
import { partitionId, type PartitionId, projectName } from '../../scope/partition.ts'
import { claim } from '../../storage/claims.ts'
import { forget, previewForget } from '../../storage/erase/erasure.ts'
import type { ForgetSelection } from '../../storage/erase/forget-selection.ts'
import { allItems } from '../../storage/derived/items.ts'
import { pendingPageFacts, storePageFacts } from '../../storage/pages/page-facts.ts'
import { findDerived, findPartition } from '../../storage/partitions.ts'
import { termsAfter } from '../../storage/segment/terms.ts'
import { erasedAfter } from '../../storage/segment/tombstones.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { append, type ProgramCheck, monday, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')
const acme = partitionId(projectName('acme'), { kind: 'shared' })
const person = { writer: 'person', isTool: false, during: undefined }
const agent = { writer: 'agent', isTool: true, during: talkSession }
const held = { holder: 'somebody', now: monday, until: monday + 60_000 }

function edit(
  store: StoreUnderTest,
  partition: PartitionId,
  name: string,
  content: string,
  more: { by?: typeof agent | typeof person; revision?: number; maxChars?: number } = {},
) {
  const { by = person, revision, maxChars } = more
  return store.write(() => editDocument(partition, name, { content, description: undefined, maxChars, revision }, by, monday))
}

async function ownerOf(store: StoreUnderTest): Promise<number> {
  return (await store.read(() => findPartition(ada)))?.id ?? 0
}

/** Returns the content of the index of derived items. */
async function indexed(store: StoreUnderTest): Promise<{ readonly texts: string[]; readonly terms: number }> {
  const derived = (await store.read(() => findDerived(ada)))?.id ?? 0
  return {
    texts: (await store.read(() => allItems(derived))).map(({ content }) => content).toSorted(),
    terms: (await store.read(() => termsAfter(derived, 0, 100))).length,
  }
}

/** Forgets, and returns the counts, which must equal the preview's, and the erased words. */
async function forgetting(store: StoreUnderTest, selection: ForgetSelection) {
  const preview = await store.read(() => previewForget(ada, selection))
  const { receipt, needles } = await store.write(function* () {
    const erasure = yield* forget(ada, selection, uuidv7(monday), monday)
    yield* indexPages(monday)
    return erasure
  })
  deepEqual(receipt.counts, preview)
  return { counts: receipt.counts, words: (needles ?? []).map((needle) => Buffer.from(needle).toString()) }
}

const said = ['The bakery opens at seven.', 'The bakery sells dark rye.', 'The bakery closes on Monday.']

/** Stores three messages, each a bullet and a revision of one document. */
async function bakery(store: StoreUnderTest): Promise<readonly string[]> {
  const ids = (await append(store, ada, talkSession, said)).map(({ id }) => id)
  const owner = await ownerOf(store)
  await store.write(() =>
    storePageFacts(
      owner,
      1,
      { from: 1, to: 3, writer: 'extractive' },
      said.map((fact, at) => ({ subject: 'Bakery', key: 'bakery', fact, seq: at + 1, saidAt: monday })),
    ),
  )
  await store.write(() => claim('documents', { ref: owner, partition: owner }, held))
  const facts = (await store.read(() => pendingPageFacts(owner, 10))).map(({ id }) => id)
  const steps = said.map((_, at): DocumentStep => ({
    content: said
      .slice(0, at + 1)
      .map((line) => `- ${line}`)
      .join('\n'),
    description: said.slice(0, at + 1).join(' '),
    facts: facts.slice(at, at + 1),
  }))
  deepEqual(await write(store, owner, steps), { documents: [{ name: 'Bakery', revision: 3 }] })
  return ids
}

function write(store: StoreUnderTest, owner: number, steps: readonly DocumentStep[], more: Partial<DocumentWrite> = {}) {
  return store.write(() =>
    workIn(owner, held.holder, [{ page: 0, basis: 0, name: 'Bakery', writer: 'extractive', sawPage: false, steps, ...more }], monday),
  )
}

export const pageChecks: readonly ProgramCheck[] = [
  {
    name: 'an edit of a stale revision or over the bound is refused, and leaves nothing behind',
    async run(store) {
      await rejects(edit(store, ada, 'plan', 'first', { revision: 1 }), StaleRevision)
      equal(await store.read(() => findPartition(ada)), undefined)
      await edit(store, ada, 'plan', 'first', { revision: 0, maxChars: 200 })
      await rejects(edit(store, ada, 'Plan', 'second', { revision: 0 }), StaleRevision)
      await rejects(edit(store, ada, 'plan', 'x'.repeat(201), { revision: 1 }), LimitExceeded)
      await rejects(
        store.write(() => restoreDocument(ada, 'plan', { revision: 2 }, 'person', monday)),
        NotFound,
      )
      deepEqual(
        (await store.read(() => documentRevisions(ada, 'plan', { limit: 10 }))).items.map(({ content }) => content),
        ['first'],
      )
    },
  },
  {
    name: 'a partition’s own documents come before its project’s, and only the words of a name tell documents apart',
    async run(store) {
      await edit(store, acme, 'plan', 'shared')
      await edit(store, ada, 'house', 'hers')
      deepEqual(
        (await store.read(() => listDocuments(ada, { limit: 10 }))).items.map(({ name, shared }) => [name, shared]),
        [
          ['house', undefined],
          ['plan', true],
        ],
      )
      equal((await store.read(() => readDocument(ada, 'THE  plan!', undefined)))?.content, 'shared')
      await edit(store, ada, 'plan', 'hers')
      deepEqual(
        [
          (await store.read(() => readDocument(ada, 'plan', undefined)))?.content,
          (await store.read(() => readDocument(acme, 'plan', undefined)))?.content,
        ],
        ['hers', 'shared'],
      )
      equal(await store.read(() => readDocument(acme, 'house', undefined)), undefined)
    },
  },
  {
    name: 'each content of a document is a revision with its writer and its lineage, and an old one can be restored',
    async run(store) {
      await append(store, ada, talkSession, ['one', 'two'])
      await edit(store, ada, 'plan', 'first')
      await edit(store, ada, 'plan', 'first\nsecond', { by: agent })
      await edit(store, ada, 'plan', 'second')
      await store.write(() => restoreDocument(ada, 'plan', { revision: 1 }, 'person', monday))
      const rests = [{ session: talkSession, from: 1, to: 2 }]
      const { items } = await store.read(() => documentRevisions(ada, 'plan', { limit: 10 }))
      deepEqual(
        items.map(({ revision, writer, content, lineage }) => [revision, writer, content, lineage]),
        [
          [4, 'person', 'first', []],
          [3, 'person', 'second', []],
          [2, 'agent', 'first\nsecond', rests],
          [1, 'person', 'first', []],
        ],
      )
      deepEqual([(await store.read(() => readDocument(ada, 'plan', undefined)))?.lineage], [[]])
    },
  },
  {
    name: 'the index holds the newest passages of a page, and a tombstone for each older passage',
    async run(store) {
      await edit(store, ada, 'plan', 'about it\n# One\nfirst\n# Two\nsecond')
      deepEqual(await indexed(store), { texts: ['about it', 'first', 'second'], terms: 3 })
      await edit(store, ada, 'plan', 'about it\n# One\nfirst\n# Two\nthird')
      deepEqual(await indexed(store), { texts: ['about it', 'first', 'third'], terms: 3 })
      const derived = (await store.read(() => findDerived(ada)))?.id ?? 0
      equal((await store.read(() => erasedAfter(derived, 0)))?.length, 1)
      await store.write(() => deleteDocument(ada, { name: 'plan' }, uuidv7(monday), monday))
      deepEqual(await indexed(store), { texts: [], terms: 0 })
    },
  },
  {
    name: 'a pass writes all of its documents or none: its holder, revisions and waiting facts must still stand',
    async run(store) {
      await bakery(store)
      const owner = await ownerOf(store)
      const { content } = (await store.read(() => readDocument(ada, 'bakery', undefined))) ?? { content: '' }
      const step = { content: 'new', description: '', facts: [] }
      deepEqual(await write(store, owner, [step], { page: 1, basis: 2 }), { stale: ['Bakery'] })
      deepEqual(await write(store, owner, [step], { name: 'bakery' }), { stale: ['bakery'] })
      deepEqual(await write(store, owner, [{ ...step, facts: [1] }], { page: 1, basis: 3 }), { stale: ['Bakery'] })
      deepEqual(
        await store.write(() =>
          workIn(owner, 'another', [{ page: 1, basis: 3, name: 'Bakery', writer: 'model', sawPage: true, steps: [step] }], monday),
        ),
        { stale: ['Bakery'] },
      )
      equal((await store.read(() => readDocument(ada, 'bakery', undefined)))?.content, content)
    },
  },
  {
    name: 'forgetting a message erases its lines from every revision, description and index, hands them over, and keeps the others',
    async run(store) {
      const ids = await bakery(store)
      const { counts, words } = await forgetting(store, { messages: ids.slice(1, 2) })
      deepEqual(counts, { message: 1, document: 1 })
      equal(
        words.some((word) => word.includes('sells dark rye')),
        true,
      )
      const { items: revisions } = await store.read(() => documentRevisions(ada, 'bakery', { limit: 10 }))
      deepEqual(
        revisions.map(({ writer, content }) => [writer, content]),
        [
          ['forgetting', `- ${said[0]}\n- ${said[2]}`],
          ['extractive', `- ${said[0]}\n- ${said[2]}`],
          ['extractive', `- ${said[0]}`],
          ['extractive', `- ${said[0]}`],
        ],
      )
      equal(JSON.stringify([revisions, await indexed(store)]).includes('rye'), false)
      deepEqual((await forgetting(store, { session: talkSession })).counts, { message: 2, session: 1, document: 1 })
      deepEqual([(await store.read(() => listDocuments(ada, { limit: 10 }))).items, await indexed(store)], [[], { texts: [], terms: 0 }])
    },
  },
  {
    name: 'a page whose writer saw a forgotten message loses all lines from messages, and their facts wait to be worked in again',
    async run(store) {
      const ids = await bakery(store)
      const owner = await ownerOf(store)
      await write(store, owner, [{ content: '- Seven to Monday, rye.', description: 'A bakery with rye.', facts: [] }], {
        page: 1,
        basis: 3,
        writer: 'model',
        sawPage: true,
      })
      await edit(store, ada, 'bakery', '- Seven to Monday, rye.\n- Ask for Mira.')
      deepEqual((await forgetting(store, { messages: ids.slice(1, 2) })).counts, { message: 1, document: 1 })
      equal((await store.read(() => readDocument(ada, 'bakery', undefined)))?.content, '- Ask for Mira.')
      deepEqual(
        (await store.read(() => pendingPageFacts(owner, 10))).map(({ fact }) => fact),
        [said[0], said[2]],
      )
    },
  },
  {
    name: 'notes are stored only by their holder and only if session and page are as read, and are erased with their session',
    async run(store) {
      const ids = (await append(store, ada, talkSession, ['one', 'two'])).map(({ id }) => id)
      const owner = await ownerOf(store)
      await store.write(() => claim('notes', { ref: 1, partition: owner }, held))
      const read: NotesRead = { home: owner, session: 1, holder: held.holder, epoch: 0, basis: 0, from: 1, to: 2, tokens: 6, calls: 0 }
      const written = { template: '# State', content: '# State\n- one, then two', writer: 'model', sawPage: true }
      for (const stale of [{ holder: 'another' }, { epoch: 1 }, { basis: 1 }])
        equal(await store.write(() => storeNotes({ ...read, ...stale }, written, monday)), undefined)
      deepEqual([(await store.write(() => storeNotes(read, written, monday)))?.upTo], [2])
      equal(await store.write(() => storeNotes(read, written, monday)), undefined)
      deepEqual((await forgetting(store, { messages: ids.slice(0, 1) })).counts, { message: 1, notes: 1 })
      equal(await store.read(() => readNotes(ada, talkSession, undefined)), undefined)
      equal(await store.write(() => storeNotes(read, written, monday)), undefined)
      deepEqual((await store.write(() => storeNotes({ ...read, epoch: 1 }, written, monday)))?.revision, 2)
      deepEqual((await forgetting(store, { session: talkSession })).counts, { message: 1, session: 1, notes: 1 })
    },
  },
]
