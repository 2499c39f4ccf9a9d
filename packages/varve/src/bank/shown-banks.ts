import type { Here } from '../storage/here.ts'
import { LRUCache } from 'lru-cache'
import type { Tokenizer } from '../models/tokenizer.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { DigestAges, Frontier } from './frontier.ts'
import { KeptNodes } from './kept-nodes.ts'
import { frontierWithNewest } from './newest-line.ts'
import { bankNodes, type LoadedNodes } from './nodes.ts'
import { localDay } from './periods.ts'
import { type ToldByShared, toldBySharedAlone } from './told-once.ts'

/** The loaded banks and the rendered blocks that are kept: a turn asks for the same one as the turn before. */
const maxLoaded = 16
const maxRendered = 256

/** Changes the bullets of loaded nodes for showing. `state` tells one result from another. */
export type Marking = (loaded: LoadedNodes) => Program<{ readonly loaded: LoadedNodes; readonly state: string }>

/** The options of a rendered block. */
export interface BankBlockOptions {
  readonly maxTokens: number
  readonly now: number
  readonly timeZone: string
  readonly isShared: boolean
  /** On a shared bank: the part of the room that one member may take when there are others. */
  readonly memberShare: number
  readonly ages: DigestAges
}

/**
 * Banks as they stand. They are kept by the partition's `seq` and `epoch`: one of them rises with every change of an
 * entry, a pin or a title. The day is a part of the key too, since entries grow old with it.
 */
export class ShownBanks {
  readonly #kept = new KeptNodes()
  readonly #loaded: LRUCache<string, LoadedNodes>
  readonly #rendered: LRUCache<string, Frontier>
  readonly #toldByShared: LRUCache<string, ToldByShared>

  constructor() {
    this.#loaded = new LRUCache({ max: maxLoaded })
    this.#rendered = new LRUCache({ max: maxRendered })
    this.#toldByShared = new LRUCache({ max: maxLoaded })
  }

  *nodes(owner: PartitionRow, maxTokens: number, isShared: boolean): Program<LoadedNodes> {
    const key = `${owner.id} ${owner.seq} ${owner.epoch} ${maxTokens}`
    const known = this.#loaded.get(key)
    if (known !== undefined) return known
    const loaded = yield* bankNodes(this.#kept, { ...owner, isShared }, maxTokens)
    this.#loaded.set(key, loaded)
    return loaded
  }

  /** Finds what only a shared bank tells of a member who has a bank of their own. */
  *toldByShared(shared: PartitionRow, member: number, own: PartitionRow): Program<ToldByShared> {
    const key = `${shared.id} ${shared.seq} ${shared.epoch} ${own.id} ${own.seq} ${own.epoch}`
    const known = this.#toldByShared.get(key) ?? (yield* toldBySharedAlone(shared, member, own))
    this.#toldByShared.set(key, known)
    return known
  }

  *render(
    owner: PartitionRow,
    { maxTokens, now, timeZone, isShared, memberShare, ages }: BankBlockOptions,
    tokenizer: Tokenizer,
    marking: Marking,
  ): Program<Frontier> {
    const {
      loaded: { nodes, omittedBefore },
      state,
    } = yield* marking(yield* this.nodes(owner, maxTokens, isShared))
    const options = [maxTokens, timeZone, memberShare, ages.day, ages.week, ages.month, ages.year].join(' ')
    const key = `${owner.id} ${owner.seq} ${owner.epoch} ${options} ${localDay(now, timeZone)} ${state}`
    const known = this.#rendered.get(key)
    if (known !== undefined) return known
    const shown = frontierWithNewest(nodes, { maxTokens, now, timeZone, count: tokenizer.count, omittedBefore, memberShare, ages })
    this.#rendered.set(key, shown)
    return shown
  }
}

/** Gives the rendered banks that are kept in a place. */
export function shownBanksIn(here: Pick<Here, 'keep'>): ShownBanks {
  return here.keep(ShownBanks, () => new ShownBanks())
}
