import type { Granularity } from '../bank/granularity.ts'
import type { Child } from '../storage/derived/item-lineage.ts'

/** A digest to make, with its children. */
export interface DigestOutline {
  readonly partition: number
  /** True when a project shares the bank. */
  readonly isShared: boolean
  readonly granularity: Granularity
  /** The path in the store: year/month/week/day as far as it goes. */
  readonly path: string
  /** The ordinal of the standing digest; 0 for none. */
  readonly basis: number
  /** A person's words in its place; they stay. */
  readonly hand: string | null
  readonly children: readonly DigestChild[]
  /** True for a single child, whose bullets are the digest. */
  readonly isTrivial: boolean
  /** The part of its bullets that one member of a project may take when there are others; 1 on a user's own bank. */
  readonly memberShare: number
}

export interface DigestChild {
  readonly child: Child
  readonly label: string
  readonly bullets: readonly string[]
  /** On a shared bank: the members whose words each bullet rests on. */
  readonly members: readonly (readonly string[])[]
  readonly conversations: number
  readonly messages: number
  readonly firstAt: number
  readonly lastAt: number
  readonly writer: string
  readonly provisional: boolean
  /** True when the standing digest does not cover it yet. For a corrected digest: when the person's words do not stand for it. */
  readonly isNew: boolean
}
