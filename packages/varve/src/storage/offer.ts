import type { PartitionId } from '../scope/partition.ts'
import { foundAt, type FoundAt } from './epochs.ts'
import type { Here } from './here.ts'
import type { Program } from './program.ts'

// Wrappers by which a room offers its programs to be called by name. The caller does not send the arguments that the place supplies.

/** Offers a program that needs its own arguments only. */
export function plain<Arguments extends unknown[], Result>(
  program: (...args: Arguments) => Result,
): (here: Here, ...args: Arguments) => Result {
  return (_here, ...args) => program(...args)
}

/** Offers a program that reads what a user is shown, with the epochs by which it is noted. */
export function shownAt<Arguments extends unknown[], Found>(
  program: (partition: PartitionId, ...args: Arguments) => Program<Found>,
): (here: Here, partition: PartitionId, ...args: Arguments) => Program<FoundAt<Found>> {
  return (_here, partition, ...args) => foundAt(partition, program(partition, ...args))
}

/** Offers a program whose last argument is the store's time. */
export function timed<Arguments extends unknown[], Result>(
  program: (...args: [...Arguments, now: number]) => Result,
): (here: Here, ...args: Arguments) => Result {
  return ({ now }, ...args) => program(...args, now)
}

/** Erased words do not leave the thread that writes the store. */
type WithoutNeedles<Result> = Result extends { readonly needles?: unknown } ? Omit<Result, 'needles'> : Result

/** The result of an offered function: the result of its program or promise. */
export type Answered<Result> = Result extends Program<infer Value> ? WithoutNeedles<Value> : WithoutNeedles<Awaited<Result>>

/** A room's functions, as another place calls them. */
export type Called<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (here: never, ...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Promise<Answered<Result>>
    : never
}
