import type { PageRevisionTable } from '../storage/page-tables.ts'
import { authorsIn, spansIn, type StoredSpan } from '../storage/pages/authors.ts'
import { ofDeleted } from '../storage/pages/page-facts.ts'
import { pageKinds } from '../storage/pages/pages.ts'
import type { ExportedBlock, ExportedBlockRevision, ExportedPage, ExportedPageFact } from '../storage/transfer/page-rows.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { RecordOf } from './records.ts'
import { numbersIn } from './stored-json.ts'

export function blockRecord(row: ExportedBlock): RecordOf<'block'> {
  return {
    kind: 'block',
    id: uuidText(row.uuid),
    ...(row.session === null ? {} : { session: row.session }),
    name: row.name,
    place: row.place,
    maxChars: row.max_chars,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    content: row.content,
  }
}

/** Returns the record of a block's revision. It names the session of its writer only if that session is of the same partition. */
export function blockRevisionRecord(row: ExportedBlockRevision, block: Uint8Array, partition: number): RecordOf<'block-revision'> {
  const { origin, from_seq: from, to_seq: to } = row
  return {
    kind: 'block-revision',
    block: uuidText(block),
    revision: row.revision,
    writer: row.writer,
    at: row.written_at,
    ...(origin === null || row.whose !== partition || to === 0 ? {} : { during: [origin, from, to] }),
    content: row.content,
  }
}

type Spans = RecordOf<'page'>['rests']

export function pageRecord(row: ExportedPage, rests: Spans): RecordOf<'page'> {
  return {
    kind: 'page',
    id: uuidText(row.uuid),
    type: row.kind === pageKinds.notes ? 'notes' : 'document',
    ...(row.session === null ? {} : { session: row.session }),
    name: row.name,
    maxChars: row.max_chars,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    noted: { seq: row.noted_seq, tokens: row.noted_tokens, calls: row.noted_calls },
    rests,
    description: row.description,
    content: row.content,
  }
}

/** Returns the record of a page's revision. `names` are those of the partition's own sessions: spans of others are left out. */
export function pageRevisionRecord(
  row: PageRevisionTable,
  page: Uint8Array,
  names: ReadonlyMap<number, string>,
): RecordOf<'page-revision'> {
  return {
    kind: 'page-revision',
    page: uuidText(page),
    revision: row.revision,
    writer: row.writer,
    at: row.written_at,
    readFrom: row.read_from,
    describedBy: row.described_by,
    description: row.description,
    spans: namedSpans(spansIn(row), names),
    authors: authorsIn(row).map(([revision, lines]) => [revision, lines]),
    ...(row.content === null ? {} : { content: row.content }),
  }
}

/** Names the sessions of spans, each span once. Spans of other partitions' sessions are left out. */
export function namedSpans(spans: readonly StoredSpan[], names: ReadonlyMap<number, string>): Spans {
  const named = spans.flatMap(([session, from, to]): Spans => {
    const name = names.get(session)
    return name === undefined ? [] : [[name, from, to]]
  })
  return [...new Map(named.map((span) => [JSON.stringify(span), span])).values()]
}

export function pageFactRecord(row: ExportedPageFact, session: string): RecordOf<'page-fact'> {
  return {
    kind: 'page-fact',
    session,
    seq: row.seq,
    also: numbersIn(row.also),
    subject: row.subject,
    fact: row.fact,
    at: row.said_at,
    writer: row.writer,
    ...(row.page === null ? {} : { page: uuidText(row.page) }),
    ...(row.page_id === ofDeleted ? { deleted: true } : {}),
    revision: row.revision,
  }
}
