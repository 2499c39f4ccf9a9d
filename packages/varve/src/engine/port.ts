import type { CopyingHere, WritingHere } from '../storage/here.ts'
import type { Answered, Called } from '../storage/offer.ts'
import type { WorkingHere } from '../upkeep/working-here.ts'

/** The place of any kind of function, which takes from it the parts that its kind needs. */
export type AnyHere = WritingHere & WorkingHere & CopyingHere

/** The functions that a room offers. Each takes its place and its arguments, which can all be cloned. */
export type Offered = Readonly<Record<string, (here: AnyHere, ...args: never[]) => unknown>>

/** Rooms by name, loaded when they are first called. */
export type Rooms = Readonly<Record<string, () => Promise<Offered>>>

type OfferedBy<Catalogue, Room extends keyof Catalogue> = Catalogue[Room] extends () => Promise<infer Functions> ? Functions : never

/** `room.function` */
export type NameIn<Catalogue> = {
  [Room in keyof Catalogue & string]: `${Room}.${keyof OfferedBy<Catalogue, Room> & string}`
}[keyof Catalogue & string]

type Named<Catalogue, Name> = Name extends `${infer Room}.${infer Function}`
  ? Room extends keyof Catalogue
    ? Function extends keyof OfferedBy<Catalogue, Room>
      ? OfferedBy<Catalogue, Room>[Function]
      : never
    : never
  : never

export type ArgumentsOf<Catalogue, Name> =
  Named<Catalogue, Name> extends (here: never, ...args: infer Arguments) => unknown ? Arguments : never

export type AnswerOf<Catalogue, Name> =
  Named<Catalogue, Name> extends (here: never, ...args: never[]) => infer Result ? Answered<Result> : never

/** Calls a room's function by its name. */
export type Port<Catalogue> = <Name extends NameIn<Catalogue>>(
  name: Name,
  ...args: ArgumentsOf<Catalogue, Name>
) => Promise<AnswerOf<Catalogue, Name>>

/** A call by name. Its arguments are `never`: only the types of a catalogue, in a port, know them. */
export type Call = (name: string, args: readonly never[]) => Promise<unknown>

/** Gives a call by name the types of a catalogue. */
export function portOf<Catalogue>(call: Call): Port<Catalogue> {
  // Both ends are made from the same catalogue, so arguments and results have the types of its functions.
  const port: unknown = (name: string, ...args: readonly never[]) => call(name, args)
  return port as Port<Catalogue>
}

/** Gives a room's functions by name: `storeParts(…)` in place of `port('distil.storeParts', …)`. */
export function calledOn<Functions>(room: string, call: Call): Called<Functions> {
  const functions = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args: readonly never[]) =>
          call(`${room}.${String(name)}`, args),
    },
  )
  // Every name becomes a call; the type lists the names that exist.
  return functions as Called<Functions>
}
