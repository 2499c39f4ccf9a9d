import type { Here } from './here.ts'
import type { Program } from './program.ts'

// How a room offers its programs to be called by name: what a call's place supplies is not sent along.

/** A program that needs its arguments only. */
export function plain<Arguments extends unknown[], Result>(
  program: (...args: Arguments) => Result,
): (here: Here, ...args: Arguments) => Result {
  return (_here, ...args) => program(...args)
}

/** A program whose last argument is the store's time. */
export function timed<Arguments extends unknown[], Result>(
  program: (...args: [...Arguments, now: number]) => Result,
): (here: Here, ...args: Arguments) => Result {
  return ({ now }, ...args) => program(...args, now)
}

/** Words that were erased stay where the store is written. */
type WithoutNeedles<Result> = Result extends { readonly needles?: unknown } ? Omit<Result, 'needles'> : Result

/** What comes back from an offered function: what its program comes to, or its promise. */
export type Answered<Result> = Result extends Program<infer Value> ? WithoutNeedles<Value> : WithoutNeedles<Awaited<Result>>

/** A room's functions as they are called from another place. */
export type Called<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (here: never, ...args: infer Arguments) => infer Result
    ? (...args: Arguments) => Promise<Answered<Result>>
    : never
}
