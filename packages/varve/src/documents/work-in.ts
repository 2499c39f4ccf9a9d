import { prepareDrafts, writeAhead } from '../pages/ahead.ts'
import { withinTransaction, type PageWork, type PreparedWork } from '../pages/page-work.ts'
import type { PagePort } from '../pages/port.ts'
import { writeIndexedPage } from '../pages/write-page.ts'
import type { PageFactTable } from '../storage/page-tables.ts'
import { type FactAside, messagesOf, pageFactById, setAside, setFactsAside, workedIn } from '../storage/pages/page-facts.ts'
import { countPages, findDocument, pageById, pageKinds, type StoredPage } from '../storage/pages/pages.ts'
import type { StoredSpan } from '../storage/pages/authors.ts'
import { partitionById } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
import { heldWork, workKinds } from '../storage/work.ts'
import { noteInPartition } from '../storage/journal/note.ts'
import { documentChars, maxDocuments } from './document.ts'
import { nameKey } from './names.ts'

/** The changes of one document, in one pass. */
export interface DocumentWrite {
  /** Its number; 0 for a new one. */
  readonly page: number
  /** The revision that it was made of. */
  readonly basis: number
  readonly name: string
  readonly writer: string
  /** True when the writer was shown the standing page. */
  readonly sawPage: boolean
  /** The new revisions, in order: the content of each, and the numbers of the facts in it. */
  readonly steps: readonly DocumentStep[]
}

export interface DocumentStep {
  readonly content: string
  readonly description: string
  readonly facts: readonly number[]
}

/**
 * The result of a pass: the written documents, or the names of documents that changed meanwhile. A changed one is not
 * written, and its facts still wait.
 */
export type WorkedIn =
  | { readonly documents: readonly { readonly name: string; readonly revision: number }[] }
  | { readonly stale: readonly string[] }

/** The most text that one transaction works in, in characters: some five revisions of the longest documents. */
const charsAtOnce = 1_000_000

/**
 * Writes all documents of a pass. Each must stand as it was read, and so must its facts. Slow work is done ahead of the
 * transaction. A pass of more than a million characters takes several: then one may be stale after others were written.
 */
export async function workInAhead(
  here: PagePort,
  partition: number,
  holder: string,
  writes: readonly DocumentWrite[],
  now: number,
): Promise<WorkedIn> {
  const done = new Map<string, number>()
  for (let rest = writes; rest.length > 0;) {
    const [part, left] = partOf(rest)
    const prepare = (work: PreparedWork): Promise<number> => prepareAll(here, work, partition, part)
    const { result, written } = await writeAhead(here, JSON.stringify(['workIn', partition]), {
      prepare,
      program: (work) => workIn(partition, holder, part, now, work),
      now,
    })
    if ('stale' in result) return result
    for (const { name, revision } of result.documents) done.set(name, revision)
    const last = written.at(-1)
    const [first, ...others] = left
    const isSplit = first !== undefined && first.name === part.at(-1)?.name && first.page === part.at(-1)?.page
    rest = isSplit && last !== undefined ? [{ ...first, page: last.id, basis: last.revision }, ...others] : left
  }
  return { documents: Array.from(done, ([name, revision]) => ({ name, revision })) }
}

/** Splits a pass: the part that one transaction takes, at least a step, and the rest. */
function partOf(writes: readonly DocumentWrite[]): [part: readonly DocumentWrite[], rest: readonly DocumentWrite[]] {
  const part: DocumentWrite[] = []
  let chars = 0
  for (const [place, write] of writes.entries()) {
    const fits = write.steps.findIndex(({ content }) => (chars += content.length) > charsAtOnce)
    if (fits === -1) {
      part.push(write)
      continue
    }
    const steps = Math.max(fits, part.length === 0 ? 1 : 0)
    if (steps > 0) part.push({ ...write, steps: write.steps.slice(0, steps) })
    const left = write.steps.slice(steps)
    return [part, [...(left.length === 0 ? [] : [{ ...write, steps: left }]), ...writes.slice(place + 1)]]
  }
  return [part, []]
}

async function prepareAll(here: PagePort, work: PreparedWork, partition: number, writes: readonly DocumentWrite[]): Promise<number> {
  let weight = 1
  for (const { page, basis, name, steps } of writes) {
    const old = page === 0 ? undefined : await here.read(pageById({ id: page, partition_id: partition }))
    if (page !== 0 && old?.revision !== basis) continue
    weight += await prepareDrafts(here, work, {
      place: old ?? { kind: pageKinds.document, name, session_id: 0, partition_id: partition },
      old,
      drafts: steps,
    })
  }
  return weight
}

/** Writes all documents of a pass in one transaction, or none. */
export function* workIn(
  partition: number,
  holder: string,
  writes: readonly DocumentWrite[],
  now: number,
  work: PageWork = withinTransaction,
): Program<WorkedIn> {
  // The partition first, as a forget takes it: neither waits for what the other holds.
  const [, held] = yield* abreast([partitionById(partition), heldWork({ kind: workKinds.documents, ref: partition }, holder)])
  if (held === undefined) return { stale: writes.map(({ name }) => name) }
  const stale: string[] = []
  for (const write of writes) if (!(yield* stands(partition, write))) stale.push(write.name)
  if (stale.length > 0) return { stale }
  const documents: { name: string; revision: number }[] = []
  for (const write of writes) {
    const page = yield* writeAll(partition, write, now, work)
    if (page !== undefined) documents.push({ name: page.name, revision: page.revision })
  }
  yield* noteInPartition(partition, { kind: 'documented', count: documents.length, at: now })
  return { documents }
}

/** Sets facts aside that are not worth a document, for the holder of their partition's documents. */
export function* putFactsAside(partition: number, holder: string, facts: readonly FactAside[]): Program<void> {
  if ((yield* heldWork({ kind: workKinds.documents, ref: partition }, holder)) !== undefined) yield* setFactsAside(partition, facts)
}

function* stands(partition: number, { page, basis, name, steps }: DocumentWrite): Program<boolean> {
  const row = page === 0 ? yield* findDocument(partition, nameKey(name)) : yield* pageById({ id: page, partition_id: partition })
  if (page === 0 ? row !== undefined : row?.revision !== basis) return false
  for (const id of steps.flatMap(({ facts }) => facts)) {
    const { page_id: place } = (yield* pageFactById(partition, id)) ?? { page_id: undefined }
    if (place !== 0 && place !== setAside) return false
  }
  return page !== 0 || (yield* countPages(partition, pageKinds.document)) < maxDocuments
}

function* writeAll(
  partition: number,
  { page, name, writer, sawPage, steps }: DocumentWrite,
  now: number,
  work: PageWork,
): Program<StoredPage | undefined> {
  let row = page === 0 ? undefined : yield* pageById({ id: page, partition_id: partition })
  const place = { partition, kind: pageKinds.document, session: 0, name: row?.name ?? name, key: row?.name_key ?? nameKey(name) }
  for (const { content, description, facts } of steps) {
    const [rows, before]: [PageFactTable[], number] = [[], row?.revision ?? 0]
    for (const id of facts) rows.push(...[yield* pageFactById(partition, id)].filter((one) => one !== undefined))
    const spans = rows.flatMap((fact) => messagesOf(fact).map((seq): StoredSpan => [fact.session_id, seq, seq]))
    row = yield* writeIndexedPage(
      place,
      row,
      {
        content,
        description,
        isSummary: !sawPage,
        maxChars: row?.max_chars ?? documentChars.usual,
        writer,
        spans,
        sawPage,
        basis: row?.revision ?? 0,
      },
      now,
      work,
    )
    const { id: into, revision } = row
    const wrote = revision > before && work.standing(row.authors).has(revision) ? revision : 0
    for (const { id } of rows) yield* workedIn(partition, id, into, wrote)
  }
  return row
}
