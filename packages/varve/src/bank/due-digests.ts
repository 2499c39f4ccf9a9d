import { type BankNode, compare, type NodeVersion, rungOfNode } from './bank-node.ts'
import { fit, type FrontierOptions } from './frontier.ts'
import { granularities, type Granularity } from './granularity.ts'
import { type Group, kidsOf, type Ladder, ladderOf, storedOf, wholeOf } from './ladder.ts'
import { localDay, periodOf } from './periods.ts'
import { openForMs } from './settled.ts'
import { overBudgets } from './settings.ts'

/**
 * The least new conversations for a digest of an open period. It also needs as many as were digested before: their
 * number doubles.
 */
const leastNew = 8

/** A digest to make, of children that are all stored. It holds only while they have these versions. */
export interface DueDigest {
  readonly granularity: Granularity
  readonly period: string
  readonly children: readonly NodeVersion[]
  /** The id of the stored digest of the same period that it replaces. */
  readonly replaces?: string
  /** It has one child and needs no model call. */
  readonly trivial?: true
}

/**
 * Lists the digests to make. First, oldest first, the missing ones that the frontier at `overBudget` times the budget would
 * show. Then, newest first, the stored ones that do not cover all of their period. Lists nothing while all fits. A
 * digest is due only after its children's digests. So ask again after these were made, until nothing is due. The stored
 * digests of all periods in which a given leaf lies must be among the nodes.
 */
export function dueDigests(nodes: readonly BankNode[], { overBudget = overBudgets.usual, ...options }: DueOptions): DueDigest[] {
  const ladder = ladderOf(nodes)
  const { frontier, isFinest } = fit(ladder, { ...options, maxTokens: options.maxTokens * overBudget })
  if (isFinest && frontier.due.length === 0) return []
  const plan = new Plan(ladder, options)
  for (const { granularity, period } of frontier.due) {
    const group = ladder.rungs[rungOfNode({ granularity })]?.find((other) => other.period === period)
    if (group !== undefined) plan.make(group)
  }
  for (const group of ladder.rungs.flat()) if (storedOf(group) !== undefined) plan.make(group)
  return plan.due()
}

interface DueOptions extends FrontierOptions {
  /** Digests are made when the frontier would exceed its budget by this factor. */
  readonly overBudget?: number
  /** The silence after which a session is settled. */
  readonly settleMs?: number
}

class Plan {
  readonly #ladder: Ladder
  /** For each rung, the first period that is open. */
  readonly #open: readonly string[]
  readonly #asked = new Map<Group, boolean>()
  readonly #due: { readonly group: Group; readonly digest: DueDigest }[] = []

  constructor(ladder: Ladder, { now, timeZone, settleMs }: DueOptions) {
    this.#ladder = ladder
    const day = localDay(now - openForMs(settleMs), timeZone)
    this.#open = granularities.map((granularity) => periodOf(day, granularity))
  }

  /** Plans the digest of a group, or first the digests that it needs. True when there is work. */
  make(group: Group): boolean {
    const known = this.#asked.get(group)
    if (known !== undefined) return known
    const waits = group.rung > 1 && kidsOf(this.#ladder, group).filter((kid) => this.make(kid)).length > 0
    const digest = waits ? undefined : this.#digest(group)
    if (digest !== undefined) this.#due.push({ group, digest })
    const isAny = waits || digest !== undefined
    this.#asked.set(group, isAny)
    return isAny
  }

  due(): DueDigest[] {
    const inTime = this.#due.toSorted(
      ({ group: one }, { group: other }) => firstDay(one) - firstDay(other) || one.rung - other.rung || compare(one.period, other.period),
    )
    const isStale = ({ digest }: { digest: DueDigest }) => digest.replaces !== undefined
    return [...inTime.filter((one) => !isStale(one)), ...inTime.filter(isStale).toReversed()].map(({ digest }) => digest)
  }

  #digest(group: Group): DueDigest | undefined {
    const { byId, conversations } = this.#ladder
    const stored = storedOf(group)
    const kids = kidsOf(this.#ladder, group).flatMap((kid) => (kid.rung === 0 ? wholeOf(kid) : storedOf(kid)) ?? [])
    const absent = stored?.children.filter(({ id }) => !byId.has(id)) ?? []
    const children = [...absent, ...kids.map(({ id, version }) => ({ id, version }))]
    if (children.length === 0 || (stored !== undefined && isSame(children, stored.children))) return undefined
    const claimed = kids.filter((kid) => this.#ladder.coverer(kid) === stored).reduce((sum, kid) => sum + conversations(kid), 0)
    const unknown = stored === undefined || absent.length === 0 ? 0 : Math.max(0, conversations(stored) - claimed)
    const came = kids.reduce((sum, kid) => sum + conversations(kid), unknown) - (stored?.conversations ?? 0)
    if (group.period >= (this.#open[group.rung] ?? '') && came < Math.max(leastNew, stored?.conversations ?? 0)) return undefined
    const granularity = granularities[group.rung] ?? 'year'
    return {
      granularity,
      period: group.period,
      children,
      ...(stored === undefined ? {} : { replaces: stored.id }),
      ...(children.length === 1 ? { trivial: true } : {}),
    }
  }
}

function isSame(some: readonly NodeVersion[], others: readonly NodeVersion[]): boolean {
  const versions = new Map(others.map(({ id, version }) => [id, version]))
  return some.length === versions.size && some.every(({ id, version }) => versions.get(id) === version)
}

function firstDay({ sources }: Group): number {
  return sources.reduce((first, { node }) => Math.min(first, node.firstAt), Number.POSITIVE_INFINITY)
}
