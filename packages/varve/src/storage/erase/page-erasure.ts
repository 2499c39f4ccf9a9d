import { dropContextsOf } from './page-contexts.ts'
import { byHand, extractive } from '../../models/writer.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { itemsOfPage } from '../derived/items.ts'
import { leastTelling, maxNeedleBytes, type Needles } from '../needles.ts'
import {
  blankFactsOf,
  dropPageFacts,
  factNaming,
  messagesOf,
  pageFactsOf,
  pageFactsOfPartition,
  pageFactsOfSession,
  releaseFacts,
  releaseFactsOf,
} from '../pages/page-facts.ts'
import type { PageFactTable, PageRevisionTable, PageTable } from '../page-tables.ts'
import {
  changePage,
  dropPage,
  type PageKey,
  type RevisionOrigin,
  originsUnder,
  pageById,
  pageIdsOf,
  pageIdsOfSession,
  pageKinds,
  replaceSources,
  storePageRevision,
} from '../pages/pages.ts'
import {
  changePageRevisions,
  changeSpans,
  type RevisionOutline,
  pageRevisions,
  revisionOutlines,
  withTexts,
} from '../pages/page-revisions.ts'
import { authorOfEachLine, authorsIn, inRow, linesIn, spansIn, type StoredSpan } from '../pages/authors.ts'
import { rereadFrom } from '../pages/notes-work.ts'
import { nearTo } from '../partitions.ts'
import { withinPlaces } from './places.ts'
import { abreast, answer, type Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'

/** The writer names of the headings of notes, and of a page's remainder after a forget. */
export const template = 'template'
export const forgetting = 'forgetting'

/** A page that loses some of its lines, or goes as a whole. */
export interface DoomedPage extends PageKey {
  readonly uuid: Uint8Array
  readonly kind: number
  /** Revisions whose lines rest on forgotten messages; undefined when the whole page goes. */
  readonly doomed: ReadonlySet<number> | undefined
}

/** The pages and page facts that rest on forgotten messages. */
export interface DoomedPages {
  /** The partitions around that of the messages or of the pages (nearTo). */
  readonly near: string
  readonly pages: readonly DoomedPage[]
  readonly facts: readonly PageFactTable[]
}

const allRevisions = Number.MAX_SAFE_INTEGER

/** The revision that gave a document its name. */
const firstRevision = 1

/**
 * Returns the pages that rest on messages: in each session on those at some places, or on all. With a whole session its
 * notes go too.
 */
export function* pagesFrom(
  partition: number,
  near: string,
  said: ReadonlyMap<number, readonly number[] | undefined>,
): Program<DoomedPages> {
  const read = yield* abreast([...said].map(([session, seqs]) => pagesOfOne(partition, near, session, seqs === undefined)))
  const found = new Map<number, DoomedPage>()
  const facts: PageFactTable[] = []
  for (const [place, [session, seqs]] of [...said].entries()) {
    const goes = withinPlaces(seqs)
    const one = read[place]
    facts.push(...(one?.facts ?? []).filter((fact) => messagesOf(fact).some((seq) => goes(seq, seq))))
    for (const page of one?.own ?? []) found.set(page.id, { ...page, doomed: undefined })
    for (const [id, revisions] of Map.groupBy(one?.origins ?? [], (origin) => origin.id)) {
      const before = found.get(id)
      if (before !== undefined && before.doomed === undefined) continue
      const doomed = revisions.filter((revision) => spansIn(revision).some(([other, from, to]) => other === session && goes(from, to)))
      for (const { partition_id, uuid, kind } of doomed.slice(0, 1)) {
        found.set(id, {
          id,
          partition_id,
          uuid,
          kind,
          doomed: withRewritten(kind, revisions, new Set([...(before?.doomed ?? []), ...doomed.map(({ revision }) => revision)])),
        })
      }
    }
  }
  return { near, pages: [...found.values()], facts }
}

/** Returns the page data that may rest on a session, and its notes when the whole session goes. */
function* pagesOfOne(
  partition: number,
  near: string,
  session: number,
  isAll: boolean,
): Program<{
  facts: readonly PageFactTable[]
  own: readonly Pick<PageTable, keyof PageKey | 'uuid' | 'kind'>[]
  origins: readonly RevisionOrigin[]
}> {
  const [facts, own, origins] = yield* abreast([
    pageFactsOfSession(partition, session),
    isAll ? pageIdsOfSession(partition, session) : answer([]),
    originsUnder(near, session),
  ])
  return { facts, own, origins }
}

/**
 * Widens the revisions to erase when a writer rewrote a document after seeing forgotten words. Then everything written
 * from messages goes, and the remaining messages are worked in anew. Where each line has one message as its source, the
 * other lines stay.
 */
function withRewritten(kind: number, revisions: readonly RevisionOrigin[], doomed: ReadonlySet<number>): ReadonlySet<number> {
  const isOwn = ({ writer }: RevisionOrigin): boolean => writer === extractive || writer === byHand
  if (kind !== pageKinds.document || revisions.every((one) => !doomed.has(one.revision) || isOwn(one))) return doomed
  return new Set([...doomed, ...revisions.filter((one) => spansIn(one).length > 0).map(({ revision }) => revision)])
}

/** Counts the documents and the notes that lose lines. */
export function countsOfPages({ pages }: { readonly pages: readonly Pick<DoomedPage, 'kind'>[] }): Readonly<Record<string, number>> {
  const countOf = (wanted: number): number => pages.filter(({ kind }) => kind === wanted).length
  const [documents, notes] = [countOf(pageKinds.document), countOf(pageKinds.notes)]
  return { ...(documents > 0 ? { document: documents } : {}), ...(notes > 0 ? { notes } : {}) }
}

/** The number of pages that are read together to be erased, each with all of its revisions. */
const erasedAtOnce = 16

/** A page after its lines were erased, and its passages: the caller erases those. */
export interface ErasedLines {
  readonly page: PageTable
  readonly items: readonly ItemTable[]
}

/** Takes lines out of every revision of pages. A page without a remaining line goes. Adds the erased bytes to the needles. */
export function* erasePageLines(
  { near, pages, facts }: DoomedPages,
  needles: Needles,
  bytes = Number.MAX_SAFE_INTEGER,
): Program<readonly ErasedLines[]> {
  for (const fact of facts) needles.add(bytesOf([fact.fact, fact.subject, fact.subject_key]))
  yield* dropPageFacts(facts)
  return (yield* abreast(
    pages.map((page) => erasePage(near, page, needles, bytes)),
    erasedAtOnce,
  )).flat()
}

/**
 * Erases page lines, and their passages in the index. Revisions that lose all lines have their spans blanked up to
 * `bytes`; eraseSpans() blanks the rest.
 */
export function* erasePages(doomed: DoomedPages, needles: Needles, bytes = Number.MAX_SAFE_INTEGER): Program<void> {
  yield* dropErased(yield* erasePageLines(doomed, needles, bytes), needles)
}

function* dropErased(erased: readonly ErasedLines[], needles: Needles): Program<void> {
  yield* abreast([
    eraseItems(
      erased.flatMap(({ items }) => items),
      needles,
    ),
    dropContextsOf(
      erased.map(({ page }) => page),
      needles.contexts,
    ),
  ])
}

/** Erases all pages of a partition, and the facts that wait to be worked in. Returns counts by kind. */
export function* erasePagesOf(partition: number, needles: Needles): Program<Readonly<Record<string, number>>> {
  const pages = (yield* pageIdsOf(partition)).map((page) => ({ ...page, doomed: undefined }))
  yield* erasePages({ near: yield* nearTo(partition), pages, facts: yield* pageFactsOfPartition(partition) }, needles)
  return countsOfPages({ pages })
}

/** The text of all revisions of a page, read before its deletion: bytes to search the files for. */
export interface ToldPage {
  readonly revision: number
  readonly words: readonly Uint8Array[]
  /** True when revisions were dropped: a database page may still hold a copy of their words. */
  readonly hasLetGo: boolean
}

/** Deletes a page by hand, with the facts worked into it and those that wait. Reads its text now if it changed since `told`. */
export function* deletePage(page: PageTable, needles: Needles, told?: ToldPage): Program<void> {
  needles.add(bytesOf((yield* blankFactsOf(page)).flatMap(({ subject, subject_key: key, fact }) => [subject, key, fact])))
  if (told?.revision !== page.revision)
    return yield* dropErased(
      yield* erasePage(yield* nearTo(page.partition_id), { id: page.id, partition_id: page.partition_id, doomed: undefined }, needles),
      needles,
    )
  if (told.hasLetGo) needles.lose()
  needles.add([...bytesOf([page.name, page.name_key]), ...told.words])
  const [items] = yield* abreast([itemsOfPage(yield* nearTo(page.partition_id), page.id), releaseFactsOf(page), dropPage(page)])
  yield* dropErased([{ page, items }], needles)
}

/** Gathers the text of a page revision by revision, each text once, up to the limit of the needles. */
export class PageTelling {
  readonly #words: Uint8Array[] = []
  readonly #seen = new Set<string>()
  #chars = 0
  #count = 0
  #hasLetGo = false

  add({ content, description }: Pick<PageRevisionTable, 'content' | 'description'>): void {
    this.#count += 1
    this.#hasLetGo ||= content === null
    if (this.#chars > maxNeedleBytes) return
    const fresh = [description, ...linesIn(content ?? '')].filter((text) => !this.#seen.has(text))
    for (const text of fresh) this.#seen.add(text)
    this.#chars += fresh.reduce((sum, text) => sum + text.length, 0)
    for (const bytes of bytesOf(fresh)) this.#words.push(bytes)
  }

  /** Returns the gathered text of a page at a revision. Text over the limit of the needles counts as dropped. */
  told(revision: number): ToldPage {
    return { revision, words: this.#words, hasLetGo: this.#hasLetGo || this.#count < revision || this.#chars > maxNeedleBytes }
  }
}

function* erasePage(
  near: string,
  { doomed, ...key }: Pick<DoomedPage, keyof PageKey | 'doomed'>,
  needles: Needles,
  bytes = Number.MAX_SAFE_INTEGER,
): Program<readonly ErasedLines[]> {
  const [page, revisions, items] = yield* abreast([pageById(key), revisionOutlines(key), itemsOfPage(near, key.id)])
  if (page === undefined) return []
  const left = doomed === undefined ? undefined : leftOf(page, revisions, doomed)
  const named = doomed === undefined ? undefined : yield* namedBy(page, revisions, doomed)
  if (hasLetGo(page, revisions)) needles.lose()
  if (left === undefined || doomed === undefined || named === undefined)
    yield* eraseWhole(page, yield* pageRevisions(key, allRevisions), needles)
  else yield* changeTo(page, left, { doomed, named }, revisions, needles, bytes)
  return [{ page, items }]
}

interface Gone {
  readonly doomed: ReadonlySet<number>
  readonly named: readonly StoredSpan[]
}

/** Stores the remainder of a page as its newest revision, and takes the other lines out of all older revisions. */
function* changeTo(
  page: PageTable,
  left: Left,
  gone: Gone,
  revisions: readonly RevisionOutline[],
  needles: Needles,
  bytes: number,
): Program<void> {
  const stale = (yield* withTexts(
    page,
    revisions.filter((revision) => tells(revision, gone.doomed)),
  )).map((revision) => without(revision, gone, needles))
  // The spans of bare revisions go with their lines.
  const bare = revisions.filter((revision) => gone.doomed.has(revision.revision) && !tells(revision, gone.doomed))
  const later = new Set(bare.filter(({ revision }) => revision !== firstRevision).slice(within(bare, bytes).length))
  const kept = revisions.map((revision) => (later.has(revision) ? revision : { ...revision, spans: spansLeft(revision, gone) }))
  const read = revisions.filter(({ revision, read_from: from }) => gone.doomed.has(revision) && from > 0).map(({ read_from: from }) => from)
  const now = Math.max(page.updated_at, kept[0]?.written_at ?? 0)
  yield* abreast([
    changePageRevisions(page.partition_id, stale),
    changeSpans(
      page,
      bare.filter((revision) => !later.has(revision)).map((revision) => ({ ...revision, spans: spansLeft(revision, gone) })),
    ),
    page.kind === pageKinds.document ? releaseLost(page, left, revisions, gone.doomed) : answer(undefined),
    read.length > 0 ? rereadFrom(page, Math.min(...read)) : answer(undefined),
    storePageRevision(page.partition_id, {
      ...left.revision,
      page_id: page.id,
      revision: page.revision + 1,
      writer: forgetting,
      written_at: now,
    }),
    changePage({
      ...page,
      revision: page.revision + 1,
      description: left.revision.description,
      content: left.revision.content ?? '',
      indexed: 0,
    }),
    replaceSources(page, sessionsOf(kept)),
  ])
}

function sessionsOf(revisions: readonly Pick<PageRevisionTable, 'spans'>[]): Set<number> {
  return new Set(revisions.flatMap((revision) => spansIn(revision).map(([session]) => session)))
}

/** Returns as many revisions as fit into the bytes, at least one. */
function within<Revision extends { readonly bytes: number }>(revisions: readonly Revision[], most: number): readonly Revision[] {
  let bytes = 0
  const over = revisions.findIndex((one) => (bytes += one.bytes) > most)
  return over < 0 ? revisions : revisions.slice(0, Math.max(1, over))
}

/** Blanks the spans of revisions without a remaining line, some at a time. Returns whether there are more. */
export function* eraseSpans(page: PageKey, doomed: ReadonlySet<number>, bytes: number): Program<boolean> {
  const revisions = yield* revisionOutlines(page)
  const telling = revisions.filter((one) => doomed.has(one.revision) && one.revision !== firstRevision && spansIn(one).length > 0)
  const some = new Set(within(telling, bytes))
  yield* changeSpans(
    page,
    [...some].map(({ revision }) => ({ revision, spans: '[]' })),
  )
  if (some.size < telling.length) return true
  yield* replaceSources(page, sessionsOf(revisions.filter((one) => !some.has(one))))
  return false
}

interface Left {
  readonly revision: Omit<PageRevisionTable, 'page_id' | 'revision' | 'writer' | 'written_at'>
  readonly isRewritten: boolean
  /** Revisions with a remaining line of text. */
  readonly standing: ReadonlySet<number>
}

/**
 * Makes facts wait again that were worked in and lost their line, when their message stands. A document that is
 * rewritten releases all its facts. Otherwise it releases those whose bullet or hand-written line also said forgotten
 * words.
 */
function* releaseLost(
  page: PageKey,
  { isRewritten, standing }: Left,
  revisions: readonly RevisionOutline[],
  doomed: ReadonlySet<number>,
): Program<void> {
  if (isRewritten) return yield* releaseFactsOf(page)
  const gone = revisions.filter((one) => doomed.has(one.revision)).flatMap((one) => spansIn(one))
  const wasUnder = (fact: PageFactTable): boolean =>
    messagesOf(fact).some((seq) => gone.some(([session, from, to]) => session === fact.session_id && seq >= from && seq <= to))
  yield* releaseFacts((yield* pageFactsOf(page)).filter((fact) => fact.revision === 0 || (wasUnder(fact) && !standing.has(fact.revision))))
}

/** Tells whether revisions were dropped: a database page may still hold a copy of their words. */
function hasLetGo(page: PageTable, revisions: readonly RevisionOutline[]): boolean {
  return revisions.length < page.revision || revisions.some(({ isLetGo }) => Boolean(isLetGo))
}

/** Returns the remainder of a page without some revisions' lines; undefined when only headings remain. */
function leftOf(
  page: PageTable & Pick<PageRevisionTable, 'authors' | 'described_by'>,
  revisions: readonly RevisionOutline[],
  doomed: ReadonlySet<number>,
): Left | undefined {
  const { lines, authors } = linesWithout(page.content, page, doomed)
  const standing = new Set(authors.filter((_, at) => lines[at]?.trim() !== ''))
  const headings = new Set(revisions.filter(({ writer }) => writer === template).map(({ revision }) => revision))
  if (!lines.some((line, at) => line.trim() !== '' && !/^#{1,6}\s/.test(line) && !headings.has(authors[at] ?? 0))) return undefined
  const isDescribed = page.described_by > 0 && !doomed.has(page.described_by)
  const isRewritten = revisions.some(({ revision, writer }) => doomed.has(revision) && writer !== extractive && writer !== byHand)
  return {
    revision: {
      description: isDescribed ? page.description : '',
      described_by: isDescribed ? page.described_by : 0,
      content: lines.join('\n'),
      authors: JSON.stringify(inRow(authors)),
      read_from: 0,
      spans: '[]',
    },
    isRewritten,
    standing,
  }
}

/**
 * Returns the source of a document's name: its first revision, or else a remaining message that uses the name. Returns
 * undefined when there is neither.
 */
function* namedBy(
  page: PageTable,
  revisions: readonly RevisionOutline[],
  doomed: ReadonlySet<number>,
): Program<readonly StoredSpan[] | undefined> {
  if (!doomed.has(firstRevision)) return revisions.filter(({ revision }) => revision === firstRevision).flatMap((one) => spansIn(one))
  if (page.kind !== pageKinds.document) return []
  // A continuation of a full page is called after it: "Harbour (2)".
  const called = / \(\d{1,4}\)$/.test(page.name) ? page.name_key.replace(/ \d{1,4}$/, '') : page.name_key
  const fact = (yield* factNaming(page.partition_id, page.name_key)) ?? (yield* factNaming(page.partition_id, called))
  return fact === undefined ? undefined : messagesOf(fact).map((seq) => [fact.session_id, seq, seq])
}

/** Tells whether a revision has lines to erase. A revision written before them has none. */
export function tells(revision: Pick<PageRevisionTable, 'authors' | 'described_by'>, doomed: ReadonlySet<number>): boolean {
  return doomed.has(revision.described_by) || authorsIn(revision).some(([author]) => doomed.has(author))
}

function spansLeft({ revision, spans }: Pick<PageRevisionTable, 'revision' | 'spans'>, { doomed, named }: Gone): string {
  if (!doomed.has(revision)) return spans
  return revision === firstRevision ? JSON.stringify(named) : '[]'
}

function without(revision: PageRevisionTable, gone: Gone, needles: Needles): PageRevisionTable {
  const { lines, authors, gone: lost } = linesWithout(revision.content ?? '', revision, gone.doomed)
  const isDescribed = revision.described_by > 0 ? !gone.doomed.has(revision.described_by) : lost.length === 0
  if (!isDescribed) needles.add(bytesOf([revision.description]))
  needles.add(bytesOf(lost))
  return {
    ...revision,
    content: revision.content === null ? null : lines.join('\n'),
    authors: JSON.stringify(inRow(authors)),
    description: isDescribed ? revision.description : '',
    described_by: isDescribed ? revision.described_by : 0,
    spans: spansLeft(revision, gone),
  }
}

/** Takes lines out of some older revisions, before the rest of their page is erased. Their spans stay until then. */
export function* eraseOlderLines(
  page: PageKey,
  doomed: ReadonlySet<number>,
  revisions: readonly number[],
  needles: Needles,
): Program<void> {
  const wanted = new Set(revisions)
  const some = (yield* revisionOutlines(page)).filter((outline) => wanted.has(outline.revision) && tells(outline, doomed))
  const stale = (yield* withTexts(page, some)).map((revision) => ({
    ...without(revision, { doomed, named: [] }, needles),
    spans: revision.spans,
  }))
  yield* changePageRevisions(page.partition_id, stale)
}

function linesWithout(
  content: string,
  { authors }: Pick<PageRevisionTable, 'authors'>,
  doomed: ReadonlySet<number>,
): { lines: string[]; authors: number[]; gone: string[] } {
  const all = authorOfEachLine(authorsIn({ authors }))
  const kept: { lines: string[]; authors: number[]; gone: string[] } = { lines: [], authors: [], gone: [] }
  for (const [at, line] of linesIn(content).entries()) {
    const author = all[at] ?? 0
    if (doomed.has(author)) kept.gone.push(line)
    else {
      kept.lines.push(line)
      kept.authors.push(author)
    }
  }
  // One blank line is no line.
  return kept.lines.join('\n') === '' ? { lines: [], authors: [], gone: kept.gone } : kept
}

function* eraseWhole(page: PageTable, revisions: readonly PageRevisionTable[], needles: Needles): Program<void> {
  needles.add(
    bytesOf([page.name, page.name_key, ...revisions.flatMap(({ content, description }) => [description, ...linesIn(content ?? '')])]),
  )
  yield* abreast([releaseFactsOf(page), dropPage(page)])
}

/** Encodes each text once: a line stands in many revisions. */
function bytesOf(texts: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder()
  // A UTF-16 unit takes three bytes at most.
  return [...new Set(texts.filter(({ length }) => 3 * length >= leastTelling))]
    .map((text) => encoder.encode(text))
    .filter(({ length }) => length >= leastTelling)
}
