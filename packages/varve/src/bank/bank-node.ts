import { granularities, type Granularity } from './granularity.ts'
import { parentPeriod } from './periods.ts'

/** A node as it was when something was made from it. */
export interface NodeVersion {
  readonly id: string
  readonly version: number
}

/** An entry of the bank: a leaf (a sitting of one session), or a digest that covers what it was made from. */
export interface BankNode extends NodeVersion {
  readonly granularity: Granularity
  /** The key of its period (periods.ts). A leaf has its sitting's day; of the others there is one a period. */
  readonly period: string
  readonly title?: string
  /** In order of weight: the last ones go first when room is short. */
  readonly bullets: readonly string[]
  /** A leaf is one; a digest says how many leaves it covers. */
  readonly conversations: number
  /** UTC milliseconds of the first and the last message below it. */
  readonly firstAt: number
  readonly lastAt: number
  readonly pinned: boolean
  /** What a digest was made from; a leaf has none. */
  readonly children: readonly NodeVersion[]
}

/** The number of a rung, the finest being 0. */
export function rungOfNode({ granularity }: { readonly granularity: Granularity }): number {
  return granularities.indexOf(granularity)
}

/** The period a rung higher; that of a year is itself. */
export function parentOf(rung: number, period: string): string {
  const granularity = granularities[rung] ?? 'year'
  return granularity === 'year' ? period : parentPeriod(period, granularity)
}

/** Oldest first, and the same for the same nodes in any order. */
export function byTime(one: BankNode, other: BankNode): number {
  return one.firstAt - other.firstAt || compare(one.id, other.id)
}

/** By code units: periods of one granularity sort by time, and on every machine alike. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
