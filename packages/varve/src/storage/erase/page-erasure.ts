import { byHand, extractive } from '../../models/writer.ts'
import { contextsThatShowed, dropContexts } from '../log/contexts.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { itemsOfPage } from '../derived/items.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { blankFactsOf, dropPageFact, factNaming, messagesOf, pageFactsOf, pageFactsOfPartition, pageFactsOfSession, releaseFact, releaseFactsOf } from '../pages/page-facts.ts'
import type { PageFactTable, PageRevisionTable, PageTable } from '../page-tables.ts'
import {
  authorOfEachLine, authorsIn, changePage, changePageRevision, dropPage, inRow, linesIn, pageById, pageIdsOf, pageIdsOfSession, pageKinds, pageRevisions, pagesRestingOn, replaceSources, spansIn,
  type StoredSpan, storePageRevision,
} from '../pages/pages.ts'
import { rereadFrom } from '../pages/notes-work.ts'
import { partitionById } from '../partitions.ts'
import type { Program } from '../program.ts'
import { uuidText } from '../uuid-bytes.ts'

/** Who wrote the headings of notes, and what is left of a page once something of it was forgotten. */
export const template = 'template'
export const forgetting = 'forgetting'

/** A page of which some lines go, or all of it. */
export interface DoomedPage {
  readonly id: number
  readonly uuid: Uint8Array
  readonly kind: number
  /** Revisions whose lines rest on what goes; undefined when the whole page goes. */
  readonly doomed: ReadonlySet<number> | undefined
}

/** What of documents and notes rests on messages that go. */
export interface DoomedPages {
  readonly pages: readonly DoomedPage[]
  readonly facts: readonly PageFactTable[]
}

const allRevisions = Number.MAX_SAFE_INTEGER

/** The one that gave a document its name. */
const firstRevision = 1

/** Pages that rest on messages: of each session on those at some places, or on any of it; of a session that goes its notes as well. */
export function* pagesFrom(said: ReadonlyMap<number, readonly number[] | undefined>): Program<DoomedPages> {
  const found = new Map<number, DoomedPage>()
  const facts: PageFactTable[] = []
  for (const [session, seqs] of said) {
    const goes = (from: number, to: number): boolean => seqs === undefined || seqs.some((seq) => seq >= from && seq <= to)
    facts.push(...(yield* pageFactsOfSession(session)).filter((fact) => messagesOf(fact).some((seq) => goes(seq, seq))))
    if (seqs === undefined) for (const page of yield* pageIdsOfSession(session)) found.set(page.id, { ...page, doomed: undefined })
    for (const id of yield* pagesRestingOn(session)) {
      const before = found.get(id)
      if (before !== undefined && before.doomed === undefined) continue
      const revisions = yield* pageRevisions(id, allRevisions)
      const doomed = revisions.filter((revision) => spansIn(revision).some(([one, from, to]) => one === session && goes(from, to))).map(({ revision }) => revision)
      if (doomed.length === 0) continue
      const page = yield* pageById(id)
      if (page !== undefined) found.set(id, { id, uuid: page.uuid, kind: page.kind, doomed: withRewritten(page.kind, revisions, new Set([...(before?.doomed ?? []), ...doomed])) })
    }
  }
  return { pages: [...found.values()], facts }
}

/**
 * Of a document that somebody rewrote who was shown what goes: all that was written from messages goes, and what is left of
 * these is worked in anew. Where each line is one message's own, the others stay.
 */
function withRewritten(kind: number, revisions: readonly PageRevisionTable[], doomed: ReadonlySet<number>): ReadonlySet<number> {
  const isOwn = ({ writer }: PageRevisionTable): boolean => writer === extractive || writer === byHand
  if (kind !== pageKinds.document || revisions.every((one) => !doomed.has(one.revision) || isOwn(one))) return doomed
  return new Set([...doomed, ...revisions.filter((one) => spansIn(one).length > 0).map(({ revision }) => revision)])
}

/** How many documents and notes lose something. */
export function countsOfPages({ pages }: { readonly pages: readonly Pick<DoomedPage, 'kind'>[] }): Readonly<Record<string, number>> {
  const countOf = (wanted: number): number => pages.filter(({ kind }) => kind === wanted).length
  const [documents, notes] = [countOf(pageKinds.document), countOf(pageKinds.notes)]
  return { ...(documents > 0 ? { document: documents } : {}), ...(notes > 0 ? { notes } : {}) }
}

/** Takes lines out of every revision of pages, and out of what is found; a page of which nothing is left goes. Adds their bytes to what the files are searched for. */
export function* erasePages({ pages, facts }: DoomedPages, needles: Needles): Program<void> {
  for (const fact of facts) {
    needles.add(bytesOf([fact.fact, fact.subject, fact.subject_key]))
    yield* dropPageFact(fact.id)
  }
  for (const page of pages) yield* erasePage(page, needles)
}

/** Erases all pages of a partition, and what waits to be worked into them; gives back how many, by kind. */
export function* erasePagesOf(partition: number, needles: Needles): Program<Readonly<Record<string, number>>> {
  const pages = (yield* pageIdsOf(partition)).map((page) => ({ ...page, doomed: undefined }))
  yield* erasePages({ pages, facts: yield* pageFactsOfPartition(partition) }, needles)
  return countsOfPages({ pages })
}

/** A page that is deleted by hand goes with what was worked into it, and with what waits to be. */
export function* deletePage(page: PageTable, needles: Needles): Program<void> {
  needles.add(bytesOf((yield* blankFactsOf(page)).flatMap(({ subject, subject_key: key, fact }) => [subject, key, fact])))
  yield* erasePage({ id: page.id, doomed: undefined }, needles)
}

function* erasePage({ id, doomed }: Pick<DoomedPage, 'id' | 'doomed'>, needles: Needles): Program<void> {
  const page = yield* pageById(id)
  if (page === undefined) return
  const revisions = yield* pageRevisions(id, allRevisions)
  const left = doomed === undefined ? undefined : leftOf(page, revisions, doomed)
  const named = doomed === undefined ? undefined : yield* namedBy(page, revisions, doomed)
  if (left === undefined || doomed === undefined || named === undefined) return yield* eraseWhole(page, revisions, needles)
  if (hasLetGo(page, revisions)) needles.lose()
  const kept: PageRevisionTable[] = []
  for (const revision of revisions) {
    const changed = without(revision, { doomed, named }, needles)
    kept.push(changed)
    yield* changePageRevision(changed)
  }
  if (page.kind === pageKinds.document) yield* releaseLost(id, left, revisions, doomed)
  const read = revisions.filter(({ revision, read_from: from }) => doomed.has(revision) && from > 0).map(({ read_from: from }) => from)
  if (read.length > 0) yield* rereadFrom(page, Math.min(...read))
  yield* eraseItems(yield* itemsOfPage(id), needles)
  yield* dropContextsOf(page)
  const [newest] = kept
  const now = Math.max(page.updated_at, newest?.written_at ?? 0)
  yield* storePageRevision({ ...left.revision, page_id: id, revision: page.revision + 1, writer: forgetting, written_at: now })
  yield* changePage({ ...page, revision: page.revision + 1, description: left.revision.description, content: left.revision.content ?? '', indexed: 0 })
  yield* replaceSources(id, new Set(kept.flatMap((revision) => spansIn(revision).map(([session]) => session))))
}

interface Left {
  readonly revision: Omit<PageRevisionTable, 'page_id' | 'revision' | 'writer' | 'written_at'>
  readonly isRewritten: boolean
  /** Revisions of which a line stands that says something. */
  readonly standing: ReadonlySet<number>
}

/**
 * What was worked in and does not stand any more though its message does waits again: with all of a document that is worked in
 * anew; or what one bullet or one person's line said together with what goes.
 */
function* releaseLost(id: number, { isRewritten, standing }: Left, revisions: readonly PageRevisionTable[], doomed: ReadonlySet<number>): Program<void> {
  if (isRewritten) return yield* releaseFactsOf(id)
  const gone = revisions.filter((one) => doomed.has(one.revision)).flatMap((one) => spansIn(one))
  for (const fact of yield* pageFactsOf(id)) {
    const wasUnder = messagesOf(fact).some((seq) => gone.some(([session, from, to]) => session === fact.session_id && seq >= from && seq <= to))
    if (fact.revision === 0 || (wasUnder && !standing.has(fact.revision))) yield* releaseFact(fact.id)
  }
}

/** A page of the file may still hold a copy of words that were let go. */
function hasLetGo(page: PageTable, revisions: readonly PageRevisionTable[]): boolean {
  return revisions.length < page.revision || revisions.some(({ content }) => content === null)
}

/** What stands once some revisions' lines are gone; undefined when that is nothing but headings. */
function leftOf(page: PageTable & Pick<PageRevisionTable, 'authors' | 'described_by'>, revisions: readonly PageRevisionTable[], doomed: ReadonlySet<number>): Left | undefined {
  const { lines, authors } = linesWithout(page.content, page, doomed)
  const standing = new Set(authors.filter((_, at) => lines[at]?.trim() !== ''))
  const headings = new Set(revisions.filter(({ writer }) => writer === template).map(({ revision }) => revision))
  if (!lines.some((line, at) => line.trim() !== '' && !/^#{1,6}\s/.test(line) && !headings.has(authors[at] ?? 0))) return undefined
  const isDescribed = page.described_by > 0 && !doomed.has(page.described_by)
  const isRewritten = revisions.some(({ revision, writer }) => doomed.has(revision) && writer !== extractive && writer !== byHand)
  return {
    revision: {
      description: isDescribed ? page.description : '', described_by: isDescribed ? page.described_by : 0, content: lines.join('\n'),
      authors: JSON.stringify(inRow(authors)), read_from: 0, spans: '[]',
    },
    isRewritten,
    standing,
  }
}

/** What a document's name rests on: its first revision, or else a message that stays and calls it that. Undefined when nothing does. */
function* namedBy(page: PageTable, revisions: readonly PageRevisionTable[], doomed: ReadonlySet<number>): Program<readonly StoredSpan[] | undefined> {
  if (!doomed.has(firstRevision)) return revisions.filter(({ revision }) => revision === firstRevision).flatMap((one) => spansIn(one))
  if (page.kind !== pageKinds.document) return []
  // One that goes on where another was full is called after that: "Harbour (2)".
  const called = / \(\d{1,4}\)$/.test(page.name) ? page.name_key.replace(/ \d{1,4}$/, '') : page.name_key
  const fact = (yield* factNaming(page.partition_id, page.name_key)) ?? (yield* factNaming(page.partition_id, called))
  return fact === undefined ? undefined : messagesOf(fact).map((seq) => [fact.session_id, seq, seq])
}

function without(revision: PageRevisionTable, { doomed, named }: { readonly doomed: ReadonlySet<number>; readonly named: readonly StoredSpan[] }, needles: Needles): PageRevisionTable {
  const isDoomed = doomed.has(revision.revision)
  const { lines, authors, gone } = linesWithout(revision.content ?? '', revision, doomed)
  const isDescribed = revision.described_by > 0 ? !doomed.has(revision.described_by) : gone.length === 0
  if (!isDescribed) needles.add(bytesOf([revision.description]))
  needles.add(bytesOf(gone))
  return {
    ...revision, content: revision.content === null ? null : lines.join('\n'), authors: JSON.stringify(inRow(authors)), description: isDescribed ? revision.description : '',
    described_by: isDescribed ? revision.described_by : 0, spans: revision.revision === firstRevision ? JSON.stringify(named) : isDoomed ? '[]' : revision.spans,
  }
}

function linesWithout(content: string, { authors }: Pick<PageRevisionTable, 'authors'>, doomed: ReadonlySet<number>): { lines: string[]; authors: number[]; gone: string[] } {
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
  if (hasLetGo(page, revisions)) needles.lose()
  needles.add(bytesOf([page.name, page.name_key, ...revisions.flatMap(({ content, description }) => [description, ...linesIn(content ?? '')])]))
  yield* eraseItems(yield* itemsOfPage(page.id), needles)
  yield* dropContextsOf(page)
  yield* releaseFactsOf(page.id)
  yield* dropPage(page.id)
}

/** Any member of the project may have been shown a page that it shares. */
function* dropContextsOf({ uuid, partition_id: partition }: PageTable): Program<void> {
  const owner = yield* partitionById(partition)
  if (owner !== undefined) yield* dropContexts(yield* contextsThatShowed({ project: owner.project_id }, new Set([uuidText(uuid)])))
}

/** Each text once: a line stands in many revisions. */
function bytesOf(texts: readonly string[]): Uint8Array[] {
  return [...new Set(texts)].map((text) => new TextEncoder().encode(text)).filter(({ length }) => length >= leastTelling)
}
