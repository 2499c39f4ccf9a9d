import type { Program } from '../storage/program.ts'

/** A store as the contract suite sees it: it runs programs. */
export interface StoreUnderTest {
  /**
   * Runs a program in a transaction of its own. Resolves when its writes are durable. Rejects with the program's error,
   * and then stores nothing. It may start the program more than once, never twice in one transaction.
   *
   * Programs that run at the same time must have the result of some order one after the other. A program that conflicts
   * begins anew, and its caller does not notice.
   */
  write<Result>(program: () => Program<Result>): Promise<Result>
  /** Runs a program that only reads; it sees every write that resolved before. */
  read<Result>(program: () => Program<Result>): Promise<Result>
  /**
   * Resolves when every earlier accepted call is answered, or rejected with MemoryClosed. Later calls reject with
   * MemoryClosed. A second close does nothing.
   */
  close(): Promise<void>
}

/** The adapter that joins the suite. */
export interface StoreInitializer {
  /** True when writes are there after the same place is opened again, even while it is still open. */
  readonly durable: boolean
  /** Opens the store at a place, and makes it when it does not exist. Different places share nothing; each check uses its own. */
  open(place: string): Promise<StoreUnderTest>
}
