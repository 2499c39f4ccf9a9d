import type { Granularity } from '../bank/granularity.ts'
import type { Child } from '../storage/derived/item-lineage.ts'

/** A digest that is to be made, and what it is made of. */
export interface DigestOutline {
  readonly partition: number
  readonly granularity: Granularity
  /** As the store has it: year/month/week/day as far as it goes. */
  readonly path: string
  /** The ordinal of the one that stands; 0 for none. */
  readonly basis: number
  /** What a person wrote in its place; it stays. */
  readonly hand: string | null
  readonly children: readonly DigestChild[]
  /** A single child: its bullets are the digest. */
  readonly isTrivial: boolean
}

export interface DigestChild {
  readonly child: Child
  readonly label: string
  readonly bullets: readonly string[]
  readonly conversations: number
  readonly messages: number
  readonly firstAt: number
  readonly lastAt: number
  readonly writer: string
  readonly provisional: boolean
  /**
   * Whether the digest that stands does not tell of it yet; of one that a person corrected, whether the person's
   * words do not stand for it.
   */
  readonly isNew: boolean
}
