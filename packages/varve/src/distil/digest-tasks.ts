import type { Granularity } from '../bank/granularity.ts'
import type { DigestBullet } from '../models/writer.ts'
import type { BankLook, DueBank } from '../storage/derived/banks.ts'
import type { HeldBank, NewDigest } from '../storage/derived/distilled.ts'
import type { Child } from '../storage/derived/items.ts'
import type { Asked, LedgerTasks } from './model-calls.ts'
import type { Problem } from './prompts/problem.ts'
import type { Written } from './distil-tasks.ts'

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
  /** Whether the digest that stands does not tell of it yet; of one that a person corrected, whether the person's words do not stand for it. */
  readonly isNew: boolean
}

/** What making digests needs of a store, and of the threads that read and write for it. */
export interface DigestTasks extends LedgerTasks {
  dueBanks(now: number, look: BankLook): Promise<readonly DueBank[]>
  claimBank(partition: number, holder: string, now: number, until: number): Promise<boolean>
  /** Gives a bank back; with a reason it is put off, at least until a time. */
  releaseBank(partition: number, holder: string, now: number, reason?: string, notBefore?: number): Promise<void>
  /** Nothing was due as of a state, the partition's `seq` and `epoch` added; looked at again when it has risen, or at a time. */
  seenBank(partition: number, holder: string, state: number, dueAt: number): Promise<void>
  /** Digests that are due now: those of which all children are made. */
  digestOutlines(bank: DueBank, now: number, again: boolean): Promise<readonly DigestOutline[]>
  /** What to ask a model about an outline's children, in at most so many tokens: the last bullets of each go first. */
  askDigest(outline: DigestOutline, maxTokens: number, problem?: Problem): Promise<Asked>
  parseDigest(outline: DigestOutline, object: Readonly<Record<string, unknown>>): Promise<{ readonly bullets: readonly DigestBullet[] } | { readonly problem: Problem }>
  extractDigest(outline: DigestOutline): Promise<readonly DigestBullet[]>
  composeDigest(outline: DigestOutline, bullets: readonly DigestBullet[], written: Written): Promise<NewDigest>
  /** Stores a digest, and holds the bank until a time. */
  storeDigest(digest: NewDigest, held: HeldBank, now: number, until: number): Promise<boolean>
}
