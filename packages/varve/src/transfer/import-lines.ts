import { setTimeout } from 'node:timers/promises'
import { Cancelled } from '../errors/cancelled.ts'
import { ExportBroken } from '../errors/export-broken.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { SigningKeys } from '../signing/keys.ts'
import { type CheckedLines, LineCheck, type LineFault } from '../signing/line-check.ts'
import type { Called } from '../storage/offer.ts'
import type { Accepting } from './apply/apply-import.ts'
import { type ExportPieces, linesOfPieces } from './coming-lines.ts'
import { type ImportCounts, noCounts } from './import-counts.ts'
import { isExportOf } from './export-owner.ts'
import type { RecordOf } from './records.ts'
import type { transferReads } from './reads.ts'
import type { Imported, ImportTrust } from './imported.ts'
import type { BegunImport, Busy } from './staging.ts'
import { originOf, storedTrust } from './waiting-import.ts'
import type { transferWrites } from './writes.ts'

/** What an import asks of the store, and what the caller allows. */
export interface Importing {
  readonly reads: Called<typeof transferReads>
  readonly writes: Called<typeof transferWrites>
  readonly partition: PartitionId
  /** The store's key, and those that the caller trusts. */
  readonly keys: SigningKeys
  /** True to apply lines of a stranger, `changed` to apply even lines that were changed since they were signed. */
  readonly accept: boolean | 'changed'
  readonly restores: boolean
  readonly signal: AbortSignal | undefined
}

/** The most lines and bytes that are sent to the store at once. */
const pageLines = 200
const pageBytes = 256 * 1024

/**
 * Takes the lines of an export. All of them are stored as they are first, and checked against their seals: nothing is
 * applied of what was changed on the way. Then they are applied, or wait until somebody accepts them.
 */
export async function importLines(importing: Importing, pieces: ExportPieces): Promise<Imported> {
  const staged = await new Staging(importing).all(pieces)
  const { id, header, lines, trust } = staged
  const told = { id, trust, lines, from: originOf(header) }
  if (!isApplied(trust, importing.accept)) return { ...told, state: 'waiting', ...noCounts() }
  return { ...told, state: 'applied', ...(await applyWaiting(importing, id, { isBegun: true, still: [] })) }
}

function isApplied(trust: ImportTrust, accept: Importing['accept']): boolean {
  return trust === 'store' || trust === 'key' || accept !== false
}

/** Applies an import that waits, in as many transactions as it takes. A call that was cut off is finished by the next. */
export async function applyWaiting(
  { writes, partition, restores, signal }: Omit<Importing, 'keys' | 'accept'>,
  id: string,
  { isBegun, still: before }: Accepting = { isBegun: false, still: [] },
): Promise<ImportCounts> {
  await afterOthers((still) => writes.accept(partition, id, { isBegun, still: [...before, ...still] }), signal)
  for (;;) {
    throwIfCut(signal)
    const { counts, isDone } = await writes.apply(partition, id, restores)
    if (isDone) return counts
  }
}

/** The pauses after which an import that does not go on has nobody at it, and their length: a second in all. */
const pausesTillStill = 10
const pauseMs = 100

/** Makes a call that others may keep waiting, until they are done or stand still. `still` holds those that do. */
async function afterOthers<Result extends { readonly id: string }>(
  call: (still: readonly string[]) => Promise<Result | Busy>,
  signal: AbortSignal | undefined,
): Promise<Result & { readonly still: readonly string[] }> {
  let still: readonly string[] = []
  let seen = ''
  for (let pauses = 0; ; pauses += 1) {
    throwIfCut(signal)
    const result = await call(still)
    if (!('busy' in result)) return { ...result, still }
    const now = JSON.stringify(result.busy)
    if (now !== seen) pauses = 0
    seen = now
    if (pauses >= pausesTillStill) still = [...still, ...Object.keys(result.busy)]
    else await setTimeout(pauseMs)
  }
}

function throwIfCut(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Cancelled({ operation: 'import' }, { cause: signal.reason })
}

interface Staged {
  readonly id: string
  readonly header: RecordOf<'header'>
  readonly lines: number
  readonly trust: ImportTrust
}

/** Sends lines to the store in pages, and checks them on the way. */
class Staging {
  readonly #importing: Importing
  readonly #check: LineCheck
  #id: string | undefined
  #header: string | undefined
  #page: string[] = []
  #pageBytes = 0
  /** The number of the page's first line. */
  #first = 1
  #lines = 0

  constructor(importing: Importing) {
    this.#importing = importing
    this.#check = new LineCheck(importing.keys)
  }

  async all(pieces: ExportPieces): Promise<Staged> {
    try {
      for await (const bytes of linesOfPieces(pieces)) await this.#take(bytes)
      await this.#send()
      return await this.#ended()
    } catch (error) {
      await this.#drop()
      throw error
    }
  }

  /** Drops what was stored of an import that failed. A forget may have taken it away before. */
  async #drop(): Promise<void> {
    if (this.#id === undefined) return
    await Promise.allSettled([this.#importing.writes.drop(this.#importing.partition, this.#id)])
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const { writes, partition, signal } = this.#importing
    throwIfCut(signal)
    const is = this.#check.add(bytes)
    this.#assertWhole(this.#check.fault)
    if (is === 'seal') return this.#send()
    const line = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
    if (this.#id === undefined) {
      const { id, unfinished, still } = await afterOthers<BegunImport>((those) => writes.begin(partition, line, those), signal)
      ;[this.#id, this.#header] = [id, line]
      // What was accepted before goes on first.
      if (unfinished !== undefined) await applyWaiting(this.#importing, unfinished, { isBegun: false, still })
    }
    if (this.#page.length === 0) this.#first = this.#check.line
    this.#page.push(line)
    this.#pageBytes += bytes.length
    if (this.#page.length >= pageLines || this.#pageBytes >= pageBytes) await this.#send()
  }

  async #send(): Promise<void> {
    if (this.#page.length === 0 || this.#id === undefined) return
    const lines = this.#page
    ;[this.#page, this.#pageBytes] = [[], 0]
    await this.#importing.writes.stage(this.#importing.partition, this.#id, { lines, number: this.#first })
    this.#lines += lines.length
  }

  async #ended(): Promise<Staged> {
    const checked = this.#check.end()
    if (checked.state === 'failed') this.#assertWhole(checked.fault)
    const [id, header] = [this.#id, this.#header]
    if (id === undefined || header === undefined) throw new ExportBroken({ line: 1, reason: 'it is empty' })
    const record: RecordOf<'header'> = JSON.parse(header)
    const trust = trustIn(checked, isExportOf(record, this.#importing.partition))
    const { writes, partition, accept } = this.#importing
    await writes.end(partition, id, storedTrust(trust), isApplied(trust, accept))
    return { id, header: record, lines: this.#lines, trust }
  }

  #assertWhole(fault: LineFault | undefined): void {
    if (fault === undefined || this.#importing.accept === 'changed') return
    throw new ExportBroken({ line: fault.line, reason: faultTexts[fault.reason] })
  }
}

/** Tells whose word checked lines are. What this store signed for another owner is that owner's word, not this one's. */
function trustIn(checked: CheckedLines, isOwn: boolean): ImportTrust {
  if (checked.state === 'failed') return 'changed'
  if (checked.state !== 'verified') return 'none'
  if (isOwn && checked.by.some(({ by }) => by === 'store')) return 'store'
  return checked.by.some(({ by }) => by === 'ed25519') ? 'key' : 'none'
}

const faultTexts: Readonly<Record<LineFault['reason'], string>> = {
  changed: 'it was changed since it was signed',
  missing: 'lines that stood here are missing',
  inserted: 'it was added since the export was signed',
  moved: 'it was moved from another place',
  seal: 'the seal is broken',
  signature: 'the signature does not fit: the lines before it, or the seal, were changed',
  cut: 'the export ends here, before its last seal',
}
