import type { Program } from '../../storage/program.ts'
import { getReceipt } from '../../storage/erase/receipts.ts'
import { saveImport } from '../../storage/transfer/imports.ts'
import { countIn, type ImportCounts } from '../import-counts.ts'
import { applyItem, applyPart } from './apply-derived.ts'
import { applyFact, applyInstruction, applyName } from './apply-known.ts'
import { applyMessages, applyReading, applySession, type MessageToApply } from './apply-log.ts'
import { applyBlock, applyBlockRevision, applyPage, applyPageFact, applyPageRevision } from './apply-pages.ts'
import { applyForgotten, applyOwner, applyProject } from './apply-settings.ts'
import { Applying, type BeginsApplying } from './applying.ts'
import type { PreparedRecord } from './prepared.ts'

/** What one transaction of an import takes. */
export interface ToApply extends BeginsApplying {
  readonly records: readonly PreparedRecord[]
}

/** Applies records in their order, and notes how far the import has come: each line is applied once. */
export function* applyRecords({ records, ...begins }: ToApply): Program<ImportCounts> {
  const { row, counts } = begins
  const applying = yield* Applying.begin(begins)
  for (let at = 0; at < records.length;) {
    const messages: MessageToApply[] = []
    for (let one = records[at]; one !== undefined && 'message' in one; one = records[(at += 1)]) messages.push(one)
    if (messages.length > 0) yield* applyMessages(applying, messages)
    const other = records[at]
    at += 1
    if (other !== undefined) yield* applyOne(applying, other)
  }
  yield* applying.save()
  yield* saveImport({ ...row, applied: row.applied + records.length, counts: JSON.stringify(counts) })
  return counts
}

function* applyOne(applying: Applying, prepared: PreparedRecord): Program<void> {
  if ('indexed' in prepared) {
    const { record, indexed } = prepared
    return yield* record.kind === 'item' ? applyItem(applying, record, indexed) : applyFact(applying, record, indexed)
  }
  if ('message' in prepared) return
  const { record } = prepared
  switch (record.kind) {
    case 'project':
      return yield* applyProject(applying, record)
    case 'owner':
      return yield* applyOwner(applying, record)
    case 'session':
      return yield* applySession(applying, record)
    case 'block':
      return yield* applyBlock(applying, record)
    case 'block-revision':
      return yield* applyBlockRevision(applying, record)
    case 'page':
      return yield* applyPage(applying, record)
    case 'page-revision':
      return yield* applyPageRevision(applying, record)
    case 'page-fact':
      return yield* applyPageFact(applying, record)
    case 'part':
      return yield* applyPart(applying, record)
    case 'name':
      return yield* applyName(applying, record)
    case 'instruction':
      return yield* applyInstruction(applying, record)
    case 'forgotten':
      return yield* applyForgotten(applying, record)
    case 'reading':
      return yield* applyReading(applying, record)
    // A receipt says what its own store erased. Nobody else can vouch for that.
    case 'receipt':
      return countIn(applying.counts, (yield* getReceipt(record.id)) === undefined ? 'leftOut' : 'duplicates', 'receipt')
    case 'header':
    case 'trailer':
  }
}
