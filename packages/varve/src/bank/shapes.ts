import { type BankNode, byTime, rungOfNode } from './bank-node.ts'
import type { EntryViews } from './entry-views.ts'
import { granularities } from './granularity.ts'
import { type Group, kidsEnd, type Ladder, wholeOf } from './ladder.ts'
import type { TokenCounts } from './token-counts.ts'
import { headingLine, omittedLine, preambleLine } from './render.ts'
import { unseen } from './unseen.ts'

export interface ShapesOptions {
  readonly counts: TokenCounts
  readonly views: EntryViews
  /** For each rung above the finest, the number of groups that are old enough for it; once for each lowered age. */
  readonly aged: readonly (readonly number[])[]
  readonly omittedBefore: number
}

/**
 * A walk along the chain of shapes, from the finest to nothing at all. For each rung, a shape has a number of groups,
 * from the oldest on, that are shown at it or at a coarser one. So older entries are never finer. Each step adds and
 * subtracts only its change. A shape's tokens are the sum of its lines'; the whole text may have less by its last line
 * break.
 */
export class Shapes {
  readonly #ladder: Ladder
  readonly #options: ShapesOptions
  readonly #ends: number[]
  readonly #shown = granularities.map(() => 0)
  readonly #dropped = new Map<Group, number>()
  readonly #omitted = new Set<Group>()
  readonly #frame: number
  readonly #headings: readonly number[]
  #pins: readonly BankNode[]
  #body = 0

  constructor(ladder: Ladder, options: ShapesOptions) {
    this.#ladder = ladder
    this.#options = options
    this.#frame = options.counts.line(preambleLine)
    this.#headings = granularities.map((granularity) => options.counts.line(headingLine(granularity)))
    this.#ends = forced(ladder)
    this.#pins = [...ladder.byId.values()].filter(({ pinned }) => pinned).sort(byTime)
    for (const pin of this.#pins) this.#addPin(pin, 1)
    for (const group of this.groups()) this.#add(group, 1)
  }

  /** Lists the groups of the tree that are shown, oldest first. */
  groups(): Group[] {
    return granularities.flatMap((_, below) => {
      const rung = granularities.length - 1 - below
      const [from, to] = [kidsEnd(this.#ladder, rung + 1, this.#ends[rung + 1] ?? 0), this.#ends[rung]]
      return this.#ladder.rungs[rung]?.slice(from, to).filter((group) => !this.#omitted.has(group)) ?? []
    })
  }

  /** The pins that are shown, in the tree or beside it, oldest first. */
  get pins(): readonly BankNode[] {
    return this.#pins
  }

  dropped(group: Group): number {
    return this.#dropped.get(group) ?? 0
  }

  /** Conversations that no entry tells of. */
  get omitted(): number {
    return this.#options.omittedBefore + unseen(this.#ladder, this.#omitted, this.#pins)
  }

  /** Takes each step in turn and gives the tokens of the shape; the first before any step. */
  *steps(): Generator<number, void> {
    yield this.#tokens
    for (const limits of this.#options.aged) {
      for (let rung = 1; rung < granularities.length; rung += 1) yield* this.#raiseTo(rung, limits[rung] ?? 0)
    }
    // An unfinished day gives way before anything is left out. An unfinished week, month or year gives way only when
    // nothing older is left to leave out.
    for (let rung = 1; rung < granularities.length; rung += 1) {
      yield* this.#raiseTo(rung, this.#ladder.rungs[rung]?.length ?? 0)
      for (const group of this.tree()) {
        while (this.#canDrop(group)) yield this.#drop(group)
      }
    }
    for (const group of this.tree()) yield this.#omit(group)
    for (const pin of this.#pins) yield this.#unpin(pin)
  }

  *#raiseTo(rung: number, limit: number): Generator<number, void> {
    while (this.#canRaise(rung, limit)) yield this.#raise(rung)
  }

  /** Lists the groups that are shown and are no pins, oldest first. */
  tree(): Group[] {
    return this.groups().filter((group) => !this.#isPin(group))
  }

  get #tokens(): number {
    if (this.#shown.every((entries) => entries === 0)) return 0
    const { omitted } = this
    const lines = this.#shown.reduce((sum, entries, rung) => sum + (entries > 0 ? (this.#headings[rung] ?? 0) : 0), this.#frame)
    return this.#body + lines + (omitted === 0 ? 0 : this.#options.counts.line(omittedLine(omitted)))
  }

  /** Tells whether one more group of a rung can take the place of its finer ones: all of these must be at the rung below. */
  #canRaise(rung: number, limit: number): boolean {
    const end = this.#ends[rung] ?? 0
    return end < limit && kidsEnd(this.#ladder, rung, end + 1) <= (this.#ends[rung - 1] ?? 0)
  }

  #raise(rung: number): number {
    const end = this.#ends[rung] ?? 0
    const kids = this.#ladder.rungs[rung - 1]?.slice(kidsEnd(this.#ladder, rung, end), kidsEnd(this.#ladder, rung, end + 1)) ?? []
    for (const kid of kids) {
      this.#restore(kid)
      this.#add(kid, -1)
    }
    for (const group of this.#ladder.rungs[rung]?.slice(end, end + 1) ?? []) this.#add(group, 1)
    this.#ends[rung] = end + 1
    return this.#tokens
  }

  /** Adds or subtracts the tokens of a group. Pins are charged once, in the tree or beside it. */
  #add(group: Group, sign: 1 | -1): void {
    if (this.#isPin(group)) return
    this.#shown[group.rung] = (this.#shown[group.rung] ?? 0) + sign
    this.#body += sign * this.#options.views.of(group).tokens
  }

  #addPin(pin: BankNode, sign: 1 | -1): void {
    this.#shown[rungOfNode(pin)] = (this.#shown[rungOfNode(pin)] ?? 0) + sign
    this.#body += sign * this.#options.views.ofNode(pin).tokens
  }

  #isPin(group: Group): boolean {
    return wholeOf(group)?.pinned === true
  }

  #canDrop(group: Group): boolean {
    return this.#options.views.of(group).bullets.length - this.dropped(group) > 1
  }

  #drop(group: Group): number {
    const dropped = this.dropped(group) + 1
    this.#body -= this.#options.views.of(group).bullets.at(-dropped)?.tokens ?? 0
    this.#dropped.set(group, dropped)
    return this.#tokens
  }

  /** Adds the tokens of dropped bullets again, so that the whole group can be subtracted. */
  #restore(group: Group): void {
    const { bullets } = this.#options.views.of(group)
    this.#body += bullets.slice(bullets.length - this.dropped(group)).reduce((sum, { tokens }) => sum + tokens, 0)
    this.#dropped.delete(group)
  }

  #omit(group: Group): number {
    this.#restore(group)
    this.#add(group, -1)
    this.#omitted.add(group)
    return this.#tokens
  }

  #unpin(pin: BankNode): number {
    this.#addPin(pin, -1)
    this.#pins = this.#pins.filter((other) => other !== pin)
    for (const group of this.groups()) if (wholeOf(group) === pin) this.#omitted.add(group)
    return this.#tokens
  }
}

/**
 * Gives the ends that a walk begins with. A digest that cannot be opened is shown as it is. Everything older is then at
 * least as coarse, so that nothing older is finer.
 */
function forced(ladder: Ladder): number[] {
  const ends = ladder.rungs.map(() => 0)
  for (let rung = ladder.rungs.length - 1; rung > 0; rung -= 1) {
    const last =
      ladder.rungs[rung]?.findLastIndex(({ sources }) => sources.some(({ node }) => rungOfNode(node) === rung && !ladder.canOpen(node))) ??
      -1
    ends[rung] = Math.max(last + 1, kidsEnd(ladder, rung + 1, ends[rung + 1] ?? 0))
  }
  ends[0] = ladder.rungs[0]?.length ?? 0
  return ends
}
