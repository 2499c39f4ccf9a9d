import type { BulletBounds, DigestSource } from '../models/writer.ts'
import { type BankNode, compare, parentOf, rungOfNode } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { bulletLine, flat } from './render.ts'
import type { BankEntry } from './show-frontier.ts'
import type { TokenCounts } from './token-counts.ts'

/** The part of what a shared bank shows, and of a digest's bullets, that one member may take when there are other members. */
export const usualMemberShare = 0.333

/** The members of each line of a shared bank, as the line is shown. */
export type MembersOf = ReadonlyMap<string, readonly string[]>

/** The tokens that a member has in any case, within their share of the room: a young project shows what it has. */
const leastTokens = 200

/** The most rounds of the search for a bound: each lowers it, so few are needed. */
const mostRounds = 32

/** Members who would take more than their share of a shared bank, and the tokens that each of them may have. */
export interface Overdrawn {
  readonly members: ReadonlySet<string>
  readonly tokens: number
}

export function membersOfLines(nodes: readonly BankNode[]): MembersOf {
  const membersOf = new Map<string, readonly string[]>()
  for (const { bullets, members = [] } of nodes)
    for (const [place, bullet] of bullets.entries()) membersOf.set(flat(bullet), members[place] ?? [])
  return membersOf
}

/**
 * Finds the members who would take more than their share. The bound is the share of what is shown when all are held to
 * it, within the share of the room, and at least 200 tokens of that. Of two members, each may have a half.
 */
export function overdrawn(nodes: readonly BankNode[], maxTokens: number, share: number, counts: TokenCounts): Overdrawn {
  const wanted = new Map<string, number>()
  for (const { granularity, pinned, bullets, members = [] } of nodes) {
    for (const [place, bullet] of bullets.entries())
      for (const member of members[place] ?? []) {
        const tokens = granularity === 'conversation' && !pinned ? counts.line(bulletLine(flat(bullet))) : 0
        wanted.set(member, (wanted.get(member) ?? 0) + tokens)
      }
  }
  if (share >= 1 || wanted.size < 2) return { members: new Set(), tokens: maxTokens }
  const most = Math.floor(maxTokens * share)
  const least = Math.min(most, leastTokens)
  let tokens = most
  for (let round = 0; round < mostRounds; round += 1) {
    const all = [...wanted.values()].reduce((sum, of) => sum + Math.min(of, tokens), 0)
    const next = Math.max(least, Math.floor(Math.max(share, 1 / wanted.size) * all))
    if (next >= tokens) break
    tokens = next
  }
  return { members: new Set([...wanted].flatMap(([member, of]) => (of > tokens ? [member] : []))), tokens }
}

/** Gives the nodes with the lines of one overdrawn member alone; with `undefined`, the lines of all others. */
export function nodesOf(nodes: readonly BankNode[], member: string | undefined, { members: over }: Overdrawn): readonly BankNode[] {
  return nodes.map((node) => {
    const kept = [...node.bullets.entries()].filter(([place]) => {
      const [first, second] = node.members?.[place] ?? []
      const owner = first !== undefined && second === undefined && over.has(first) ? first : undefined
      return owner === member
    })
    if (kept.length === node.bullets.length) return node
    return { ...node, bullets: kept.map(([, bullet]) => bullet), members: kept.map(([place]) => node.members?.[place] ?? []) }
  })
}

/** Merges what is shown of the members: an entry that several have becomes one. The finest first, then the newest. */
export function mergedEntries(shown: readonly (readonly BankEntry[])[]): readonly BankEntry[] {
  const merged = new Map<string, BankEntry>()
  for (const entry of shown.flat()) {
    const key = entry.granularity === 'conversation' ? `${entry.id}` : `${entry.granularity} ${entry.period}`
    const other = merged.get(key)
    merged.set(key, other === undefined ? entry : together(other, entry))
  }
  return [...merged.values()].toSorted((one, other) => rungOfNode(one) - rungOfNode(other) || compare(other.period, one.period))
}

function together(one: BankEntry, other: BankEntry): BankEntry {
  return {
    ...(one.id === undefined ? other : one),
    bullets: [...one.bullets, ...other.bullets],
    bulletsDropped: one.bulletsDropped + other.bulletsDropped,
    conversations: Math.max(one.conversations, other.conversations),
  }
}

/** Counts the conversations that some entries tell of. What stands beside a digest of its period is told of once. */
export function toldBy(entries: readonly BankEntry[]): number {
  const periods = new Set(entries.filter(({ granularity }) => granularity !== 'conversation').map(keyOf))
  return entries
    .filter((entry) => !entry.besideDigest && !liesIn(entry, periods))
    .reduce((sum, { conversations }) => sum + conversations, 0)
}

function keyOf({ granularity, period }: Pick<BankEntry, 'granularity' | 'period'>): string {
  return `${granularity} ${period}`
}

function liesIn(entry: BankEntry, periods: ReadonlySet<string>): boolean {
  let { period } = entry
  for (let rung = rungOfNode(entry); rung + 1 < granularities.length; rung += 1) {
    period = parentOf(rung, period)
    if (periods.has(`${granularities[rung + 1]} ${period}`)) return true
  }
  return false
}

/** Writes the bullets of a digest from what some entries hold. */
type Write<Bullet extends { readonly text: string }> = (sources: readonly DigestSource[], bounds: BulletBounds) => readonly Bullet[]

/** Makes a writer of digests that gives one member at most a share of the bullets, when there are others. */
export function fairDigest<Bullet extends { readonly text: string }>(
  write: Write<Bullet>,
  membersOf: MembersOf,
  share: number,
): Write<Bullet> {
  return (sources, bounds) => {
    const all = new Set(sources.flatMap(({ bullets }) => bullets.flatMap(({ text }) => membersOf.get(text) ?? [])))
    if (all.size < 2 || share >= 1) return write(sources, bounds)
    const each = { ...bounds, maxBullets: Math.ceil(bounds.maxBullets * share) }
    const chosen = new Set([...all].flatMap((member) => write(only(sources, isOf(member)), each).map(({ text }) => text)))
    return write(
      only(sources, (text) => chosen.has(text) || (membersOf.get(text) ?? []).length === 0),
      bounds,
    )
  }

  function isOf(member: string): (text: string) => boolean {
    return (text) => membersOf.get(text)?.includes(member) === true
  }
}

/** Keeps some bullets of each source. The sources keep their places. */
function only(sources: readonly DigestSource[], isMeant: (text: string) => boolean): DigestSource[] {
  return sources.map((source) => ({ ...source, bullets: source.bullets.filter(({ text }) => isMeant(text)) }))
}
