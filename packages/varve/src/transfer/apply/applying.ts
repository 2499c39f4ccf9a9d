import { createHash } from 'node:crypto'
import { searchedTexts } from '../../pages/findable.ts'
import { inOneGo } from '../../pages/turns.ts'
import { sessionName, type PartitionId } from '../../scope/partition.ts'
import { findSessionRow, countersChange } from '../../storage/log/sessions.ts'
import {
  ensureDerivedOf,
  ensureKnownOf,
  ensurePartition,
  ensureShared,
  type PartitionRow,
  partitionChange,
} from '../../storage/partitions.ts'
import type { PageTable } from '../../storage/page-tables.ts'
import { type PastForgets, pastForgets } from '../../storage/erase/past-forgets.ts'
import { type Program, runList, type SingleStep } from '../../storage/program.ts'
import type { SessionTable } from '../../storage/schema.ts'
import { allNoted, type ImportRow, importTrust, notedAt, type NotedPlace, notePlaces, placeKinds } from '../../storage/transfer/imports.ts'
import { uuidBytes } from '../../storage/uuid-bytes.ts'
import { isExportOf } from '../export-owner.ts'
import type { ImportCounts } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'

type SearchedPage = Pick<PageTable, 'id' | 'name' | 'description' | 'content'>

/** A session that takes part in an import. */
export interface ImportedSession {
  readonly row: SessionTable
  /** True when this import makes all of it, so that its layers come with it. */
  readonly isFresh: boolean
  isChanged: boolean
}

/** What a transaction of an import begins with. */
export interface BeginsApplying {
  readonly partition: PartitionId
  readonly row: ImportRow
  readonly counts: ImportCounts
  /** True to store what was forgotten again. */
  readonly restores: boolean
  readonly now: number
}

/** One transaction of an import: the rows that it changes, and the notes that it keeps for later ones. */
export class Applying {
  readonly partition: PartitionId
  readonly import: ImportRow
  readonly header: RecordOf<'header'>
  readonly own: PartitionRow
  readonly now: number
  readonly counts: ImportCounts
  /** True to store what was forgotten again. */
  readonly restores: boolean
  readonly #sessions = new Map<string, ImportedSession | undefined>()
  readonly #places = new Map<number, Map<number, number>>()
  readonly #noted: NotedPlace[] = []
  readonly #texts = new Map<number, ReadonlyMap<string, string>>()
  #derived: PartitionRow | undefined
  #known: PartitionRow | undefined
  #forgets: PastForgets | undefined

  private constructor({ partition, row, counts, restores, now }: BeginsApplying, own: PartitionRow) {
    this.partition = partition
    this.import = row
    this.header = JSON.parse(row.header)
    this.own = own
    this.counts = counts
    this.restores = restores
    this.now = now
  }

  static *begin(begins: BeginsApplying): Program<Applying> {
    return new Applying(begins, yield* ensurePartition(begins.partition, begins.now))
  }

  /**
   * Tells whether a forget of more than single messages took something that rests on no message. Counts it as forgotten
   * then: no id of it is remembered, so its time tells.
   */
  *isForgotten(isTaken: (forgets: PastForgets) => boolean): Program<boolean> {
    if (this.restores) return false
    this.#forgets ??= yield* pastForgets(this.partition)
    const isGone = isTaken(this.#forgets)
    if (isGone) this.counts.forgotten += 1
    return isGone
  }

  /** True when the store itself, or a key that the caller trusts, vouches for the lines. */
  get isVouchedFor(): boolean {
    return this.import.trust === importTrust.own || this.import.trust === importTrust.trusted
  }

  get isShared(): boolean {
    return this.partition.owner.kind === 'shared'
  }

  /** The partition of items, which is made when it is first needed. */
  *derived(): Program<PartitionRow> {
    this.#derived ??= this.isShared ? yield* ensureShared(this.own.project_id, this.now) : yield* ensureDerivedOf(this.own.id, this.now)
    return this.#derived
  }

  *known(): Program<PartitionRow> {
    this.#known ??= yield* ensureKnownOf(this.own.id, this.now)
    return this.#known
  }

  /** Returns a session of the partition by its name; undefined when there is none. */
  *session(name: string): Program<ImportedSession | undefined> {
    if (this.#sessions.has(name)) return this.#sessions.get(name)
    const row = yield* findSessionRow(this.own.id, sessionName(name))
    if (row === undefined) return undefined
    return this.join(row, (yield* notedAt(this.import, placeKinds.session, [row.id])).has(row.id))
  }

  /** Adds a session to those of this transaction. */
  join(row: SessionTable, isFresh: boolean): ImportedSession {
    const session = { row, isFresh, isChanged: false }
    this.#sessions.set(row.external_id, session)
    return session
  }

  /** Returns the searchable texts of a page, each with the text by which it is found. */
  textsOfPage(page: SearchedPage): ReadonlyMap<string, string> {
    const known = this.#texts.get(page.id)
    if (known !== undefined) return known
    const texts = inOneGo(searchedTexts(page))
    this.#texts.set(page.id, texts)
    return texts
  }

  /** Returns where a message of the import stands in its session; undefined when it was left out. */
  *placeOf({ row }: ImportedSession, seq: number): Program<number | undefined> {
    const moved = yield* this.#placesIn(row.id)
    const place = moved.get(seq) ?? seq
    return place === 0 ? undefined : place
  }

  /** Tells whether a message between two places was left out. */
  *lacks({ row }: ImportedSession, from: number, to: number): Program<boolean> {
    for (const [seq, place] of yield* this.#placesIn(row.id)) if (place === 0 && seq >= from && seq <= to) return true
    return false
  }

  /** Notes that a message stands at another place, or, with 0, that it was left out. */
  *move({ row }: ImportedSession, seq: number, place: number): Program<void> {
    const places = yield* this.#placesIn(row.id)
    places.set(seq, place)
    this.note({ kind: placeKinds.ofSession + row.id, theirs: seq, ours: place })
  }

  *#placesIn(session: number): Program<Map<number, number>> {
    const known = this.#places.get(session)
    if (known !== undefined) return known
    const places = new Map(yield* allNoted(this.import, placeKinds.ofSession + session))
    this.#places.set(session, places)
    return places
  }

  note(place: NotedPlace): void {
    this.#noted.push(place)
  }

  /** Writes the notes at once: a later step of the same transaction reads them. */
  *settleNotes(): Program<void> {
    yield* notePlaces(this.import, this.#noted.splice(0))
  }

  /** Saves everything that the transaction changed. */
  *save(): Program<void> {
    yield* this.settleNotes()
    const sessions: SingleStep[] = []
    for (const session of this.#sessions.values()) if (session?.isChanged === true) sessions.push(countersChange(session.row))
    const partitions = [this.own, this.#derived, this.#known].flatMap((row) => (row === undefined ? [] : [partitionChange(row)]))
    yield* runList([...sessions, ...partitions])
  }

  /**
   * Tells whether an id of these lines is not to be given here. Those of another owner's lines are that owner's, here or
   * when this memory comes into the same store as theirs. SQLite keeps an id unique in a store.
   */
  isOthers(same: { readonly partition_id: number } | undefined, partition = this.own.id): boolean {
    return same === undefined ? !isExportOf(this.header, this.partition) : same.partition_id !== partition
  }

  /**
   * Makes an id that this partition has instead of one that is another's. The same one each time, so that a second import
   * finds it.
   */
  idInstead(id: string): string {
    const { project, owner } = this.partition
    const bytes = createHash('sha256')
      .update(JSON.stringify(['import', project, owner, id]))
      .digest()
      .subarray(0, 16)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

/** Returns the bytes of an id that was checked. */
export function idBytes(id: string): Uint8Array {
  const bytes = uuidBytes(id)
  if (bytes === undefined) throw new TypeError(`not a uuid: ${id}`)
  return bytes
}
