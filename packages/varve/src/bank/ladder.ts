import { type BankNode, byTime, compare, parentOf, rungOfNode } from './bank-node.ts'
import { coverage } from './coverage.ts'
import { granularities } from './granularity.ts'

/** A node in a group, and the conversations that it stands for there. */
export interface GroupSource {
  readonly node: BankNode
  readonly conversations: number
}

/** Everything known of one period at one rung; at the finest rung, of one leaf. */
export interface Group {
  readonly rung: number
  readonly period: string
  /** The stored digest first, then the nodes that it does not cover, oldest first. They share no conversation. */
  readonly sources: readonly GroupSource[]
  /** The end of its finer groups in the rung below. They begin at the end of the group before it. */
  readonly kidsEnd: number
}

/**
 * A bank's nodes as a tree of periods: for each rung its groups, oldest first. Every rung holds every conversation
 * that its nodes tell of.
 */
export interface Ladder {
  readonly rungs: readonly (readonly Group[])[]
  readonly byId: ReadonlyMap<string, BankNode>
  /** The digest that lists a node with its current version. */
  readonly coverer: (node: BankNode) => BankNode | undefined
  /** The conversations that a node stands for, without those of later versions of its children. */
  readonly conversations: (node: BankNode) => number
  /** True when its children can be shown in its place: all of them are among the nodes. */
  readonly canOpen: (node: BankNode) => boolean
}

/**
 * Makes the ladder. A node is a source at its own rung and at all rungs below its coverer's. So the sources of a rung
 * are its content when nothing finer is shown. A digest whose children were all made again is no source.
 */
export function ladderOf(nodes: readonly BankNode[]): Ladder {
  const { byId, coverer, conversations, canOpen } = coverage(nodes)
  const found = granularities.map(() => new Map<string, { period: string; sources: GroupSource[] }>())
  for (const node of nodes.toSorted((one, other) => rungOfNode(other) - rungOfNode(one) || byTime(one, other))) {
    const source = { node, conversations: conversations(node) }
    if (source.conversations === 0) continue
    const coveredBy = coverer(node)
    const end = coveredBy === undefined ? granularities.length : rungOfNode(coveredBy)
    let { period } = node
    for (let rung = rungOfNode(node); rung < end; rung += 1) {
      const key = rung === 0 ? node.id : period
      const group = found[rung]?.get(key)
      if (group === undefined) found[rung]?.set(key, { period, sources: [source] })
      else group.sources.push(source)
      period = parentOf(rung, period)
    }
  }
  const rungs: Group[][] = []
  for (const [rung, groups] of found.entries()) rungs.push(inOrder([...groups.values()], rung, rungs[rung - 1] ?? []))
  return { rungs, byId, coverer, conversations, canOpen }
}

function inOrder(groups: { period: string; sources: GroupSource[] }[], rung: number, below: readonly Group[]): Group[] {
  let kidsEnd = 0
  return groups
    .sort((one, other) => compare(one.period, other.period))
    .map(({ period, sources }) => {
      while (kidsEnd < below.length && parentOf(rung - 1, below[kidsEnd]?.period ?? '') <= period) kidsEnd += 1
      return { rung, period, sources, kidsEnd }
    })
}

export function conversationsOf({ sources }: Group): number {
  return sources.reduce((sum, { conversations }) => sum + conversations, 0)
}

/** Gives the end of the finer groups of the first groups of a rung. */
export function kidsEnd(ladder: Ladder, rung: number, groups: number): number {
  return groups === 0 ? 0 : (ladder.rungs[rung]?.[groups - 1]?.kidsEnd ?? 0)
}

/** Lists the finer groups of a group. */
export function kidsOf(ladder: Ladder, group: Group): readonly Group[] {
  const at = ladder.rungs[group.rung]?.indexOf(group) ?? 0
  return ladder.rungs[group.rung - 1]?.slice(kidsEnd(ladder, group.rung, at), group.kidsEnd) ?? []
}

/** Gives the node that is the whole of a group, which needs no virtual digest. */
export function wholeOf({ rung, sources }: Group): BankNode | undefined {
  const [first, second] = sources
  return first !== undefined && second === undefined && rungOfNode(first.node) === rung ? first.node : undefined
}

/** Gives the stored digest of a group's period. There may be more nodes beside it. */
export function storedOf({ rung, sources }: Group): BankNode | undefined {
  const first = sources[0]?.node
  return first !== undefined && rung > 0 && rungOfNode(first) === rung ? first : undefined
}
