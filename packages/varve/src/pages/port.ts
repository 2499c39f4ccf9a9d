import type { Program } from '../storage/program.ts'

/** The part of the store that work on a page needs. */
export interface PagePort {
  /** Runs a program that only reads, in a transaction of its own. */
  read<Result>(program: Program<Result>): Promise<Result>
  /** Runs a program in a transaction, which it may share. `weight` bounds the sharing: a transaction takes 500 at most, some 50 ms. */
  write<Result>(program: () => Program<Result>, weight?: number): Promise<Result>
}
