import { type BankNode, compare, type NodeVersion, parentOf, rungOfNode } from './bank-node.ts'
import type { CountedBullet, EntryView, EntryViews } from './entry-views.ts'
import { granularities, type Granularity } from './granularity.ts'
import { conversationsOf, type Group, type Ladder, storedOf } from './ladder.ts'
import { type BankText, renderBank } from './render.ts'
import type { Shapes } from './shapes.ts'

/**
 * An entry of a rendered bank. `bulletsDropped` counts the bullets that found no room. Where there is room, a digest's own
 * bullets are followed by those of the entries below it.
 */
export interface BankEntry extends BankText {
  /** Absent for a virtual digest. */
  readonly id?: string
  readonly bulletsDropped: number
  readonly conversations: number
  /** True beside the digest of its period: for a pin, whose conversations that digest tells again, and for the newest line. */
  readonly besideDigest: boolean
}

/** A digest that would take the place of a virtual one. */
export interface MissingDigest {
  readonly granularity: Granularity
  readonly period: string
  /** The children that it must list to cover everything known of its period. */
  readonly children: readonly NodeVersion[]
  /** The id of the stored digest that covers only a part of it. */
  readonly replaces?: string
}

/** The lines that are shown below a group's own. */
export type Filling = ReadonlyMap<Group, readonly CountedBullet[]>

export interface ShownFrontier {
  /** The entries as they are rendered: the finest first, in each granularity the newest first. */
  readonly entries: readonly BankEntry[]
  /** Conversations that no entry tells of. */
  readonly omitted: number
  readonly text: string
  /** The virtual digests that are shown, oldest first. */
  readonly due: readonly MissingDigest[]
}

/** Renders the shape at which the walk stands, with the lines that fill its room. */
export function showFrontier(ladder: Ladder, shapes: Shapes, views: EntryViews, more: Filling = new Map()): ShownFrontier {
  const groups = shapes.groups()
  const shown = new Set(groups.map((group) => views.of(group).node))
  const inTree = groups.map((group) => ({ at: firstAt(group), entry: treeEntry(group, views.of(group), shapes, more) }))
  const beside = shapes.pins
    .filter((pin) => !shown.has(pin))
    .map((pin) => ({ at: pin.firstAt, entry: pinEntry(ladder, pin, views.ofNode(pin), groups) }))
  const entries = [...inTree, ...beside].sort(newestFirst).map(({ entry }) => entry)
  const due = groups.filter((group) => views.of(group).node === undefined).map((group) => missing(ladder, group))
  return { entries, omitted: shapes.omitted, text: renderBank(entries, shapes.omitted), due }
}

interface Placed {
  readonly at: number
  readonly entry: BankEntry
}

function newestFirst(one: Placed, other: Placed): number {
  return (
    rungOfNode(one.entry) - rungOfNode(other.entry) ||
    compare(other.entry.period, one.entry.period) ||
    other.at - one.at ||
    compare(one.entry.id ?? '', other.entry.id ?? '')
  )
}

function firstAt({ sources }: Group): number {
  return sources.reduce((first, { node }) => Math.min(first, node.firstAt), Number.POSITIVE_INFINITY)
}

function treeEntry(group: Group, { label, bullets, node }: EntryView, shapes: Shapes, more: Filling): BankEntry {
  const shown = [...bullets.slice(0, bullets.length - shapes.dropped(group)), ...(more.get(group) ?? [])]
  const texts = new Set(shown.map(({ text }) => text))
  const bulletsDropped = bullets.filter(({ text }) => !texts.has(text)).length
  const bulletsShown = shown.map(({ text }) => text)
  return { ...named(label, node), bullets: bulletsShown, bulletsDropped, conversations: conversationsOf(group), besideDigest: false }
}

function pinEntry(ladder: Ladder, pin: BankNode, { label, bullets }: EntryView, groups: readonly Group[]): BankEntry {
  const shown = bullets.map(({ text }) => text)
  return {
    ...named(label, pin),
    bullets: shown,
    bulletsDropped: 0,
    conversations: ladder.conversations(pin),
    besideDigest: groups.some((group) => standsFor(group, pin)),
  }
}

function named(
  { granularity, period, title, pinned }: EntryView['label'],
  node: BankNode | undefined,
): Omit<BankText, 'bullets'> & { id?: string } {
  return { ...(node === undefined ? {} : { id: node.id }), granularity, period, ...(title === undefined ? {} : { title }), pinned }
}

/** Tells whether a group is a digest, stored or virtual, of the pin's period or of one that holds it. */
function standsFor({ rung, period }: Group, pin: BankNode): boolean {
  let own = pin.period
  for (let at = rungOfNode(pin); at < rung; at += 1) own = parentOf(at, own)
  return rung >= Math.max(1, rungOfNode(pin)) && own === period
}

function missing({ byId }: Ladder, group: Group): MissingDigest {
  const stored = storedOf(group)
  const beside = group.sources.flatMap(({ node }) => (node === stored ? [] : [node]))
  const children = new Map(
    [...(stored?.children ?? []), ...beside].map(({ id, version }) => [id, { id, version: byId.get(id)?.version ?? version }]),
  )
  const granularity = granularities[group.rung] ?? 'year'
  return { granularity, period: group.period, children: [...children.values()], ...(stored === undefined ? {} : { replaces: stored.id }) }
}
