import { LRUCache } from 'lru-cache'
import { growingCache } from '../caches/growing-cache.ts'
import { itemsAt } from '../storage/derived/items.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { erasedAfter } from '../storage/segment/tombstones.ts'
import type { BankNode } from './bank-node.ts'
import { nodeOf, sharedNodeOf, unnamed } from './stored-node.ts'

/** The banks whose nodes are kept, and the nodes of each: as many as the largest usual budget asks for. */
const maxBanks = 16
const maxNodes = 2_048

/** A bank's partition, and its state as it was seen. */
export interface BankState extends Pick<PartitionRow, 'id' | 'epoch'> {
  /** True for a project's bank: its bullets say whose words they rest on. */
  readonly isShared: boolean
}

interface Kept {
  epoch: number
  readonly nodes: LRUCache<number, BankNode>
}

/**
 * Nodes as they were read, by ordinal. An entry that is written anew gets another ordinal, so that only new entries are
 * read. The caller tells which are pinned, and titles are not kept: both change in place.
 *
 * Programs may take turns at each step. A node never changes, so any program that knows its ordinal may have it. But
 * only a program that sees the newest state may add one: else erased nodes would come back.
 */
export class KeptNodes {
  readonly #banks: LRUCache<number, Kept>

  constructor() {
    this.#banks = new LRUCache({ max: maxBanks })
  }

  /** Gives the nodes at some ordinals, in their order, untitled. Nodes that are gone are left out. */
  *at({ id, epoch, isShared }: BankState, ords: Iterable<number>, pinned: ReadonlySet<number>): Program<readonly BankNode[]> {
    const wanted = [...ords]
    const kept = yield* this.#of(id, epoch)
    const found = new Map<number, BankNode>()
    for (const ord of wanted) {
      const node = kept.nodes.get(ord)
      if (node !== undefined) found.set(ord, node)
    }
    const unknown = wanted.filter((ord) => !found.has(ord))
    const items = unknown.length === 0 ? [] : yield* itemsAt(id, unknown)
    for (const item of items) {
      const node = isShared ? yield* sharedNodeOf(item) : nodeOf(unnamed(item))
      found.set(item.ord, node)
      if (kept.epoch === epoch) kept.nodes.set(item.ord, node)
    }
    return wanted.flatMap((ord) => {
      const node = found.get(ord)
      return node === undefined ? [] : [node.pinned === pinned.has(ord) ? node : { ...node, pinned: pinned.has(ord) }]
    })
  }

  /** Drops the nodes that were erased since. */
  *#of(partition: number, epoch: number): Program<Kept> {
    const known = this.#banks.get(partition)
    const erased = known === undefined || known.epoch >= epoch ? [] : yield* erasedAfter(partition, known.epoch)
    const kept = this.#banks.get(partition) ?? known ?? { epoch, nodes: growingCache<number, BankNode>(maxNodes) }
    if (kept.epoch < epoch) {
      // Either another program kept this state and nobody applied the erasures before it, or the erasures are no longer
      // known.
      if (kept !== known || erased === undefined) kept.nodes.clear()
      for (const ord of erased ?? []) kept.nodes.delete(ord)
      kept.epoch = epoch
    }
    this.#banks.set(partition, kept)
    return kept
  }
}
