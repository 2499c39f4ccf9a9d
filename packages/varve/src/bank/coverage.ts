import { type BankNode, compare, parentOf, rungOfNode } from './bank-node.ts'
import { granularities } from './granularity.ts'

export interface Coverage {
  readonly byId: ReadonlyMap<string, BankNode>
  readonly coverer: (node: BankNode) => BankNode | undefined
  readonly conversations: (node: BankNode) => number
  readonly canOpen: (node: BankNode) => boolean
}

/** Finds the digest that covers each node, and the conversations that each digest then still stands for. */
export function coverage(nodes: readonly BankNode[]): Coverage {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const coverers = coverersOf(nodes, byId)
  const counted = new Map<string, number>()
  const conversations = (node: BankNode): number => {
    const known = counted.get(node.id)
    if (known !== undefined) return known
    const count = node.children.length === 0 ? node.conversations : ofChildren(node)
    counted.set(node.id, count)
    return count
  }
  const ofChildren = (digest: BankNode): number => {
    let [claimed, absent, elsewhere] = [0, 0, 0]
    for (const { id } of digest.children) {
      const child = byId.get(id)
      if (child === undefined) absent += 1
      else if (coverers.get(id) === digest) claimed += conversations(child)
      if (child !== undefined) elsewhere += child.conversations - (coverers.get(id) === digest ? conversations(child) : 0)
    }
    // The conversations of a child that is missing or has changed are unknown. The result is exact for leaves, near for
    // digests.
    return absent === 0 ? claimed : Math.max(claimed + absent, digest.conversations - elsewhere)
  }
  const canOpen = ({ children }: BankNode) => children.length > 0 && children.every(({ id }) => byId.has(id))
  return { byId, coverer: ({ id }) => coverers.get(id), conversations, canOpen }
}

/**
 * Finds the coverer of each node: the finest digest that lists it; of several, the first by id. A digest of another
 * period does not count.
 */
function coverersOf(nodes: readonly BankNode[], byId: ReadonlyMap<string, BankNode>): Map<string, BankNode> {
  const coverers = new Map<string, BankNode>()
  const oldest = oldestBelow(nodes)
  for (const digest of nodes) {
    // Most digests are of a past whose finer nodes are not here.
    if (digest.period < (oldest[rungOfNode(digest)] ?? '')) continue
    for (const { id, version } of digest.children) {
      const child = byId.get(id)
      if (child === undefined || child.version !== version || !lies(child, digest)) continue
      const other = coverers.get(id)
      if (
        other === undefined ||
        rungOfNode(digest) < rungOfNode(other) ||
        (rungOfNode(digest) === rungOfNode(other) && compare(digest.id, other.id) < 0)
      )
        coverers.set(id, digest)
    }
  }
  return coverers
}

/** Gives for each rung the oldest of its periods in which a finer node lies. */
function oldestBelow(nodes: readonly BankNode[]): readonly (string | undefined)[] {
  const oldest: (string | undefined)[] = [undefined]
  for (const rung of granularities.keys()) {
    const periods = [
      ...nodes.filter((node) => rungOfNode(node) === rung).map(({ period }) => period),
      ...(oldest[rung] === undefined ? [] : [oldest[rung]]),
    ]
    const first = periods.length === 0 ? undefined : periods.reduce((least, period) => (period < least ? period : least))
    oldest.push(first === undefined ? undefined : parentOf(rung, first))
  }
  return oldest
}

function lies(child: BankNode, digest: BankNode): boolean {
  let { period } = child
  const end = rungOfNode(digest)
  if (rungOfNode(child) >= end) return false
  for (let rung = rungOfNode(child); rung < end; rung += 1) period = parentOf(rung, period)
  return period === digest.period
}
