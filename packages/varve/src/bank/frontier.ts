import type { BankNode } from './bank-node.ts'
import { EntryViews } from './entry-views.ts'
import { type BankPart, Fill } from './fill.ts'
import { granularities, type Granularity } from './granularity.ts'
import { conversationsOf, type Ladder, ladderOf } from './ladder.ts'
import {
  conversationsByKey,
  fairDigest,
  type MembersOf,
  membersOfLines,
  mergedEntries,
  nodesOf,
  type Overdrawn,
  overdrawn,
} from './member-share.ts'
import { mergeBullets, type WriteDigest } from './merge-bullets.ts'
import { localDay, periodOf } from './periods.ts'
import { renderBank } from './render.ts'
import { Shapes } from './shapes.ts'
import { type Filling, showFrontier, type ShownFrontier } from './show-frontier.ts'
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

interface FairOptions extends FrontierOptions {
  /** The members of each line, between whom the room is divided. Default: the bank is a user's own. */
  readonly membersOf?: MembersOf
  /** All of the bank, where its members are fitted apart. */
  readonly whole?: Ladder
}

/** A part of a bank at the first shape that fits its room. */
interface Fitted extends BankPart {
  readonly frontier: Frontier
  /** True for the finest shape that the nodes allow. */
  readonly isFinest: boolean
}

/**
 * Renders a bank: the first shape that fits the budget, of a chain from all leaves to nothing. The chain goes by
 * coarsening, dropping last bullets and omitting, each from the oldest on. The room that the shape leaves is filled with
 * lines from below its digests. When not even the newest pin fits by itself, nothing counts as pinned. Makes no model
 * call. The same nodes give the same text on all of a local day.
 *
 * More budget never shows less, if the encoding counts a text as the sum of its lines. The exception: more budget may
 * let the pins fit, or show less of a member who has more than their share. A digest's children may be missing among the
 * nodes (it is then shown closed), but not the digest that covers a node. With over 1,000 nodes it takes more than some milliseconds.
 *
 * @example const { text } = frontier(nodes, { maxTokens: 2_000, now, timeZone: 'Europe/Vienna', count: tokenizer.count })
 */
export function frontier(nodes: readonly BankNode[], options: FrontierOptions): Frontier {
  const { memberShare = 1 } = options
  if (memberShare >= 1) return filled([fit(ladderOf(nodes), options)], options)
  const counts = TokenCounts.of(options.count)
  const membersOf = membersOfLines(nodes, counts)
  const fair = { ...options, membersOf, digest: fairDigest(options.digest ?? mergeBullets, membersOf, memberShare) }
  const over = overdrawn(nodes, options.maxTokens, memberShare, counts)
  return (over.members.length === 0 ? undefined : sharedFrontier(nodes, fair, over)) ?? filled([fit(ladderOf(nodes), fair)], fair)
}

const noLadder = ladderOf([])

/** The most times that the parts are chosen anew, with less room, until all of them fit. */
const mostTries = 8

function sharedFrontier(nodes: readonly BankNode[], options: FairOptions, over: Overdrawn): Frontier | undefined {
  const shared = { ...options, whole: ladderOf(nodes) }
  let { maxTokens } = options
  for (let tries = 0; tries < mostTries; tries += 1) {
    const parts = sharedParts(nodes, { ...options, maxTokens }, over)
    const { entries, tokens } = together(parts, new Map(), shared)
    if (entries.length === 0) return undefined
    if (tokens <= options.maxTokens) return filled(parts, shared)
    maxTokens -= tokens - options.maxTokens
  }
  return undefined
}

/**
 * Fits each member who would take more than their share by themselves. So their flood makes nobody else's talk coarse.
 * The others come first. What they do not need goes to the members who are held, in equal parts.
 */
function sharedParts(nodes: readonly BankNode[], options: FairOptions, over: Overdrawn): readonly Fitted[] {
  const { maxTokens } = options
  const room = Math.max(0, maxTokens - over.members.length * over.tokens)
  const others = fit(ladderOf(nodesOf(nodes, undefined, over)), { ...options, maxTokens: room })
  let left = maxTokens - (others.isFinest ? others.frontier.tokens : room)
  const held = over.members.map((member, place) => {
    const each = { ...options, maxTokens: Math.floor(left / (over.members.length - place)), omittedBefore: 0 }
    const part = fit(ladderOf(nodesOf(nodes, member, over)), each)
    left -= part.frontier.tokens
    return part
  })
  return [others, ...held]
}

/** Renders the parts as one text, and fills the room that they leave. */
function filled(parts: readonly Fitted[], options: FairOptions): Frontier {
  const bare = together(parts, new Map(), options)
  if (bare.entries.length === 0) return bare
  const fill = new Fill(parts, TokenCounts.of(options.count), options.membersOf)
  // The sum of the lines. A text has no line break at its end: it may be a token less.
  const base = options.count(`${bare.text}\n`)
  let limit = options.maxTokens + 1
  while (limit > base) {
    const { more, tokens } = fill.within(limit - base)
    if (more.size === 0) break
    const shown = together(parts, more, options)
    if (shown.tokens <= options.maxTokens) return shown
    limit = Math.min(limit, options.maxTokens - Math.max(0, shown.tokens - base - tokens), base + tokens - 1)
  }
  return bare
}

function together(parts: readonly Fitted[], more: Filling, { count, whole = noLadder, omittedBefore = 0 }: FairOptions): Frontier {
  const shown = parts.map(({ ladder, shapes, views }) => showFrontier(ladder, shapes, views, more))
  const [only, second] = shown
  if (only !== undefined && second === undefined) return { ...only, tokens: count(only.text) }
  const entries = mergedEntries(
    shown.map((part) => part.entries),
    conversationsByKey(whole),
  )
  // A conversation that one part leaves out may be told by another: no more is left out than is not told.
  const all = (whole.rungs.at(-1) ?? []).reduce((sum, group) => sum + conversationsOf(group), omittedBefore)
  const told = entries.reduce((sum, { conversations, besideDigest }) => sum + (besideDigest ? 0 : conversations), 0)
  const omitted = Math.min(
    shown.reduce((sum, part) => sum + part.omitted, 0),
    Math.max(0, all - told),
  )
  const text = renderBank(entries, omitted)
  return { entries, omitted, text, tokens: count(text), due: shown.flatMap(({ due }) => due) }
}

/** Finds the first shape that fits. When only the empty shape fits, because of pins, it finds the first without pins. */
export function fit(ladder: Ladder, options: FrontierOptions): Fitted {
  const fitted = walk(ladder, options)
  const nodes = [...ladder.byId.values()]
  // Pins that are too long for all of the room would leave no room for anything else.
  if (fitted.frontier.entries.length > 0 || nodes.every(({ pinned }) => !pinned)) return fitted
  return walk(ladderOf(nodes.map((node) => (node.pinned ? { ...node, pinned: false } : node))), options)
}

function walk(ladder: Ladder, options: FrontierOptions): Fitted {
  const { maxTokens, omittedBefore = 0, digest = mergeBullets } = options
  const counts = TokenCounts.of(options.count)
  const views = new EntryViews(counts, digest)
  const shapes = new Shapes(ladder, { counts, views, aged: lowered.map((share) => aged(ladder, options, share)), omittedBefore })
  let isFinest = true
  for (const estimate of shapes.steps()) {
    // A text has no line break at its end: it may be a token less than its lines.
    if (estimate <= maxTokens + 1) {
      const shown = showFrontier(ladder, shapes, views)
      const tokens = options.count(shown.text)
      if (tokens <= maxTokens) return { ladder, shapes, views, frontier: { ...shown, tokens }, isFinest }
    }
    isFinest = false
  }
  return { ladder, shapes, views, frontier: { ...showFrontier(ladder, shapes, views), tokens: 0 }, isFinest }
}

/**
 * Counts for each rung the groups that are old enough. A period had ended by a day when that day lies in a later period.
 * Ages are whole days: a block then stays the same until midnight.
 */
function aged({ rungs }: Ladder, { now, timeZone, ages = defaultAges }: FrontierOptions, share: number): number[] {
  const today = Date.parse(localDay(now, timeZone))
  return granularities.map((granularity, rung) => {
    if (granularity === 'conversation') return 0
    const open = periodOf(localDay(today - Math.floor(ages[granularity] * share) * dayMs, 'UTC'), granularity)
    const groups = rungs[rung] ?? []
    const first = groups.findIndex(({ period }) => period >= open)
    return first === -1 ? groups.length : first
  })
}
