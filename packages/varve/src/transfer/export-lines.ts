import { Cancelled } from '../errors/cancelled.ts'
import { ExportInterrupted } from '../errors/export-interrupted.ts'
import { uuidv7 } from '../ids/uuid.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { SigningKeys } from '../signing/keys.ts'
import { LineChain } from '../signing/line-chain.ts'
import type { Signature } from '../signing/signatures.ts'
import type { Called } from '../storage/offer.ts'
import { lineOf } from './log-lines.ts'
import { exportFormat, exportVersion, recordKinds, type RecordOf } from './records.ts'
import type { transferReads } from './reads.ts'
import { type SectionName, sectionBegin, sectionNames } from './sections.ts'

/** How often a section is read again that was rewritten while it was read. */
const mostReadings = 3

/** What an export asks: its reads, the time, and the keys that sign it. */
export interface Exporting {
  readonly reads: Called<typeof transferReads>
  readonly now: number
  readonly partition: PartitionId
  readonly keys: SigningKeys
  /** Gives all signatures of a receipt, with that of the configured key; undefined for one without. */
  readonly signaturesOfReceipt: (receipt: unknown) => Promise<readonly Signature[] | undefined>
  readonly signal: AbortSignal | undefined
}

/** Writes the memory of an owner as lines, page by page: each ends with a line feed. */
export async function* exportLines(exporting: Exporting): AsyncGenerator<string, void> {
  const { reads, partition } = exporting
  const begin = await reads.begin(partition)
  const chain = new LineChain(exporting.keys)
  const counts = new Map<string, number>()
  let lines = 0
  const sealed = function* (some: readonly string[]): Generator<string, void> {
    for (const line of some) {
      lines += 1
      const kind = kindOf(line)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      yield `${line}\n`
      for (const seal of chain.add(line)) yield `${seal}\n`
    }
  }
  yield* sealed([headerLine(exporting, begin), ...begin.settings])
  for (const name of sectionNames) {
    for await (const page of pagesOf(reads, begin.state, name)) {
      if (exporting.signal?.aborted === true) throw new Cancelled({ operation: 'export' }, { cause: exporting.signal.reason })
      yield* sealed(name === 'receipts' ? await Promise.all(page.map((line) => countersignedLine(exporting, line))) : page)
    }
  }
  yield* sealed([lineOf({ kind: 'trailer', lines, counts: Object.fromEntries(counts) })])
  for (const seal of chain.end()) yield `${seal}\n`
}

/** Reads a section. One that was rewritten meanwhile is read again: a reader takes the newer of two records. */
async function* pagesOf(
  reads: Exporting['reads'],
  state: Awaited<ReturnType<Exporting['reads']['begin']>>['state'],
  name: SectionName,
): AsyncGenerator<readonly string[], void> {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    let version: number | undefined
    let isSame = true
    for (let place: typeof sectionBegin | undefined = sectionBegin; place !== undefined;) {
      const page: Awaited<ReturnType<typeof reads.section>> = await reads.section(state, name, place)
      isSame &&= version === undefined || version === page.version
      version = page.version
      yield page.lines
      place = page.next
    }
    if (isSame) return
  }
  throw new ExportInterrupted({ reason: `the ${name} were rewritten again and again while they were read` })
}

async function countersignedLine({ signaturesOfReceipt }: Exporting, line: string): Promise<string> {
  const record: RecordOf<'receipt'> = JSON.parse(line)
  const signatures = await signaturesOfReceipt(record)
  return signatures === undefined ? line : lineOf({ ...record, signatures })
}

/** Every line begins with its kind. */
function kindOf(line: string): string {
  return /^\{"kind":"([a-z-]+)"/.exec(line)?.[1] ?? ''
}

function headerLine(
  { partition: { project, owner }, now }: Exporting,
  { store, schema }: Awaited<ReturnType<Exporting['reads']['begin']>>,
): string {
  const record: RecordOf<'header'> = {
    kind: 'header',
    format: exportFormat,
    version: exportVersion,
    id: uuidv7(now),
    store,
    project,
    owner: owner.kind === 'user' ? owner : { kind: owner.kind === 'shared' ? 'project' : 'anonymous' },
    exportedAt: now,
    schema,
    contents: recordKinds.filter((kind) => kind !== 'header'),
  }
  return lineOf(record)
}
