import { contextsThatShowed, takeFromContexts } from '../log/contexts.ts'
import { itemChanges, itemKinds, type NewItem } from './items.ts'
import { childrenOf } from './item-lineage.ts'
import { leastTelling, Needles } from '../needles.ts'
import { findSourceOf, type PartitionRow, partitionById, partitionChange, savePartition } from '../partitions.ts'
import { abreast, all, change, type Program, runList } from '../program.ts'
import type { ItemTable } from '../schema.ts'
import { type Indexed, indexedAt, indexedDrops, ordinalsAt } from '../segment/erasing.ts'
import { type Ordinals, termsHeaderBytes } from '../segment/terms.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'

const standingAt = statement<Ordinals>()((db, p, d) =>
  db
    .selectFrom('item')
    .selectAll()
    .$call(d.withHome)
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const deleteItems = statement<Ordinals>()((db, p, d) =>
  db
    .deleteFrom('item')
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const uncover = statement<{ partition: number; digest: number; ords: string }>()((db, p, d) =>
  db
    .updateTable('item')
    .set({ covered_by: 0 })
    .where('partition_id', '=', p('partition'))
    .where('covered_by', '=', p('digest'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

/** The number of items that are read together to be erased. */
const erasedAtOnce = 256

/** Items as they stand, with their index data. */
type Standing = readonly [items: readonly ItemTable[], indexed: Indexed]

function standing(ordinals: Ordinals): Program<Standing> {
  return abreast([all(standingAt, ordinals), indexedAt(ordinals)])
}

/**
 * Takes items out with their terms and vectors, and adds their bytes to the needles. Changes `owner`, whose epoch is
 * already raised; the caller saves it. `begun`: the first items that are erased together, where they were read.
 */
export function* eraseItemsAt(owner: PartitionRow, ords: readonly number[], needles: Needles, begun?: Standing): Program<void> {
  for (let at = 0; at < ords.length; at += erasedAtOnce) {
    const ordinals = ordinalsAt(owner, ords.slice(at, at + erasedAtOnce))
    const [items, indexed] = at === 0 && begun !== undefined ? begun : yield* standing(ordinals)
    if (items.length === 0) continue
    const digests = items.filter(({ rung }) => rung > 0)
    yield* runList([
      change(deleteItems, ordinals),
      ...digests.map((item) =>
        change(uncover, { partition: owner.id, digest: item.ord, ords: JSON.stringify(childrenOf(item).map(([child]) => child)) }),
      ),
      ...indexedDrops(
        owner,
        items.map(({ ord }) => ord),
        indexed,
      ),
    ])
    owner.messages -= items.length
    // The words of a reference belong to its message: they are searched for when the message goes.
    for (const item of items.filter(({ kind }) => kind !== itemKinds.message))
      needles.add([...bytesOf(item, indexed.terms.get(item.ord)), ...(indexed.vectors.get(item.ord) ?? [])])
  }
}

function bytesOf({ content, hand }: Pick<ItemTable, 'content' | 'hand'>, terms: Uint8Array | undefined): Uint8Array[] {
  const texts = [content, hand ?? ''].map((text) => new TextEncoder().encode(text))
  return [...texts, ...(terms === undefined ? [] : [terms.subarray(termsHeaderBytes)])].filter(({ length }) => length >= leastTelling)
}

/**
 * Takes one item out. Its bytes are not searched for, because its source stands. Changes `owner`, whose epoch is
 * already raised; the caller saves it.
 */
export function eraseItem(owner: PartitionRow, ord: number): Program<void> {
  return eraseItemsAt(owner, [ord], new Needles())
}

/** Puts an item in the place of an old one: the same id, a new ordinal. */
export function* replaceItem(owner: PartitionRow, old: ItemTable | undefined, item: NewItem, now: number): Program<number> {
  if (old !== undefined) {
    owner.epoch += 1
    yield* eraseItem(owner, old.ord)
  }
  const changes = itemChanges(owner, item, now)
  yield* runList([...changes, partitionChange(owner)])
  return owner.seq
}

/** Takes items out of their partitions and raises the epochs. An item that is named twice goes once. */
export function* eraseItems(items: readonly ItemTable[], needles: Needles): Program<void> {
  const ids = new Set(items.map(({ uuid }) => uuidText(uuid)))
  const partitions = [...Map.groupBy(items, ({ partition_id: partition }) => partition)]
  yield* abreast(partitions.map(([partition, some]) => eraseItemsOf(partition, [...new Set(some.map(({ ord }) => ord))], ids, needles)))
}

function* eraseItemsOf(partition: number, ords: readonly number[], ids: ReadonlySet<string>, needles: Needles): Program<void> {
  const begun = standing(ordinalsAt({ id: partition }, ords.slice(0, erasedAtOnce)))
  const [owner, source, read] = yield* abreast([partitionById(partition), findSourceOf(partition), begun])
  if (owner === undefined) return
  owner.epoch += 1
  yield* eraseItemsAt(owner, ords, needles, read)
  // Any member may have been shown an item of the shared bank.
  const shown = contextsThatShowed(source === undefined ? { project: owner.project_id } : { partition: source.id }, ids, needles.contexts)
  const [, contexts] = yield* abreast([savePartition(owner), shown])
  yield* takeFromContexts(contexts, ids)
}
