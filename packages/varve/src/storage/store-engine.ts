import type { Check } from './check.ts'
import type { Patience } from './patience.ts'
import type { Program } from './program.ts'
import type { FarVectors } from './segment/far-vectors.ts'

/** The options for opening a store. */
export interface OpenOptions {
  /** Absolute path, or ':memory:'; an address where the engine has no files. */
  readonly place: string
  /** True to open it for writing too: then it is made or migrated if needed. */
  readonly writes: boolean
  /** The time of making, for a new store: UTC milliseconds. */
  readonly now: number
  /** The identity that a new store gets. */
  readonly identity: { readonly id: string; readonly key: string }
  /** Is called when another instance may have written. Where the store cannot tell, never. */
  readonly onHeard?: () => void
}

/** A copy of a store in one file, as it was verified. */
export interface StoreCopy {
  readonly bytes: number
  readonly messages: number
  readonly receipts: number
  /** The id of the newest receipt. */
  readonly lastReceipt?: string
}

/** A store that is open. */
export interface OpenStore {
  /** The store's secret, made with it: the key of fences and shingles. */
  readonly key: string
  /** True when this process may only read it: writes are refused with StoreReadOnly. */
  readonly readOnly: boolean
  /** True when each step of a program is a round trip to a server. */
  readonly isFar?: true
  /** The stored bytes, as far as they are known at opening. */
  readonly bytes: number
  /** Finds messages that a partial index leaves out; undefined where the store does not. */
  readonly far?: FarVectors | undefined
  /**
   * The time of records and leases. Where one process at a time has the store's clock, it is the caller's; elsewhere
   * the store's own.
   */
  now(given: number): number
  /** Runs a program that only reads, on one state of the store. The program may be started more than once. */
  read<Result>(program: () => Program<Result>): Promise<Result>
  /**
   * Runs a program in a transaction; resolves when it is durable. The program may be started more than once. `weight`
   * is the work as a number of messages. Default patience: full. Programs of one `lane` are written in their order.
   */
  write<Result>(program: () => Program<Result>, weight?: number, patience?: Patience, lane?: string): Promise<Result>
  /** Tries to get erased words out of the files; undefined words are no longer known. Returns the reason when it could not. */
  eraseBytes(words: readonly Uint8Array[] | undefined): Promise<string | undefined>
  /** On a full disk, makes room for writes that erase. Returns whether another attempt makes sense. */
  makeRoom(): Promise<boolean>
  /**
   * Copies one state of the store into a new file, verifies it, and makes it durable. Others read and write meanwhile.
   * Whatever fails, the caller removes the file, and those whose names begin with its name.
   */
  copyTo(file: string, signal: AbortSignal): Promise<StoreCopy>
  /** Checks the store without writing. `segmentBytes` is the memory bound of the index, in bytes. */
  diagnose(segmentBytes: number): Promise<readonly Check[]>
  /** Writes all waiting requests, then closes. */
  close(): Promise<void>
}

/** A storage engine: it runs the store's programs, and holds its differences from other engines. */
export interface StoreEngine {
  readonly name: string
  /** The way in which erased words leave the files: overwritten at once, or at the next rewrite of a table. */
  readonly erasure: 'bytes' | 'rewrite'
  /**
   * The longest pause between two looks for work in a process without any: milliseconds. A look at a file costs little; a
   * server has many processes.
   */
  readonly longestRestMs: number
  open(options: OpenOptions): Promise<OpenStore>
  /** A place as it may be shown: without a password. */
  shown(place: string): string
  /** Turns a driver's error into a VarveError. An error of ours stays as it is. */
  classify(error: unknown, place: string, operation: string): Error
}
