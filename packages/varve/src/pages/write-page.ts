import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { lost } from '../storage/lost.ts'
import { changePage, pageById, type StoredPage, storePage, storePageRevision } from '../storage/pages/pages.ts'
import { spansIn, type StoredSpan } from '../storage/pages/authors.ts'
import type { PageRevisionTable } from '../storage/page-tables.ts'
import type { Program } from '../storage/program.ts'
import { checkStands } from '../storage/versions.ts'
import { described, pageDescription, indexPage, indexPages } from './index-page.ts'
import { letGo, letGoUpTo } from './let-go.ts'
import { withinTransaction, type NewAuthors, type PageWork } from './page-work.ts'
import { mergedSpans } from './spans.ts'

/** The place of a page: among the documents of a partition by its folded name, or as the notes of a session. */
export interface PagePlace {
  readonly partition: number
  readonly kind: number
  readonly session: number
  readonly name: string
  readonly key: string
  /** The name in errors for a page without one. */
  readonly called?: string
}

/** The new content of a page. */
export interface PageChange {
  readonly content: string
  /** A line about the page; without it, one is made from the content. */
  readonly description?: string
  /** True when rules made the description from the content: it goes with any of its lines. */
  readonly isSummary?: boolean
  /** The most characters of the content. */
  readonly maxChars: number
  /** The writer's name. */
  readonly writer: string
  /** Messages on which the new lines rest. */
  readonly spans: readonly StoredSpan[]
  /**
   * True when new lines rest on the whole page, because the writer was shown it. False when they rest only on the lines
   * that they replace.
   */
  readonly sawPage: boolean
  /** The revision that was edited; 0 for a new page, undefined for any. Throws StaleRevision when the page has another. */
  readonly basis: number | undefined
  /** In notes: the first message that was read. */
  readonly readFrom?: number
  /** The revision to restore: its lines keep their writers. */
  readonly restored?: Pick<PageRevisionTable, 'authors' | 'described_by'>
}

/** The revision to restore, and the one that should stand until then; undefined for any. */
export interface PageRestoring {
  readonly revision: number
  readonly expected?: number | undefined
}

/** Writes a page and makes it searchable. Equal content is no new revision. The long work may have been done ahead. */
export function* writeIndexedPage(
  place: PagePlace,
  old: StoredPage | undefined,
  change: PageChange,
  now: number,
  work: PageWork = withinTransaction,
): Program<StoredPage> {
  const { basis, content, maxChars } = change
  checkStands(place.called ?? place.name, basis, old?.revision ?? 0)
  if (content.length > maxChars)
    throw new LimitExceeded({
      what: place.name === '' ? 'the notes' : `the document ${JSON.stringify(place.name)}`,
      unit: 'characters',
      count: content.length,
      most: maxChars,
    })
  const description = change.description ?? pageDescription(content)
  if (old?.content === content && old.description === description && old.max_chars === maxChars) return old
  const revision = (old?.revision ?? 0) + 1
  const stands = { max_chars: maxChars, revision, description, content, updated_at: now, indexed: 0 }
  const { row: authors, replaced } = written(old, change, revision, work)
  const under = old === undefined ? [] : yield* spansUnder(old, change.sawPage ? undefined : replaced, work)
  const id =
    old?.id ??
    (yield* storePage({
      id: uuidv7(now),
      partition_id: place.partition,
      kind: place.kind,
      session_id: place.session,
      name: place.name,
      name_key: place.key,
      created_at: now,
      noted_seq: 0,
      noted_tokens: 0,
      noted_calls: 0,
      ...stands,
    }))
  if (old !== undefined) yield* changePage({ id, partition_id: place.partition, ...stands })
  const lineage = {
    revision,
    described_by: describedBy(old, change, revision),
    spans: JSON.stringify(mergedSpans([...change.spans, ...under])),
  }
  yield* storePageRevision(place.partition, {
    page_id: id,
    ...lineage,
    description,
    content,
    authors,
    writer: change.writer,
    written_at: now,
    read_from: change.readFrom ?? 0,
  })
  const upTo = work.isAhead ? undefined : letGoUpTo(revision)
  if (upTo !== undefined) yield* letGo({ id, partition_id: place.partition }, upTo)
  if (!work.isAhead) yield* indexPages(now)
  const row = yield* pageById({ id, partition_id: place.partition })
  if (row === undefined) throw lost('page')
  work.stored(row, lineage)
  if (!work.isAhead) return row
  const standing = yield* described(row)
  yield* indexPage(standing, work, now)
  return standing
}

/** Returns the line authors, and the authors whose lines and description gave way. */
function written(
  old: StoredPage | undefined,
  { content, description, isSummary, restored }: PageChange,
  revision: number,
  work: PageWork,
): NewAuthors {
  if (restored !== undefined) return { row: restored.authors, replaced: new Set() }
  const { row, replaced } = work.authors(old, content, revision)
  const isReworded = description !== undefined && isSummary !== true && old !== undefined && old.description !== description
  return { row, replaced: isReworded ? new Set([...replaced, old.described_by]) : replaced }
}

/** Returns the revision whose writer gave the description; 0 when it is made from the content. */
function describedBy(old: StoredPage | undefined, { description, isSummary, restored }: PageChange, revision: number): number {
  if (restored !== undefined) return restored.described_by
  if (description === undefined || isSummary === true) return 0
  return old?.description === description ? old.described_by : revision
}

/** Returns the sources of the lines of some revisions; without a set, of all with a line on the page. */
function* spansUnder(page: StoredPage, of: ReadonlySet<number> | undefined, work: PageWork): Program<readonly StoredSpan[]> {
  if (of?.size === 0) return []
  const wanted = of ?? new Set([...work.standing(page.authors), page.described_by])
  return (yield* work.lineages(page)).filter(({ revision }) => wanted.has(revision)).flatMap((one) => spansIn(one))
}
