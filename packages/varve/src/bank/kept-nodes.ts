import { LRUCache } from 'lru-cache'
import { growingCache } from '../caches/growing-cache.ts'
import { itemsAt } from '../storage/derived/items.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { erasedAfter } from '../storage/segment/tombstones.ts'
import type { BankNode } from './bank-node.ts'
import { nodeOf, unnamed } from './stored-node.ts'

/** Banks whose nodes are kept, and how many of each: as many as the largest usual budget asks for. */
const maxBanks = 16
const maxNodes = 2_048

/** A bank's partition, and its state as it was seen. */
export type BankState = Pick<PartitionRow, 'id' | 'epoch'>

interface Kept {
  epoch: number
  readonly nodes: LRUCache<number, BankNode>
}

/**
 * Nodes as they were read, by ordinal: an entry that is written anew gets another one, so that only what came since is read. A pin is
 * what the caller says it is, and a title is not kept at all: both change where they stand.
 *
 * Programs may take turns at each step. A node never changes, so whoever knows its ordinal may have it; but only who
 * sees the newest state adds one: else what was erased would come back.
 */
export class KeptNodes {
  readonly #banks: LRUCache<number, Kept>

  constructor() {
    this.#banks = new LRUCache({ max: maxBanks })
  }

  /** The nodes at some ordinals, in their order, untitled; those that are gone are left out. */
  *at({ id, epoch }: BankState, ords: Iterable<number>, pinned: ReadonlySet<number>): Program<readonly BankNode[]> {
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
      const node = nodeOf(unnamed(item))
      found.set(item.ord, node)
      if (kept.epoch === epoch) kept.nodes.set(item.ord, node)
    }
    return wanted.flatMap((ord) => {
      const node = found.get(ord)
      return node === undefined ? [] : [node.pinned === pinned.has(ord) ? node : { ...node, pinned: pinned.has(ord) }]
    })
  }

  /** What was erased since is let go. */
  *#of(partition: number, epoch: number): Program<Kept> {
    const known = this.#banks.get(partition)
    const erased = known === undefined || known.epoch >= epoch ? [] : yield* erasedAfter(partition, known.epoch)
    const kept = this.#banks.get(partition) ?? known ?? { epoch, nodes: growingCache<number, BankNode>(maxNodes) }
    if (kept.epoch < epoch) {
      // Another's state, of which nobody looked at what was erased before it; or that is not known any more.
      if (kept !== known || erased === undefined) kept.nodes.clear()
      for (const ord of erased ?? []) kept.nodes.delete(ord)
      kept.epoch = epoch
    }
    this.#banks.set(partition, kept)
    return kept
  }
}
