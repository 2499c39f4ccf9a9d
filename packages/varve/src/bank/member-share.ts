import type { BulletBounds, DigestSource } from '../models/writer.ts'
import { type BankNode, compare, rungOfNode } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { conversationsOf, type Ladder } from './ladder.ts'
import type { BankEntry } from './show-frontier.ts'
import type { TokenCounts } from './token-counts.ts'

/** The part of what a shared bank shows, and of a digest's bullets, that one member may take when there are other members. */
export const usualMemberShare = 0.333

/** The members of each line of a shared bank, as the line is shown. */
export type MembersOf = ReadonlyMap<string, readonly string[]>

/** The tokens that a member has in any case, within their share of the room: a young project shows what it has. */
const leastTokens = 200

/** The least room of a member who is rendered apart. In less, a label and a line do not fit. */
const leastApart = 60

/** The tokens of the block's own lines. */
const frameTokens = 60

/** The most rounds of the search for a bound: each lowers it, so few are needed. */
const mostRounds = 32

/** Members who would take more than their share of a shared bank, and the tokens that each of them may have. */
export interface Overdrawn {
  /** Who wants least comes first. */
  readonly members: readonly string[]
  readonly tokens: number
}

export function membersOfLines(nodes: readonly BankNode[], counts: TokenCounts): MembersOf {
  const membersOf = new Map<string, readonly string[]>()
  for (const node of nodes)
    if (node.members !== undefined)
      for (const [place, { text }] of counts.node(node).bullets.entries()) membersOf.set(text, node.members[place] ?? [])
  return membersOf
}

/**
 * Finds the members who would take more than their share. The bound is the share of what is shown when all are held to
 * it, within the share of the room, and at least 200 tokens of that. Of two members, each may have a half. All of them
 * together have no more than the room. Where that leaves too little for each, nobody is held.
 */
export function overdrawn(nodes: readonly BankNode[], maxTokens: number, share: number, counts: TokenCounts): Overdrawn {
  const wanted = wantedBy(nodes, counts)
  const nobody = { members: [], tokens: maxTokens }
  if (wanted.size < 2) return nobody
  const most = Math.floor(maxTokens * share)
  const least = Math.min(most, leastTokens)
  const fair = Math.max(share, 1 / wanted.size)
  const all = (tokens: number): number => [...wanted.values()].reduce((sum, of) => sum + Math.min(of, tokens), 0)
  let tokens = most
  for (let round = 0; round < mostRounds; round += 1) {
    const next = Math.max(least, Math.floor(fair * all(tokens)))
    if (next >= tokens) break
    tokens = next
  }
  while (tokens >= leastApart && all(tokens) > maxTokens - frameTokens) tokens -= Math.max(1, Math.floor(tokens / 20))
  if (tokens < leastApart) return nobody
  const members = [...wanted]
    .filter(([, of]) => of > tokens)
    .toSorted(([one, some], [other, others]) => some - others || compare(one, other))
  return { members: members.map(([member]) => member), tokens }
}

/** Counts the tokens of each member's conversations, with their labels. Pinned entries were chosen by somebody. */
function wantedBy(nodes: readonly BankNode[], counts: TokenCounts): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>()
  const add = (member: string, tokens: number): void => void wanted.set(member, (wanted.get(member) ?? 0) + tokens)
  for (const node of nodes) {
    if (node.members === undefined) continue
    const isCounted = node.granularity === 'conversation' && !node.pinned
    const { label, bullets } = counts.node(node)
    for (const [place, members] of node.members.entries())
      for (const member of members) add(member, isCounted ? (place === 0 ? label : 0) + (bullets[place]?.tokens ?? 0) : 0)
  }
  return wanted
}

/**
 * Gives the nodes with the lines of one overdrawn member alone; with `undefined`, the lines of all others. A node without
 * such a line stands for no conversation and covers nothing, unless a person corrected it: nothing below that is told.
 */
export function nodesOf(nodes: readonly BankNode[], member: string | undefined, { members }: Overdrawn): readonly BankNode[] {
  const over = new Set(members)
  return nodes.map((node) => {
    const kept = [...node.bullets.entries()].filter(([place]) => {
      const [first, second] = node.members?.[place] ?? []
      const owner = first !== undefined && second === undefined && over.has(first) ? first : undefined
      return owner === member
    })
    if (kept.length === node.bullets.length) return node
    const blank = kept.length === 0 && node.isCorrected !== true ? { conversations: 0, children: [], pinned: false } : {}
    return { ...node, ...blank, bullets: kept.map(([, bullet]) => bullet), members: kept.map(([place]) => node.members?.[place] ?? []) }
  })
}

/**
 * Merges what is shown of the members: an entry that several have becomes one. The finest first, then the newest. No entry has
 * more conversations than the whole bank knows under its key: two members may have lines of one conversation.
 */
export function mergedEntries(
  shown: readonly (readonly BankEntry[])[],
  known: ReadonlyMap<string | undefined, number>,
): readonly BankEntry[] {
  const merged = new Map<string, BankEntry>()
  for (const entry of shown.flat()) {
    const key = entry.granularity === 'conversation' ? `${entry.id}` : `${entry.granularity} ${entry.period}`
    const other = merged.get(key)
    merged.set(key, other === undefined ? entry : together(other, entry, known.get(key)))
  }
  return [...merged.values()].toSorted((one, other) => rungOfNode(one) - rungOfNode(other) || compare(other.period, one.period))
}

/** Counts the conversations of each entry that a bank can show, by its key. */
export function conversationsByKey({ rungs }: Ladder): ReadonlyMap<string | undefined, number> {
  return new Map(
    rungs
      .flat()
      .map((group) => [
        group.rung === 0 ? group.sources[0]?.node.id : `${granularities[group.rung]} ${group.period}`,
        conversationsOf(group),
      ]),
  )
}

function together(one: BankEntry, other: BankEntry, most = Infinity): BankEntry {
  return {
    ...(one.id === undefined ? other : one),
    bullets: [...one.bullets, ...other.bullets],
    bulletsDropped: one.bulletsDropped + other.bulletsDropped,
    conversations: Math.min(most, one.conversations + other.conversations),
  }
}

/** Writes the bullets of a digest from what some entries hold. */
type Write<Bullet extends { readonly text: string }> = (sources: readonly DigestSource[], bounds: BulletBounds) => readonly Bullet[]

/** Gives the most bullets of a digest that one of some members may have. */
export function bulletsOfOne(maxBullets: number, share: number, members: number): number {
  return Math.ceil(maxBullets * Math.min(share, 1 / members))
}

/** Makes a writer of digests that gives one member at most a share of the bullets, when there are others. */
export function fairDigest<Bullet extends { readonly text: string }>(
  write: Write<Bullet>,
  membersOf: MembersOf,
  share: number,
): Write<Bullet> {
  return (sources, bounds) => {
    const all = new Set(sources.flatMap(({ bullets }) => bullets.flatMap(({ text }) => membersOf.get(text) ?? [])))
    if (all.size < 2 || share >= 1) return write(sources, bounds)
    const each = { ...bounds, maxBullets: bulletsOfOne(bounds.maxBullets, share, all.size) }
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
