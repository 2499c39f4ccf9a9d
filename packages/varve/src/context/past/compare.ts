import { InvalidOption } from '../../errors/invalid-option.ts'
import type { ShownContext, ShownItem, StoredContext } from '../../storage/log/past-contexts.ts'
import type { Program } from '../../storage/program.ts'
import { omissionMark } from '../shown-record.ts'
import { type BudgetedTier, renderedTiers } from '../tiers.ts'
import {
  pastHeadOf,
  kindIn,
  type PastContextHead,
  type PastKind,
  type PastMeans,
  type RemadeSection,
  remadeSections,
} from './past-context.ts'
import type { Remade } from './remade.ts'

/**
 * Why an item is in one context and not in the other, or differs in them. Each is a recorded fact; `unknown` when none is.
 *
 * - `new`: it was stored after the context that lacks it.
 * - `forgotten`: it was forgotten after the first context; nothing tells what it was.
 * - `gone`: it was deleted, or written anew under another id.
 * - `superseded`: the fact or instruction had ended by then.
 * - `rewritten`, `other-part`, `state-ended`: another revision or other words; another part of it; the end of a state is told.
 * - `left-out`: it was a candidate and was left out; `reason` says why.
 * - `ranked-below`: its tier was full; `score` and `least` tell its score, and the least that still got in.
 * - `not-found`: the question did not find it, and its tier had room.
 * - `not-asked`: the tier was off in the other context.
 * - `moved`: it is in another tier there.
 * - `turns-moved-on`: the newest turns of the session are others.
 * - `other-session`: the contexts are for different sessions.
 */
export type ContextWhy =
  | 'new'
  | 'forgotten'
  | 'gone'
  | 'superseded'
  | 'rewritten'
  | 'other-part'
  | 'state-ended'
  | 'left-out'
  | 'ranked-below'
  | 'not-found'
  | 'not-asked'
  | 'moved'
  | 'turns-moved-on'
  | 'other-session'
  | 'unknown'

/** An item in which two contexts differ. */
export interface ComparedItem {
  readonly kind: PastKind
  /** Absent for an item that was forgotten since. */
  readonly id?: string
  readonly why: ContextWhy
  /** Of `left-out`: the recorded reason. */
  readonly reason?: string
  /** Its score where it was shown. */
  readonly score?: number
  /** Of `ranked-below`: the least score in the other context's full tier. */
  readonly least?: number
  /** Of `moved`: the other tier. */
  readonly tier?: string
  /** Its line as it can be made again. */
  readonly text?: string
}

export interface ComparedTier {
  readonly tier: BudgetedTier
  /** In the second context alone, and in the first alone. */
  readonly cameIn: readonly ComparedItem[]
  readonly fellOut: readonly ComparedItem[]
  /** In both, with other words. */
  readonly changed: readonly ComparedItem[]
  /** The number of items that are the same in both. */
  readonly stayed: number
}

/** Two contexts of one user, side by side. */
export interface ContextComparison {
  readonly first: PastContextHead
  readonly second: PastContextHead
  /** True when both were asked the same question. */
  readonly isSameQuestion: boolean
  readonly tiers: readonly ComparedTier[]
}

/** A context with its items made again. */
interface Side {
  readonly stored: StoredContext
  readonly sections: readonly RemadeSection[]
}

/** Compares two contexts of one user. InvalidOption for contexts of two. */
export function* comparedContexts(means: PastMeans, first: StoredContext, second: StoredContext): Program<ContextComparison> {
  if (first.partition !== second.partition)
    throw new InvalidOption({ option: 'second', received: second.id, expected: 'a context of the same user as the first' })
  const [a, b] = [
    { stored: first, sections: yield* remadeSections(means, first) },
    { stored: second, sections: yield* remadeSections(means, second) },
  ]
  return {
    first: pastHeadOf(first),
    second: pastHeadOf(second),
    isSameQuestion: first.shown.question === second.shown.question,
    tiers: renderedTiers.map((tier) => comparedTier(tier, a, b, means.key)).filter((one) => !isEmpty(one)),
  }
}

function isEmpty({ cameIn, fellOut, changed, stayed }: ComparedTier): boolean {
  return cameIn.length + fellOut.length + changed.length + stayed === 0
}

function comparedTier(tier: BudgetedTier, a: Side, b: Side, key: string): ComparedTier {
  const [before, after] = [keyedItems(a, tier), keyedItems(b, tier)]
  const both = [...before].flatMap(([name, one]) => {
    const other = after.get(name)
    return other === undefined ? [] : [{ one, other, why: changeOf(one.item, other.item) }]
  })
  const onlyIn = (mine: ReadonlyMap<string, Remade>, others: ReadonlyMap<string, Remade>): Remade[] =>
    [...mine].flatMap(([name, one]) => (others.has(name) ? [] : [one]))
  const lost = (side: Side): ShownItem[] => itemsIn(side, tier).flatMap(({ item }) => (item.id === undefined ? [item] : []))
  return {
    tier,
    cameIn: [
      ...onlyIn(after, before).map((one) => toldOf(tier, one, recorded(tier, one, { there: a, here: b, key }))),
      ...gone(tier, lost(b), lost(a)),
    ],
    fellOut: [
      ...onlyIn(before, after).map((one) => toldOf(tier, one, whyOut(tier, one, { there: b, here: a, key }))),
      ...gone(tier, lost(a), lost(b)),
    ],
    changed: both.flatMap(({ other, why }) => (why === undefined ? [] : [toldOf(tier, other, { why })])),
    stayed: both.filter(({ why }) => why === undefined).length,
  }
}

function itemsIn({ sections }: Side, tier: string): readonly Remade[] {
  return sections.find((section) => section.tier === tier)?.items ?? []
}

/** Names the items of a tier. Several sections of one page have its id: they are told apart by their place. */
function keyedItems(side: Side, tier: string): ReadonlyMap<string, Remade> {
  const found = new Map<string, Remade>()
  const times = new Map<string, number>()
  for (const one of itemsIn(side, tier)) {
    const { id } = one.item
    if (id === undefined) continue
    const nth = times.get(id) ?? 0
    times.set(id, nth + 1)
    found.set(nth === 0 ? id : `${id} ${nth}`, one)
  }
  return found
}

/** Tells of forgotten items of one context, when the other has none: nobody can tell which of them were the same. */
function gone(tier: BudgetedTier, here: readonly ShownItem[], there: readonly ShownItem[]): ComparedItem[] {
  return here.map((item) => ({ kind: kindIn(tier, item), why: there.length === 0 ? ('forgotten' as const) : ('unknown' as const) }))
}

/** Says how an item differs in two contexts; undefined when it is the same. */
function changeOf(one: ShownItem, other: ShownItem): ContextWhy | undefined {
  if (one.revision !== other.revision) return 'rewritten'
  if (one.hash === undefined || other.hash === undefined) return 'rewritten'
  if (one.hash === other.hash) return undefined
  if (JSON.stringify(one.ranges) !== JSON.stringify(other.ranges)) return 'other-part'
  return JSON.stringify(one.by) === JSON.stringify(other.by) ? 'unknown' : 'state-ended'
}

type Why = Pick<ComparedItem, 'why' | 'reason' | 'least' | 'tier'>

/** An item is in one context, `here`, and not in the other, `there`. */
interface Sides {
  readonly here: Side
  readonly there: Side
  readonly key: string
}

function whyOut(tier: BudgetedTier, one: Remade, sides: Sides): Why {
  const { there } = sides
  const found = recorded(tier, one, sides)
  if (isOfRecord.has(found.why)) return found
  if (one.state === 'gone') return { why: 'gone' }
  return one.endedAt !== undefined && one.endedAt <= there.stored.at ? { why: 'superseded' } : found
}

/** The reasons that stand whatever became of the item since. */
const isOfRecord: ReadonlySet<ContextWhy> = new Set(['new', 'not-asked', 'moved', 'left-out'])

/** Gives the reason that the other context recorded. */
function recorded(tier: BudgetedTier, { item, recordedAt }: Remade, { here, there, key }: Sides): Why {
  if (recordedAt !== undefined && recordedAt > there.stored.at) return { why: 'new' }
  const { shown } = there.stored
  const [share = 0, limit = 0] = shown.tiers[tier] ?? []
  if (share === 0 || limit === 0) return { why: 'not-asked' }
  const moved = there.sections.find((section) => section.tier !== tier && section.items.some((one) => one.item.id === item.id))
  if (moved !== undefined) return { why: 'moved', tier: moved.tier }
  const left = leftOut(shown, tier, item.id ?? '', key)
  if (left !== undefined) return left
  if (tier === 'recent') return { why: here.stored.session === there.stored.session ? 'turns-moved-on' : 'other-session' }
  if (tier === 'notes' && here.stored.session !== there.stored.session) return { why: 'other-session' }
  const cut = shown.cuts.find((one) => one.tier === tier)
  if (cut !== undefined) return { why: 'ranked-below', ...(cut.score === undefined ? {} : { least: cut.score }) }
  const mayBeFound = item.score !== undefined || here.stored.shown.question !== shown.question
  return { why: searched.has(tier) && mayBeFound ? 'not-found' : 'unknown' }
}

/** The tiers that hold what the question finds. */
const searched: ReadonlySet<BudgetedTier> = new Set(['details', 'gists', 'documents', 'profile'])

function leftOut({ omitted }: ShownContext, tier: BudgetedTier, id: string, key: string): Why | undefined {
  const mine = omitted.filter((one) => one.tier === tier)
  const named = mine.find(({ marks = [] }) => marks.includes(omissionMark(key, id)))
  if (named !== undefined) return { why: 'left-out', reason: named.reason }
  // A tier that had no room at all names no item.
  const whole = mine.find(({ marks, reason }) => marks === undefined && reason.startsWith('their share'))
  return whole === undefined ? undefined : { why: 'left-out', reason: whole.reason }
}

function toldOf(tier: BudgetedTier, { item, state, line }: Remade, why: Why): ComparedItem {
  const { id, score } = item
  return {
    kind: kindIn(tier, item),
    ...(id === undefined ? {} : { id }),
    ...why,
    ...(score === undefined ? {} : { score }),
    ...(state === 'gone' || line === undefined ? {} : { text: line }),
  }
}
