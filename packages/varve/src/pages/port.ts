import type { Program } from '../storage/program.ts'

/** The store as work on a page sees it. */
export interface PagePort {
  /** Runs a program that only looks, in a transaction of its own. */
  read<Result>(program: Program<Result>): Promise<Result>
  /** Runs a program in a transaction, that it may share. `weight` bounds what it shares it with: 500 is all that one takes, some 50 ms. */
  write<Result>(program: () => Program<Result>, weight?: number): Promise<Result>
}
