import { writePage } from '../pages/write-page.ts'
import type { PageFactTable } from '../storage/page-tables.ts'
import { messagesOf, pageFactById, workedIn } from '../storage/pages/page-facts.ts'
import { authorsIn, countPages, findDocument, pageById, pageKinds, type StoredPage, type StoredSpan } from '../storage/pages/pages.ts'
import type { Program } from '../storage/program.ts'
import { heldWork, workKinds } from '../storage/work.ts'
import { documentChars, maxDocuments } from './document.ts'
import { nameKey } from './names.ts'

/** What a document becomes, in one pass. */
export interface DocumentWrite {
  /** Its number; 0 for a new one. */
  readonly page: number
  /** The revision that it was made of. */
  readonly basis: number
  readonly name: string
  readonly writer: string
  /** Whether the writer was shown what stood there. */
  readonly sawPage: boolean
  /** One revision each: what stands then, and which facts (their numbers) are in it. */
  readonly steps: readonly DocumentStep[]
}

export interface DocumentStep {
  readonly content: string
  readonly description: string
  readonly facts: readonly number[]
}

/** What became of a pass: what was written, or the names of what was changed meanwhile, and then nothing was written. */
export type WorkedIn = { readonly documents: readonly { readonly name: string; readonly revision: number }[] } | { readonly stale: readonly string[] }

/** Writes all documents of a pass, or none: each must stand as it was read, and so must the facts that go into it. */
export function* workIn(partition: number, holder: string, writes: readonly DocumentWrite[], now: number): Program<WorkedIn> {
  if ((yield* heldWork({ kind: workKinds.documents, ref: partition }, holder)) === undefined) return { stale: writes.map(({ name }) => name) }
  const stale: string[] = []
  for (const write of writes) if (!(yield* stands(partition, write))) stale.push(write.name)
  if (stale.length > 0) return { stale }
  const documents: { name: string; revision: number }[] = []
  for (const write of writes) {
    const page = yield* writeAll(partition, write, now)
    if (page !== undefined) documents.push({ name: page.name, revision: page.revision })
  }
  return { documents }
}

function* stands(partition: number, { page, basis, name, steps }: DocumentWrite): Program<boolean> {
  const row = page === 0 ? yield* findDocument(partition, nameKey(name)) : yield* pageById(page)
  if (page === 0 ? row !== undefined : row?.revision !== basis) return false
  for (const id of steps.flatMap(({ facts }) => facts)) if ((yield* pageFactById(id))?.page_id !== 0) return false
  return page !== 0 || (yield* countPages(partition, pageKinds.document)) < maxDocuments
}

function* writeAll(partition: number, { page, name, writer, sawPage, steps }: DocumentWrite, now: number): Program<StoredPage | undefined> {
  let row = page === 0 ? undefined : yield* pageById(page)
  const place = { partition, kind: pageKinds.document, session: 0, name: row?.name ?? name, key: row?.name_key ?? nameKey(name) }
  for (const { content, description, facts } of steps) {
    const [rows, before]: [PageFactTable[], number] = [[], row?.revision ?? 0]
    for (const id of facts) rows.push(...[yield* pageFactById(id)].filter((one) => one !== undefined))
    const spans = rows.flatMap((fact) => messagesOf(fact).map((seq): StoredSpan => [fact.session_id, seq, seq]))
    row = yield* writePage(place, row, { content, description, isSummary: !sawPage, maxChars: row?.max_chars ?? documentChars.usual, writer, spans, sawPage, basis: row?.revision ?? 0 }, now)
    const { id: into, revision } = row
    const wrote = revision > before && authorsIn(row).some(([author]) => author === revision) ? revision : 0
    for (const { id } of rows) yield* workedIn(id, into, wrote)
  }
  return row
}
