import { NotFound } from '../errors/not-found.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { type BankAct, bankActs, deedsAt, deedsBefore, deedsKeptMs, findDeed, keptTexts } from '../storage/deeds/deeds.ts'
import { itemsAmong, type KeptItem, partsAmong } from '../storage/deeds/kept-items.ts'
import type { DeedTable } from '../storage/deed-tables.ts'
import { cursorTo, fitting, type Listed, type ListRequest, placeOf } from '../storage/listed.ts'
import { findDerived } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidBytes, uuidText } from '../storage/uuid-bytes.ts'
import type { BankChangeRecord, EntryBefore } from './deed.ts'
import { granularityOf, periodOfPath } from './path.ts'

/** The most entries that the record of one change shows. */
const mostShown = 20

/** Lists the changes of a bank by hand, the newest first; with an id, those of one entry. */
export function* listChanges(
  partition: PartitionId,
  entry: string | undefined,
  request: ListRequest,
  now: number,
): Program<Listed<BankChangeRecord>> {
  const [last] = placeOf('change', request, /(\d{1,15})/) ?? []
  const owner = yield* findDerived(partition)
  const ref = entry === undefined ? undefined : uuidBytes(entry)
  if (owner === undefined || (entry !== undefined && ref === undefined)) return { items: [] }
  const { limit } = request
  const before = last === undefined ? Number.MAX_SAFE_INTEGER : Number(last)
  const places = yield* deedsBefore(owner.id, { acts: bankActs, before, limit: limit + 1, ref })
  const fit = fitting(places, limit)
  const items: BankChangeRecord[] = []
  for (const deed of yield* deedsAt(
    owner.id,
    fit.map(({ key }) => key),
  ))
    items.push(yield* recordOfDeed(deed, now))
  const end = fit.at(-1)
  return { items, ...(fit.length < places.length && end !== undefined ? { cursor: cursorTo('change', end.key) } : {}) }
}

/** Reads a change of a bank. NotFound for one of another bank. */
export function* bankDeed(partition: PartitionId, id: string): Program<DeedTable> {
  const owner = yield* findDerived(partition)
  const deed = owner === undefined ? undefined : yield* findDeed(owner.id, id)
  if (deed === undefined || !isBankAct(deed.act)) throw new NotFound({ kind: 'change of the bank', id })
  return deed
}

/** Tells what the restoring of a change would do. */
export function* deedToRestore(partition: PartitionId, id: string): Program<{ readonly act: string; readonly entry: string | undefined }> {
  const { act, ref, undone_at: undone } = yield* bankDeed(partition, id)
  return { act, entry: ref.length === 0 || undone !== null ? undefined : uuidText(ref) }
}

export function* recordOfDeed(deed: DeedTable, now: number): Program<BankChangeRecord> {
  const { act, ref, writer, done_at: at, undone_at: undoneAt } = deed
  const texts = yield* keptTexts(deed)
  const entries = itemsAmong(texts).filter(({ item }) => item.kind === itemKinds.bank)
  const isLeft = act === 'pin' || act === 'unpin' || entries.length > 0 || partsAmong(texts).length > 0
  return {
    id: uuidText(deed.uuid),
    act: isBankAct(act) ? act : 'clear',
    ...(ref.length === 0 ? {} : { entry: uuidText(ref) }),
    by: writer,
    at,
    until: at + deedsKeptMs,
    ...(undoneAt === null ? {} : { undoneAt }),
    restorable: undoneAt === null && at + deedsKeptMs > now && isLeft,
    before: entries
      .toSorted((a, b) => b.item.rung - a.item.rung)
      .slice(0, mostShown)
      .map(entryBefore),
    entries: entries.length,
  }
}

function entryBefore({ item, recordedAt }: KeptItem): EntryBefore {
  return {
    id: item.id,
    granularity: granularityOf(item.rung),
    period: periodOfPath(item.period),
    bullets: item.sentences.map(({ text }) => text),
    writer: item.writer,
    pinned: item.pinned,
    writtenAt: recordedAt,
  }
}

export function isBankAct(act: string): act is BankAct {
  return bankActs.some((one) => one === act)
}
