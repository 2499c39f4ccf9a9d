import { maxBlocks, revisionsKept } from '../../blocks/block.ts'
import { nameKey } from '../../documents/names.ts'
import { blockById, countBlocks, findBlock, storeBlock } from '../../storage/derived/blocks.ts'
import { findDocument, findNotes, pageKinds, storePage } from '../../storage/pages/pages.ts'
import type { PageTable } from '../../storage/page-tables.ts'
import type { PastForgets } from '../../storage/erase/past-forgets.ts'
import { type Program, runList } from '../../storage/program.ts'
import { notedAt, placeKinds } from '../../storage/transfer/imports.ts'
import { isBlockId, itemWithId, pageWithId, rowChanges } from '../../storage/transfer/write-rows.ts'
import { countIn } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'
import { type Applying, idBytes } from './applying.ts'

/** Stores a block, unless there is one of its name. What was written here stays. */
export function* applyBlock(applying: Applying, record: RecordOf<'block'>): Program<void> {
  const { counts, own } = applying
  const session = record.session === undefined ? 0 : (yield* applying.session(record.session))?.row.id
  if (session === undefined) return countIn(counts, 'leftOut', 'block')
  const scope = { partition: own.id, session }
  const there = (yield* blockById(own.id, idBytes(record.id))) ?? (yield* findBlock(scope, record.name))
  if (there !== undefined) return countIn(counts, there.content === record.content ? 'duplicates' : 'kept', 'block')
  if (yield* applying.isForgotten((forgets) => tookBlock(forgets, record))) return
  const place = (yield* countBlocks(scope)) + 1
  if (place > maxBlocks) return countIn(counts, 'leftOut', 'block')
  const id = (yield* isTaken(applying, record.id)) ? applying.idInstead(record.id) : record.id
  const number = yield* storeBlock({
    id,
    partition_id: own.id,
    session_id: session,
    name: record.name,
    place,
    max_chars: record.maxChars,
    revision: record.revision,
    content: record.content,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  })
  // Its line may be missing: a block without its present revision would not be found.
  yield* runList([
    rowChanges.blockRevision(own.id, {
      ...noSpan,
      block_id: number,
      revision: record.revision,
      content: record.content,
      writer: 'import',
      written_at: record.updatedAt,
    }),
  ])
  applying.note({ kind: placeKinds.block, theirs: number, ours: 1 })
  countIn(counts, 'stored', 'block')
}

/** Tells whether a block, or the item by which one is found, has an id that no other can get. */
function* isTaken(applying: Applying, id: string): Program<boolean> {
  const item = yield* itemWithId((yield* applying.derived()).id, idBytes(id))
  return item !== undefined || applying.isOthers(item) || (yield* isBlockId(applying.own.id, idBytes(id)))
}

/** Tells whether a forget, or a deletion by hand, took a block as it was written then. */
function tookBlock(forgets: PastForgets, { session, name, updatedAt }: RecordOf<'block'>): boolean {
  const took = session === undefined ? updatedAt <= forgets.all : forgets.tookSession(session, updatedAt)
  return took || forgets.deletedBlock(session, name, updatedAt)
}

/** The same of a page. A forget takes a page that rests on messages by their ids: only a deletion takes it by its name. */
function tookPage(forgets: PastForgets, { type, session, name, rests, updatedAt }: RecordOf<'page'>): boolean {
  const took = session === undefined ? updatedAt <= forgets.all : forgets.tookSession(session, updatedAt)
  if (rests.length === 0 && took) return true
  if (type === 'notes') return session !== undefined && forgets.deletedNotes(session, updatedAt)
  return forgets.deletedDocument(nameKey(name), updatedAt)
}

const noSpan = { session_id: 0, from_seq: 0, to_seq: 0 }

/** Stores a revision of a block that this import stored. */
export function* applyBlockRevision(applying: Applying, record: RecordOf<'block-revision'>): Program<void> {
  const block = yield* blockOf(applying, record.block)
  if (block === undefined || record.revision > block.revision || record.revision <= block.revision - revisionsKept)
    return countIn(applying.counts, 'duplicates', 'block-revision')
  yield* runList([
    rowChanges.blockRevision(applying.own.id, {
      block_id: block.id,
      revision: record.revision,
      content: record.revision === block.revision ? block.content : record.content,
      writer: record.writer,
      written_at: record.at,
      ...(yield* spanOf(applying, record.during)),
    }),
  ])
  countIn(applying.counts, 'stored', 'block-revision')
}

function* blockOf(applying: Applying, id: string) {
  yield* applying.settleNotes()
  for (const one of [id, applying.idInstead(id)]) {
    const block = yield* blockById(applying.own.id, idBytes(one))
    if (block?.partition_id === applying.own.id)
      return (yield* notedAt(applying.import, placeKinds.block, [block.id])).has(block.id) ? block : undefined
  }
  return undefined
}

function* spanOf(applying: Applying, during: RecordOf<'block-revision'>['during']): Program<typeof noSpan> {
  const session = during === undefined ? undefined : yield* applying.session(during[0])
  return session === undefined || during === undefined ? noSpan : { session_id: session.row.id, from_seq: during[1], to_seq: during[2] }
}

/**
 * Stores a page, unless there is one of its name or its session. One that rests on a forgotten message is left out:
 * upkeep makes it of the rest.
 */
export function* applyPage(applying: Applying, record: RecordOf<'page'>): Program<void> {
  const { counts, own } = applying
  const isNotes = record.type === 'notes'
  const session = record.session === undefined ? undefined : yield* applying.session(record.session)
  if (isNotes !== (session !== undefined) || (yield* restsOnLeftOut(applying, record.rests))) return countIn(counts, 'leftOut', 'page')
  const same = yield* pageWithId(own.id, idBytes(record.id))
  const key = isNotes ? '' : nameKey(record.name)
  const named = session === undefined ? yield* findDocument(own.id, key) : yield* findNotes(own.id, session.row.id)
  const there = same?.partition_id === own.id ? same : named
  if (there !== undefined) return countIn(counts, there.content === record.content ? 'duplicates' : 'kept', 'page')
  if (yield* applying.isForgotten((forgets) => tookPage(forgets, record))) return
  const number = yield* storePage({
    id: applying.isOthers(same) ? applying.idInstead(record.id) : record.id,
    partition_id: own.id,
    kind: pageKinds[record.type],
    session_id: session?.row.id ?? 0,
    name: isNotes ? '' : record.name,
    name_key: key,
    max_chars: record.maxChars,
    revision: record.revision,
    description: record.description,
    content: record.content,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    noted_seq: record.noted.seq,
    noted_tokens: record.noted.tokens,
    noted_calls: record.noted.calls,
    indexed: 0,
  })
  const lines = record.content === '' ? 0 : record.content.split('\n').length
  yield* runList([
    rowChanges.pageRevision(own.id, {
      page_id: number,
      revision: record.revision,
      described_by: 0,
      writer: 'import',
      written_at: record.updatedAt,
      read_from: 0,
      description: record.description,
      spans: '[]',
      authors: JSON.stringify(lines === 0 ? [] : [[record.revision, lines]]),
      content: record.content,
    }),
  ])
  applying.note({ kind: placeKinds.page, theirs: number, ours: 1 })
  countIn(counts, 'stored', 'page')
}

function* restsOnLeftOut(applying: Applying, spans: RecordOf<'page'>['rests']): Program<boolean> {
  for (const [name, from, to] of spans) {
    const session = yield* applying.session(name)
    if (session === undefined || (yield* applying.lacks(session, from, to))) return true
  }
  return false
}

/** A page as it stands here. */
export type PageHere = Pick<PageTable, 'id' | 'partition_id' | 'session_id' | 'revision' | 'name' | 'description' | 'content'>

/** Returns a page that this import stored. */
export function* importedPage(applying: Applying, id: string): Program<PageHere | undefined> {
  yield* applying.settleNotes()
  for (const one of [id, applying.idInstead(id)]) {
    const page = yield* pageWithId(applying.own.id, idBytes(one))
    if (page?.partition_id === applying.own.id)
      return (yield* notedAt(applying.import, placeKinds.page, [page.id])).has(page.id) ? page : undefined
  }
  return undefined
}

/** Stores a revision of a page that this import stored, with the sessions on which it rests. */
export function* applyPageRevision(applying: Applying, record: RecordOf<'page-revision'>): Program<void> {
  const page = yield* importedPage(applying, record.page)
  if (page === undefined || record.revision > page.revision) return countIn(applying.counts, 'duplicates', 'page-revision')
  const spans: [number, number, number][] = []
  for (const [name, from, to] of record.spans) {
    const session = yield* applying.session(name)
    if (session === undefined) continue
    const [first, last] = [yield* applying.placeOf(session, from), yield* applying.placeOf(session, to)]
    if (first !== undefined && last !== undefined && first <= last) spans.push([session.row.id, first, last])
  }
  yield* runList([
    rowChanges.pageRevision(page.partition_id, {
      page_id: page.id,
      revision: record.revision,
      described_by: record.describedBy,
      writer: record.writer,
      written_at: record.at,
      read_from: record.readFrom,
      description: record.description,
      spans: JSON.stringify(spans),
      authors: JSON.stringify(record.authors),
      content: record.revision === page.revision ? page.content : (record.content ?? null),
    }),
    ...[...new Set(spans.map(([session]) => session))].map((session) => rowChanges.pageSource(page.partition_id, page.id, session)),
  ])
  countIn(applying.counts, 'stored', 'page-revision')
}

/** Stores a statement for documents. Without its page it waits, and upkeep works it in. */
export function* applyPageFact(applying: Applying, record: RecordOf<'page-fact'>): Program<void> {
  const { counts, own } = applying
  const session = yield* applying.session(record.session)
  if (session?.isFresh !== true) return countIn(counts, 'duplicates', 'page-fact')
  for (const seq of [record.seq, ...record.also])
    if ((yield* applying.placeOf(session, seq)) !== seq) return countIn(counts, 'leftOut', 'page-fact')
  const page = record.page === undefined ? undefined : yield* importedPage(applying, record.page)
  yield* runList([
    rowChanges.pageFact({
      partition_id: own.id,
      session_id: session.row.id,
      seq: record.seq,
      also: JSON.stringify(record.also),
      subject: record.subject,
      subject_key: record.subject === '' ? '' : nameKey(record.subject),
      fact: record.fact,
      said_at: record.at,
      writer: record.writer,
      page_id: record.deleted === true ? -1 : (page?.id ?? 0),
      revision: page === undefined ? 0 : record.revision,
    }),
  ])
  countIn(counts, 'stored', 'page-fact')
}
