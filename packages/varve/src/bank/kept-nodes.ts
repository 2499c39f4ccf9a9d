import { LRUCache } from 'lru-cache'
import { itemsAt } from '../storage/derived/items.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { erasedAfter } from '../storage/segment/terms.ts'
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
 */
export class KeptNodes {
  readonly #banks: LRUCache<number, Kept>

  constructor() {
    this.#banks = new LRUCache({ max: maxBanks })
  }

  /** The nodes at some ordinals, untitled; those that are gone are left out. */
  *at({ id, epoch }: BankState, ords: Iterable<number>, pinned: ReadonlySet<number>): Program<readonly BankNode[]> {
    const kept = yield* this.#of(id, epoch)
    const found = new Map<number, BankNode>()
    const unknown: number[] = []
    for (const ord of ords) {
      const node = kept.nodes.get(ord)
      if (node === undefined) unknown.push(ord)
      else found.set(ord, node.pinned === pinned.has(ord) ? node : { ...node, pinned: pinned.has(ord) })
    }
    for (const item of unknown.length === 0 ? [] : yield* itemsAt(id, unknown)) {
      const node = nodeOf(unnamed(item))
      kept.nodes.set(item.ord, node)
      found.set(item.ord, node)
    }
    return [...found.values()]
  }

  /** What was erased since is let go. */
  *#of(partition: number, epoch: number): Program<Kept> {
    const kept = this.#banks.get(partition) ?? { epoch, nodes: new LRUCache<number, BankNode>({ max: maxNodes }) }
    if (kept.epoch !== epoch) for (const ord of yield* erasedAfter(partition, kept.epoch)) kept.nodes.delete(ord)
    kept.epoch = epoch
    this.#banks.set(partition, kept)
    return kept
  }
}
