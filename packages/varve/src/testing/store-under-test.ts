import type { Program } from '../storage/program.ts'

/** A store as the contract suite sees it: something that runs programs. */
export interface StoreUnderTest {
  /**
   * Runs a program in a transaction of its own. Resolves when what it wrote is durable; rejects with what the program
   * threw, and then nothing of it stands. May start the program more than once, never twice in one transaction. Programs that run
   * at the same time come to what they would one after the other: what cannot be so is begun anew, and no caller hears of it.
   */
  write<Result>(program: () => Program<Result>): Promise<Result>
  /** Runs a program that only looks; it sees every write that was resolved before. */
  read<Result>(program: () => Program<Result>): Promise<Result>
  /**
   * Resolves when every call that was accepted before is answered, or rejected with MemoryClosed; later calls reject with it.
   * A second close does nothing.
   */
  close(): Promise<void>
}

/** What an adapter brings to join the suite. */
export interface StoreInitializer {
  /** Whether what was written is there when the same place is opened again, also while it is still open. */
  readonly durable: boolean
  /** Opens the store at a place, made when it is not there. Different places share nothing; each check uses its own. */
  open(place: string): Promise<StoreUnderTest>
}
