import type { BankNode } from './bank-node.ts'
import { EntryViews } from './entry-views.ts'
import { granularities, type Granularity } from './granularity.ts'
import { type Ladder, ladderOf } from './ladder.ts'
import { fairDigest, membersOfLines, mergedEntries, nodesOf, type Overdrawn, overdrawn } from './member-share.ts'
import { mergeBullets, type WriteDigest } from './merge-bullets.ts'
import { localDay, periodOf } from './periods.ts'
import { renderBank } from './render.ts'
import { Shapes } from './shapes.ts'
import { showFrontier, type ShownFrontier } from './show-frontier.ts'
import { type CountTokens, TokenCounts } from './token-counts.ts'

const dayMs = 86_400_000

export type DigestAges = Readonly<Record<Exclude<Granularity, 'conversation'>, number>>

/** The age in days after which an ended day, week, month or year is shown as one entry while there is room. */
export const defaultAges: DigestAges = { day: 1, week: 7, month: 30, year: 365 }

/**
 * Factors on the ages. When a frontier is still too long, the ages are lowered: a long past gives way to the recent,
 * and not all at once.
 */
const lowered = [1, 1 / 2, 1 / 4, 1 / 8]

export interface FrontierOptions {
  readonly maxTokens: number
  readonly now: number
  readonly timeZone: string
  /** The exact counter for the whole block. Counts are remembered by this function: pass the same one each time. */
  readonly count: CountTokens
  /** Older leaves that are neither among the nodes nor covered by one. */
  readonly omittedBefore?: number
  /** Writes virtual digests. Default: mergeBullets. */
  readonly digest?: WriteDigest
  readonly ages?: DigestAges
  /** On a shared bank: the part of the room that one member's lines may take when there are others. Default: all of it. */
  readonly memberShare?: number
}

export interface Frontier extends ShownFrontier {
  readonly tokens: number
}

interface FitOptions extends FrontierOptions {
  /** False to leave the room that a shape leaves. Lines from below a digest would break a member's share of it. Default: true. */
  readonly isFilled?: boolean
}

interface Fitted {
  readonly frontier: Frontier
  /** True for the finest shape that the nodes allow. */
  readonly isFinest: boolean
}

/**
 * Renders a bank: the first shape that fits the budget, of a chain from all leaves to nothing. The chain goes by
 * coarsening, dropping last bullets and omitting, each from the oldest on. The room that the shape leaves is filled with
 * lines from below its digests, but not on a shared bank. When not even the newest pin fits by itself,
 * nothing counts as pinned. Makes no model call.
 *
 * More budget never shows less, if the encoding counts a text as the sum of its lines. The exception: more budget may
 * let the pins fit, or show less of a member who has more than their share. A digest's children may be missing among the
 * nodes (it is then shown closed), but not the digest that covers a node. With over 1,000 nodes it takes more than some milliseconds.
 *
 * @example const { text } = frontier(nodes, { maxTokens: 2_000, now, timeZone: 'Europe/Vienna', count: tokenizer.count })
 */
export function frontier(nodes: readonly BankNode[], options: FrontierOptions): Frontier {
  const { memberShare = 1 } = options
  if (memberShare >= 1) return fit(ladderOf(nodes), options).frontier
  const over = overdrawn(nodes, options.maxTokens, memberShare, TokenCounts.of(options.count))
  const digest = fairDigest(options.digest ?? mergeBullets, membersOfLines(nodes), memberShare)
  // The lines of a user's own bank have no members.
  const fair = { ...options, digest, isFilled: nodes.every(({ members = [] }) => members.length === 0) }
  return over.members.size === 0 ? fit(ladderOf(nodes), fair).frontier : sharedFrontier(nodes, fair, over)
}

/** The most times that the others' part is rendered anew, with less room, until all of it fits. */
const mostTries = 8

/**
 * Renders each member who would take more than their share by themselves, in the room that they may have. So their flood
 * makes nobody else's talk coarse. The others have the room that is left.
 */
function sharedFrontier(nodes: readonly BankNode[], options: FitOptions, over: Overdrawn): Frontier {
  const { maxTokens, count } = options
  const held = [...over.members].map(
    (member) => fit(ladderOf(nodesOf(nodes, member, over)), { ...options, maxTokens: over.tokens, omittedBefore: 0 }).frontier,
  )
  const others = ladderOf(nodesOf(nodes, undefined, over))
  let room = maxTokens - held.reduce((sum, { tokens }) => sum + tokens, 0)
  for (let tries = 0; tries < mostTries; tries += 1) {
    const parts = [fit(others, { ...options, maxTokens: Math.max(0, room) }).frontier, ...held]
    const entries = mergedEntries(parts.map((part) => part.entries))
    const omitted = parts.reduce((sum, part) => sum + part.omitted, 0)
    const text = renderBank(entries, omitted)
    const tokens = count(text)
    if (tokens > 0 && tokens <= maxTokens) return { entries, omitted, text, tokens, due: parts.flatMap(({ due }) => due) }
    room -= Math.max(1, tokens - maxTokens)
  }
  return fit(ladderOf(nodes), options).frontier
}

/**
 * Finds the first shape that fits, and fills the room that it leaves. When only the empty shape fits, because of pins, it
 * finds the first without pins.
 */
export function fit(ladder: Ladder, options: FitOptions): Fitted {
  const fitted = walk(ladder, options)
  const nodes = [...ladder.byId.values()]
  // Pins that are too long for all of the room would leave no room for anything else.
  if (fitted.frontier.entries.length > 0 || nodes.every(({ pinned }) => !pinned)) return fitted
  return walk(ladderOf(nodes.map((node) => (node.pinned ? { ...node, pinned: false } : node))), options)
}

function walk(ladder: Ladder, options: FitOptions): Fitted {
  const { maxTokens, omittedBefore = 0, digest = mergeBullets, isFilled = true } = options
  const counts = TokenCounts.of(options.count)
  const views = new EntryViews(counts, digest)
  const shapes = new Shapes(ladder, { counts, views, aged: lowered.map((share) => aged(ladder, options, share)), omittedBefore })
  // A text has no line break at its end: it may be a token less than its lines.
  let limit = maxTokens + 1
  let isFinest = true
  for (const estimate of shapes.steps()) {
    while (estimate <= limit) {
      const filled = isFilled ? shapes.fill(limit) : estimate
      const shown = showFrontier(ladder, shapes, views)
      const tokens = options.count(shown.text)
      if (tokens <= maxTokens) return { frontier: { ...shown, tokens }, isFinest }
      limit = Math.min(limit, maxTokens - Math.max(0, tokens - filled), filled - 1)
    }
    isFinest = false
  }
  return { frontier: { ...showFrontier(ladder, shapes, views), tokens: 0 }, isFinest }
}

/** Counts for each rung the groups that are old enough. A period had ended by a moment when the moment lies in a later period. */
function aged({ rungs }: Ladder, { now, timeZone, ages = defaultAges }: FrontierOptions, share: number): number[] {
  return granularities.map((granularity, rung) => {
    if (granularity === 'conversation') return 0
    const open = periodOf(localDay(now - ages[granularity] * share * dayMs, timeZone), granularity)
    const groups = rungs[rung] ?? []
    const first = groups.findIndex(({ period }) => period >= open)
    return first === -1 ? groups.length : first
  })
}
