import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { StaleRevision } from '../errors/stale-revision.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { lost } from '../storage/lost.ts'
import {
  authorOfEachLine, authorsIn, changePage, dropPageRevision, letRevisionGo, lineagesOf, pageById, replaceSources, spansIn, type StoredPage, type StoredSpan, storePage, storePageRevision,
} from '../storage/pages/pages.ts'
import type { PageRevisionTable } from '../storage/page-tables.ts'
import type { Program } from '../storage/program.ts'
import { type Authorship, authorship } from './authorship.ts'
import { descriptionOf, indexPages } from './index-page.ts'
import { pageRevisionsKept } from './page-bounds.ts'
import { mergedSpans } from './spans.ts'

/** How often it is looked what may be let go. */
const lookEvery = 20

/** Where a page stands: among the documents of a partition by its folded name, or as the notes of a session. */
export interface PagePlace {
  readonly partition: number
  readonly kind: number
  readonly session: number
  readonly name: string
  readonly key: string
  /** How errors call a page that has no name. */
  readonly called?: string
}

/** What is to stand on a page. */
export interface PageChange {
  readonly content: string
  /** What it is about; left out, it is made of the content. */
  readonly description?: string
  /** That the description is made of the content, by rules: it goes with any of its lines. */
  readonly isSummary?: boolean
  /** The most characters that the content may have. */
  readonly maxChars: number
  /** Who writes. */
  readonly writer: string
  /** Messages on which the new lines rest. */
  readonly spans: readonly StoredSpan[]
  /** Whether new lines rest on all that stood there, as with a writer that was shown the page, or only on what they replace. */
  readonly sawPage: boolean
  /** The revision that it was made of; 0 for a new page. StaleRevision when another one stands. Undefined: whatever stands. */
  readonly basis: number | undefined
  /** Of notes: the first message that was read. */
  readonly readFrom?: number
  /** The revision that is to stand again: its lines are their writers' still. */
  readonly restored?: Pick<PageRevisionTable, 'authors' | 'described_by'>
}

/** Writes a page and has it found by what it says; what is there already is no new revision. */
export function* writePage(place: PagePlace, old: StoredPage | undefined, change: PageChange, now: number): Program<StoredPage> {
  const { basis, content, maxChars } = change
  if (basis !== undefined && basis !== (old?.revision ?? 0)) throw new StaleRevision({ page: place.called ?? place.name, expected: basis, standing: old?.revision ?? 0 })
  if (content.length > maxChars) throw new LimitExceeded({ what: place.name === '' ? 'the notes' : `the document ${JSON.stringify(place.name)}`, unit: 'characters', count: content.length, most: maxChars })
  const description = change.description ?? descriptionOf(content)
  if (old?.content === content && old.description === description && old.max_chars === maxChars) return old
  const revision = (old?.revision ?? 0) + 1
  const stands = { max_chars: maxChars, revision, description, content, updated_at: now, indexed: 0 }
  const id = old?.id ?? (yield* storePage({
    id: uuidv7(now), partition_id: place.partition, kind: place.kind, session_id: place.session, name: place.name, name_key: place.key, created_at: now, noted_seq: 0, noted_tokens: 0, noted_calls: 0, ...stands,
  }))
  if (old !== undefined) yield* changePage({ id, ...stands })
  const { authors, replaced } = written(old, change, revision)
  const under = old === undefined ? [] : yield* spansUnder(old, change.sawPage ? undefined : replaced)
  yield* storePageRevision({
    page_id: id, revision, description, described_by: describedBy(old, change, revision), content, authors: JSON.stringify(authors),
    writer: change.writer, written_at: now, read_from: change.readFrom ?? 0, spans: JSON.stringify(mergedSpans([...change.spans, ...under])),
  })
  if (revision > pageRevisionsKept && revision % lookEvery === 0) yield* letGo(id, revision - pageRevisionsKept)
  yield* indexPages(now)
  const row = yield* pageById(id)
  if (row === undefined) throw lost('page')
  return row
}

/** Who wrote the lines, and whose lines and description gave way. */
function written(old: StoredPage | undefined, { content, description, isSummary, restored }: PageChange, revision: number): Authorship {
  if (restored !== undefined) return { authors: authorsIn(restored), replaced: new Set() }
  const { authors, replaced } = authorship(old?.content ?? '', old === undefined ? [] : authorsIn(old), content, revision)
  const isReworded = description !== undefined && isSummary !== true && old !== undefined && old.description !== description
  return { authors, replaced: isReworded ? new Set([...replaced, old.described_by]) : replaced }
}

/** The revision whose writer gave the description; 0 where it is made of the content. */
function describedBy(old: StoredPage | undefined, { description, isSummary, restored }: PageChange, revision: number): number {
  if (restored !== undefined) return restored.described_by
  if (description === undefined || isSummary === true) return 0
  return old?.description === description ? old.described_by : revision
}

/** What the lines of some revisions rest on, of those that stand; without them, of all. */
function* spansUnder(page: StoredPage, of: ReadonlySet<number> | undefined): Program<readonly StoredSpan[]> {
  const standing = new Set([...authorsIn(page).map(([revision]) => revision), page.described_by])
  const wanted = (yield* lineagesOf(page.id)).filter(({ revision }) => (of === undefined ? standing.has(revision) : of.has(revision)))
  return wanted.flatMap((one) => spansIn(one))
}

/** Words of the oldest revisions go; where lines of theirs stand in a later one, what those rest on is kept. */
function* letGo(page: number, upTo: number): Program<void> {
  const all = yield* lineagesOf(page)
  const kept = all.filter(({ revision }) => revision > upTo)
  // The first gave the page its name.
  const needed = new Set([1, ...kept.flatMap((one) => [one.described_by, ...authorOfEachLine(authorsIn(one))])])
  for (const { revision, isLetGo } of all) {
    if (revision > upTo) continue
    if (!needed.has(revision)) yield* dropPageRevision(page, revision)
    else if (isLetGo !== 1) yield* letRevisionGo(page, revision)
  }
  yield* replaceSources(page, new Set(all.filter(({ revision }) => revision > upTo || needed.has(revision)).flatMap((one) => spansIn(one).map(([session]) => session))))
}
