import { sentencesOf } from '../storage/derived/parts.ts'
import { entriesOnRung, entryCounts, itemsAt, type NamedItem } from '../storage/derived/items.ts'
import { childrenOf, spansOf } from '../storage/derived/item-lineage.ts'
import { cursorTo, type Listed, type ListRequest, pageOf, placeOf, type Sized } from '../storage/listed.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { stateVersion } from '../storage/versions.ts'
import type { BankRecord } from './bank-entry.ts'
import { unnamed } from './stored-node.ts'
import { granularities, type Granularity } from './granularity.ts'
import { membersOf } from './owned-lines.ts'
import { granularityOf, periodOfPath, rungOf } from './path.ts'

/** A period after all others: each of them begins with a digit. */
const firstPeriod = '~'

/** Lists entries, the finest first and in each granularity the newest first; of one granularity, or of all. */
export function* listEntries(
  owner: PartitionRow | undefined,
  granularity: Granularity | undefined,
  request: ListRequest,
  isShared = false,
): Program<Listed<BankRecord>> {
  const [rung, ord, period = firstPeriod] = placeOf('entry', request, /(\d)\.(\d{1,15})\.([\dW/-]{4,40})/) ?? []
  const { limit } = request
  const begin = { rung: Number(rung ?? 0), ord: Number(ord ?? 0), period }
  if (owner === undefined) return { items: [] }
  const places: (Sized & { readonly rung: number; readonly period: string })[] = []
  for (const on of (granularity === undefined ? granularities : [granularity]).map(rungOf)) {
    if (on < begin.rung || places.length > limit) continue
    const { ord: below, period: from } = on === begin.rung ? begin : { ord: 0, period: firstPeriod }
    const some = yield* entriesOnRung(owner.id, on, { ord: below, period: from }, limit + 1 - places.length)
    places.push(...some.map((place) => ({ ...place, rung: on })))
  }
  return yield* pageOf(
    { places, limit, cursorOf: (last) => cursorTo('entry', last.rung, last.key, last.period) },
    (ords) => recordsAt(owner.id, ords, isShared),
    ({ ord }) => ord,
    ({ record }) => record,
  )
}

/** Reads entries. Those of a shared bank name their members, and neither sessions nor places in them. */
export function* recordsAt(partition: number, ords: readonly number[], isShared: boolean) {
  const found: { readonly ord: number; readonly record: BankRecord }[] = []
  for (const item of yield* itemsAt(partition, ords)) {
    const { ord } = item
    if (isShared) found.push({ ord, record: { ...recordOf(unnamed(item)), lineage: [], members: yield* membersOf(item) } })
    else found.push({ ord, record: recordOf(item) })
  }
  return found
}

/** Counts the entries of each granularity, and all pinned and provisional ones. */
export function* countEntries(
  owner: PartitionRow | undefined,
): Program<{ entries: Record<Granularity, number>; pinned: number; provisional: number }> {
  const entries: Record<Granularity, number> = { conversation: 0, day: 0, week: 0, month: 0, year: 0 }
  let [pinned, provisional] = [0, 0]
  for (const row of owner === undefined ? [] : yield* entryCounts(owner.id)) {
    entries[granularityOf(row.rung)] = row.entries
    pinned += row.pinned
    provisional += row.provisional
  }
  return { entries, pinned, provisional }
}

/** Gives the version of an entry: a change gives an item a new ordinal, and a pin leaves it where it is. */
export function versionOfEntry({ ord, pinned }: Pick<NamedItem, 'ord' | 'pinned'>): string {
  return stateVersion([ord, pinned])
}

export function recordOf(item: NamedItem): BankRecord {
  const session = item.session === null ? {} : { session: item.session }
  return {
    id: uuidText(item.uuid),
    granularity: granularityOf(item.rung),
    period: periodOfPath(item.period),
    ...session,
    ...(item.name === null ? {} : { name: item.name }),
    bullets: sentencesOf(item).map(({ text }) => text),
    at: item.said_at,
    firstAt: item.first_at,
    writtenAt: item.recorded_at,
    conversations: item.conversations,
    messages: item.messages,
    pinned: item.pinned === 1,
    corrected: item.hand !== null,
    writer: item.writer,
    provisional: item.provisional === 1,
    lineage: spansOf(item).map(([from, to]) => ({ ...session, from, to })),
    children: childrenOf(item).map(([, id]) => id),
    version: versionOfEntry(item),
  }
}
