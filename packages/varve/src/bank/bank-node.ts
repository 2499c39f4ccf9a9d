import { granularities, type Granularity } from './granularity.ts'
import { parentPeriod } from './periods.ts'

/** A node in the version from which something was made. */
export interface NodeVersion {
  readonly id: string
  readonly version: number
}

/** An entry of the bank: a leaf (a sitting of one session), or a digest that covers the entries that it was made from. */
export interface BankNode extends NodeVersion {
  readonly granularity: Granularity
  /** The key of its period (periods.ts). A leaf has the day of its sitting. Digests are one a period. */
  readonly period: string
  readonly title?: string
  /** In order of weight: the last ones go first when room is short. */
  readonly bullets: readonly string[]
  /** On a shared bank: the members whose words each bullet rests on. */
  readonly members?: readonly (readonly string[])[]
  /** The notes that were put into its bullets for showing; absent when there are none. */
  readonly notes?: string
  /** Ids of the messages behind these notes. */
  readonly endedBy?: readonly string[]
  /** The leaves that it covers; 1 for a leaf. */
  readonly conversations: number
  /** UTC milliseconds of the first and the last message below it. */
  readonly firstAt: number
  readonly lastAt: number
  readonly pinned: boolean
  /** True when a person's words stand in it: then nothing from below it is told beside them. */
  readonly isCorrected?: true
  /** The nodes that a digest was made from; a leaf has none. */
  readonly children: readonly NodeVersion[]
}

/** Gives the number of a node's rung; 0 for the finest. */
export function rungOfNode({ granularity }: { readonly granularity: Granularity }): number {
  return granularities.indexOf(granularity)
}

/** Gives the period one rung higher; a year is its own. */
export function parentOf(rung: number, period: string): string {
  const granularity = granularities[rung] ?? 'year'
  return granularity === 'year' ? period : parentPeriod(period, granularity)
}

/** Compares nodes by time, oldest first. The order is the same for the same nodes in any order. */
export function byTime(one: BankNode, other: BankNode): number {
  return one.firstAt - other.firstAt || compare(one.id, other.id)
}

/** Compares by code units: periods of one granularity sort by time, and on every machine alike. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
