import type { BankNode } from './bank-node.ts'
import type { Group, Ladder } from './ladder.ts'

/** Counts the conversations of hidden groups that no pin tells of either. */
export function unseen(ladder: Ladder, omitted: ReadonlySet<Group>, pins: readonly BankNode[]): number {
  if (omitted.size === 0) return 0
  const pinned = new Set(pins)
  const below = new Map<BankNode, number>()
  for (const pin of pins) {
    const [, ...above] = upwards(ladder, pin)
    if (above.some((node) => pinned.has(node))) continue
    for (const node of above) below.set(node, (below.get(node) ?? 0) + ladder.conversations(pin))
  }
  let count = 0
  for (const { sources } of omitted) {
    for (const { node, conversations } of sources) {
      const isSeen = upwards(ladder, node).some((above) => pinned.has(above))
      if (!isSeen) count += Math.max(0, conversations - (below.get(node) ?? 0))
    }
  }
  return count
}

/** Lists a node and its coverers, up to the top. */
function upwards(ladder: Ladder, node: BankNode): BankNode[] {
  const above = ladder.coverer(node)
  return above === undefined ? [node] : [node, ...upwards(ladder, above)]
}
