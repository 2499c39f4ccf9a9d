import { leavesToldByShared } from '../storage/derived/members.ts'
import type { PartitionRow } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { BankNode } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { periodOfPath } from './path.ts'
import { periodOf } from './periods.ts'

/** Leaves of a shared bank that alone tell of a member's talk: their ordinals, and the periods in which they lie. */
export interface ToldByShared {
  readonly leaves: ReadonlySet<number>
  readonly periods: ReadonlySet<string>
}

/** Finds what only the shared bank tells of a member: of sessions without a bank of their own, and what a person corrected. */
export function* toldBySharedAlone(shared: PartitionRow, member: number, own: PartitionRow): Program<ToldByShared> {
  const leaves = yield* leavesToldByShared(shared.id, member, own.id)
  const periods = leaves.flatMap(({ period }) =>
    granularities.flatMap((granularity) => (granularity === 'conversation' ? [] : [periodOf(periodOfPath(period), granularity)])),
  )
  return { leaves: new Set(leaves.map(({ ord }) => ord)), periods: new Set(periods) }
}

/**
 * Leaves out of a shared bank the lines that rest on one member's words alone, for that member: their own bank has the same
 * talk first-hand, on whatever rung. Pinned entries stay, and so does what only the shared bank tells.
 */
export function withoutOwnTalk(nodes: readonly BankNode[], member: string, { leaves, periods }: ToldByShared): readonly BankNode[] {
  const told = nodes.map((node) => {
    const isToldHere = node.granularity === 'conversation' ? leaves.has(node.version) : periods.has(node.period)
    if (node.pinned || isToldHere) return node
    const kept = [...node.bullets.keys()].filter((place) => {
      const members = node.members?.[place] ?? []
      return members.length !== 1 || members[0] !== member
    })
    if (kept.length === node.bullets.length) return node
    const blank = kept.length === 0 ? { conversations: 0, children: [] } : {}
    const [bullets, members] = [kept.map((place) => node.bullets[place] ?? ''), kept.map((place) => node.members?.[place] ?? [])]
    return { ...node, ...blank, bullets, members }
  })
  return told.some(({ bullets }) => bullets.length > 0) ? told : []
}
