import type { Program } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { entriesInEach, itemKinds, periodsAbove } from './items.ts'

/** Returns all digests of the periods in which some entries lie. */
export function* digestsAbove(
  items: readonly Pick<ItemTable, 'partition_id' | 'kind' | 'rung' | 'period'>[],
): Program<readonly ItemTable[]> {
  const periods = items
    .filter(({ kind }) => kind === itemKinds.bank)
    .flatMap((item) => periodsAbove(item).map((above) => ({ partition: item.partition_id, ...above })))
  return yield* entriesInEach([...new Map(periods.map((one) => [`${one.partition} ${one.rung} ${one.period}`, one])).values()])
}
