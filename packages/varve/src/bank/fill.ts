import { compare } from './bank-node.ts'
import type { CountedBullet, EntryViews } from './entry-views.ts'
import { granularities } from './granularity.ts'
import type { Group, Ladder } from './ladder.ts'
import { linesBelow } from './lines-below.ts'
import type { MembersOf } from './member-share.ts'
import { type DatedPeriod, withSource } from './source-date.ts'
import type { Shapes } from './shapes.ts'
import type { Filling } from './show-frontier.ts'
import type { TokenCounts } from './token-counts.ts'

/** The most lines in a row without room for them, before a text counts as full. */
const mostWithoutRoom = 64

/** A part of a bank, at the shape in which it is shown. */
export interface BankPart {
  readonly ladder: Ladder
  readonly shapes: Shapes
  readonly views: EntryViews
}

/** A line that may use the room of a group: its own, or one from below it. */
interface Untold extends CountedBullet {
  readonly group: Group
  readonly from?: Group
}

/** The most lines that wait for their members, while one of a member with fewer tokens is looked for. */
const mostWaiting = 512

/** Lines of several members, or of nobody, take their turns as those of one more member. */
const several = ''

/**
 * Fills the room that shapes leave with lines that they do not tell: dropped ones, and those of finer groups. The groups
 * take turns, the newest first. On a shared bank the next line is always of a member who has the fewest tokens so far: what
 * nobody else needs goes to those who have more.
 */
export class Fill {
  readonly #parts: readonly BankPart[]
  readonly #counts: TokenCounts
  readonly #membersOf: MembersOf

  constructor(parts: readonly BankPart[], counts: TokenCounts, membersOf: MembersOf = new Map()) {
    this.#parts = parts
    this.#counts = counts
    this.#membersOf = membersOf
  }

  /** Chooses lines for a room. With less room the same lines are taken in the same order, as far as they fit. */
  within(room: number): { readonly more: Filling; readonly tokens: number } {
    const more = new Map<Group, CountedBullet[]>()
    const told = new Set<string>()
    const turns = new Turns(this.#untold(told), (text) => this.#ownerOf(text), this.#shown(told))
    let [tokens, without] = [0, 0]
    while (without < mostWithoutRoom) {
      const line = turns.next()
      if (line === undefined) break
      if (told.has(line.text)) continue
      const shown = this.#dated(line)
      if (tokens + shown.tokens > room) {
        without += 1
        continue
      }
      ;[tokens, without] = [tokens + shown.tokens, 0]
      told.add(line.text)
      turns.took(line)
      const lines = more.get(line.group)
      if (lines === undefined) more.set(line.group, [shown])
      else lines.push(shown)
    }
    return { more, tokens }
  }

  /** Notes the lines that the shapes tell, and gives the tokens that each member has by them. */
  #shown(told: Set<string>): Map<string, number> {
    const shown = new Map([...this.#membersOf.values()].map((members) => [ownerOf(members), 0]))
    // The lines of a user's own bank have no members.
    if (shown.size === 0) shown.set(several, 0)
    for (const { shapes, views } of this.#parts) {
      const ofTree = shapes
        .tree()
        .flatMap((group) => views.of(group).bullets.slice(0, views.of(group).bullets.length - shapes.dropped(group)))
      for (const { text, tokens } of [...ofTree, ...shapes.pins.flatMap((pin) => views.ofNode(pin).bullets)]) {
        told.add(text)
        const owner = this.#ownerOf(text)
        shown.set(owner, (shown.get(owner) ?? 0) + tokens)
      }
    }
    return shown
  }

  #ownerOf(text: string): string {
    return ownerOf(this.#membersOf.get(text) ?? [])
  }

  *#untold(told: ReadonlySet<string>): Generator<Untold, void> {
    let waiting = this.#parts.flatMap((part) =>
      part.shapes
        .tree()
        .toReversed()
        .map((group) => this.#below(part, group)),
    )
    while (waiting.length > 0) {
      const next: typeof waiting = []
      for (const lines of waiting) {
        let line = lines.next().value
        while (line !== undefined && told.has(line.text)) line = lines.next().value
        if (line === undefined) continue
        yield line
        next.push(lines)
      }
      waiting = next
    }
  }

  *#below({ ladder, shapes, views }: BankPart, group: Group): Generator<Untold, void> {
    const { bullets } = views.of(group)
    for (const { text, tokens } of bullets.slice(bullets.length - shapes.dropped(group))) yield { group, text, tokens }
    for (const line of linesBelow(ladder, views, group)) yield { group, ...line }
  }

  #dated({ text, tokens, from, group }: Untold): CountedBullet {
    const dated =
      from === undefined ? text : withSource(text, { from: sourceOf(text, from, this.#counts), shownUnder: periodOfGroup(group) })
    return { text: dated, tokens: dated === text ? tokens : this.#counts.bullet(dated) }
  }
}

/** Finds the entry from which a line is. A digest that is put together for reading has the lines of several. */
function sourceOf(text: string, group: Group, counts: TokenCounts): DatedPeriod {
  return group.sources.find(({ node }) => counts.node(node).bullets.some((bullet) => bullet.text === text))?.node ?? periodOfGroup(group)
}

function periodOfGroup({ rung, period }: Group): DatedPeriod {
  return { granularity: granularities[rung] ?? 'year', period }
}

function ownerOf([first, second]: readonly string[]): string {
  return first === undefined || second !== undefined ? several : first
}

/** Lines of members in turn: always one of who has the fewest tokens. A member's own lines keep their order. */
class Turns {
  readonly #lines: Generator<Untold, void>
  readonly #ownerOf: (text: string) => string
  readonly #tokens: Map<string, number>
  readonly #waiting = new Map<string, Untold[]>()
  #setAside = 0
  #isOver = false

  constructor(lines: Generator<Untold, void>, ownerOf: (text: string) => string, tokens: Map<string, number>) {
    this.#lines = lines
    this.#ownerOf = ownerOf
    this.#tokens = tokens
  }

  took({ text, tokens }: Untold): void {
    const owner = this.#ownerOf(text)
    this.#tokens.set(owner, (this.#tokens.get(owner) ?? 0) + tokens)
  }

  next(): Untold | undefined {
    const owners = [...this.#tokens].toSorted(([one, few], [other, more]) => few - more || compare(one, other))
    for (const [owner] of owners) {
      const line = this.#of(owner)
      if (line !== undefined) return line
      if (this.#isOver) this.#tokens.delete(owner)
    }
    // A member who was met on the way was not among the owners.
    return this.#setAside > 0 ? this.next() : undefined
  }

  #of(owner: string): Untold | undefined {
    const waiting = this.#waiting.get(owner)?.shift()
    if (waiting !== undefined) {
      this.#setAside -= 1
      return waiting
    }
    while (!this.#isOver && this.#setAside < mostWaiting) {
      const line = this.#lines.next().value
      if (line === undefined) this.#isOver = true
      else if (this.#ownerOf(line.text) === owner) return line
      else this.#keep(line)
    }
    return undefined
  }

  #keep(line: Untold): void {
    const owner = this.#ownerOf(line.text)
    const waiting = this.#waiting.get(owner)
    if (waiting === undefined) this.#waiting.set(owner, [line])
    else waiting.push(line)
    if (!this.#tokens.has(owner)) this.#tokens.set(owner, 0)
    this.#setAside += 1
  }
}
