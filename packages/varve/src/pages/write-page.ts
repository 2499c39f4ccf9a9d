import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { StaleRevision } from '../errors/stale-revision.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { lost } from '../storage/lost.ts'
import {
  authorOfEachLine, authorsIn, changePage, dropPageRevision, letRevisionGo, lineagesOf, pageById, spansIn, type StoredPage, type StoredSpan, storePage, storePageRevision,
} from '../storage/pages.ts'
import type { Program } from '../storage/program.ts'
import { authorship } from './authorship.ts'
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
  const { authors, replaced } = authorship(old?.content ?? '', old === undefined ? [] : authorsIn(old), content, revision)
  const under = old === undefined ? [] : yield* spansUnder(old, change.sawPage ? undefined : replaced)
  const isDescribed = change.description !== undefined
  yield* storePageRevision({
    page_id: id, revision, description, described_by: isDescribed ? (old?.description === description ? old.described_by : revision) : 0, content, authors: JSON.stringify(authors),
    writer: change.writer, written_at: now, read_from: change.readFrom ?? 0, spans: JSON.stringify(mergedSpans([...change.spans, ...under])),
  })
  if (revision > pageRevisionsKept && revision % lookEvery === 0) yield* letGo(id, revision - pageRevisionsKept)
  yield* indexPages(now)
  const row = yield* pageById(id)
  if (row === undefined) throw lost('page')
  return row
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
  const needed = new Set(kept.flatMap((one) => [one.described_by, ...authorOfEachLine(authorsIn(one))]))
  for (const { revision, isLetGo } of all) {
    if (revision > upTo) continue
    if (!needed.has(revision)) yield* dropPageRevision(page, revision)
    else if (isLetGo !== 1) yield* letRevisionGo(page, revision)
  }
}
