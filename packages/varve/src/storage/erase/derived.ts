import { dropContextsOf } from './page-contexts.ts'
import type { AssertionTable, InstructionTable } from '../known-tables.ts'
import { type DoomedText, eraseKept, keptFrom } from '../deeds/deed-erasure.ts'
import { dropDeedsOfSessions } from '../deeds/deeds.ts'
import type { Needles } from '../needles.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { countsOfPages, type DoomedPages, type ErasedLines, erasePageLines, pagesFrom } from './page-erasure.ts'
import { digestsAbove } from '../derived/digests-above.ts'
import { allItems, itemKinds, itemsAround } from '../derived/items.ts'
import { writtenKinds } from '../kinds.ts'
import { spansOf } from '../derived/item-lineage.ts'
import { countFactsIn, type DoomedFacts, eraseCounted, factsFrom, withOrphans } from './fact-erasure.ts'
import { eraseInstructions, instructionsFrom } from './instruction-erasure.ts'
import { dropParts, dropPartsOfSession, partsOf } from '../derived/parts.ts'
import { withinPlaces } from './places.ts'
import { abreast, type Program } from '../program.ts'
import type { ItemTable, PartTable } from '../schema.ts'
import { dropWorkOfSession } from '../work.ts'

/**
 * Everything that rests on messages: parts with words, gists, bank entries with the digests above them, facts,
 * instructions, lines of documents and notes. And the texts of them that are kept so that a change can be taken back.
 */
export interface Derived extends DoomedFacts {
  /** The partitions around that of the messages (nearTo). */
  readonly near: string
  readonly doomedPages: DoomedPages
  readonly parts: readonly PartTable[]
  readonly items: readonly ItemTable[]
  readonly instructions: readonly InstructionTable[]
  readonly kept: readonly DoomedText[]
  /** The sessions that go as a whole. */
  readonly sessions: readonly number[]
}

/** Statements that a person added by hand, and that go as well. */
export interface ByHand {
  readonly facts: readonly AssertionTable[]
  readonly instructions: readonly InstructionTable[]
}

/**
 * Returns everything that rests on messages: in each session on those at some places, or on all. Includes statements by
 * hand that go as well. Digests are found by their period: an older one may hold words that its children lost.
 */
export function* derivedFrom(
  partition: number,
  near: string,
  said: ReadonlyMap<number, readonly number[] | undefined>,
  byHand: ByHand,
): Program<Derived> {
  const [found, instructions, doomedPages, kept] = yield* abreast([
    abreast([...said].map(([session, seqs]) => derivedFromOne({ partition, near, session }, seqs))),
    instructionsFrom(partition, said),
    pagesFrom(partition, near, said),
    keptFrom(near, said),
  ])
  const items = new Map(found.flatMap((one) => one.items).map((item) => [`${item.partition_id} ${item.ord}`, item]))
  const known = {
    assertions: [...byHand.facts, ...found.flatMap(({ facts }) => facts.assertions)],
    citations: found.flatMap(({ facts }) => facts.citations),
  }
  return {
    near,
    parts: found.flatMap(({ parts }) => parts),
    items: [...items.values()],
    instructions: [...byHand.instructions, ...instructions],
    ...(yield* withOrphans(known)),
    doomedPages,
    kept,
    sessions: [...said].flatMap(([session, seqs]) => (seqs === undefined ? [session] : [])),
  }
}

/** A session, its partition, and the partitions around that. */
interface NearSession {
  readonly partition: number
  readonly near: string
  readonly session: number
}

interface OfSession extends Pick<Derived, 'parts' | 'items'> {
  readonly facts: DoomedFacts
}

function* derivedFromOne({ partition, near, session }: NearSession, seqs: readonly number[] | undefined): Program<OfSession> {
  const goes = withinPlaces(seqs)
  const rests: Rests = (spans) => seqs === undefined || spans.some(([from, to]) => goes(from, to))
  const [parts, items, facts] = yield* abreast([
    partsOf(partition, session),
    itemsResting(near, session, rests),
    factsFrom(near, session, seqs),
  ])
  return { parts: parts.filter((part) => part.content !== null && rests([[part.from_seq, part.to_seq]])), items, facts }
}

type Rests = (spans: readonly (readonly [number, number])[]) => boolean

function* itemsResting(near: string, session: number, rests: Rests): Program<readonly ItemTable[]> {
  const items = (yield* itemsAround(near, session)).filter((item) => item.page_id === 0 && rests(spansOf(item)))
  return [...items, ...(yield* digestsAbove(items))]
}

/** Counts the derived items to be erased, by the kinds of a receipt. */
export function* countsOfDerived({
  items,
  assertions,
  instructions,
  doomedPages,
}: Pick<Derived, 'items' | 'assertions' | 'instructions' | 'doomedPages'>): Program<Readonly<Record<string, number>>> {
  const facts = yield* countFactsIn(assertions)
  return { ...countsOfItems(items), ...countsOfKnown(facts, instructions), ...countsOfPages(doomedPages) }
}

function countsOfKnown(facts: number, { length }: readonly InstructionTable[]): Readonly<Record<string, number>> {
  return { ...(facts > 0 ? { fact: facts } : {}), ...(length > 0 ? { instruction: length } : {}) }
}

function countsOfItems(items: readonly ItemTable[]): Readonly<Record<string, number>> {
  const counts = writtenKinds.map((name) => [name, items.filter(({ kind }) => kind === itemKinds[name]).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/**
 * Erases parts, items and lines of pages, and the items in `others`. Returns counts by kind, and adds the erased bytes
 * to the needles. All items go together, since each partition's row counts its own.
 */
export function* eraseDerived(
  derived: Derived,
  needles: Needles,
  others: readonly ItemTable[] = [],
): Program<Readonly<Record<string, number>>> {
  const counts = yield* countsOfDerived(derived)
  yield* eraseWithLines(derived, yield* erasePageLines(derived.doomedPages, needles), needles, others)
  return counts
}

/** Erases the rest, after the lines of pages. */
export function* eraseWithLines(
  { near, parts, items, instructions, kept, sessions, ...known }: Derived,
  ofPages: readonly ErasedLines[],
  needles: Needles,
  others: readonly ItemTable[] = [],
): Program<void> {
  for (const { content } of parts) needles.add([new TextEncoder().encode(content ?? '')].filter(({ length }) => length > 0))
  yield* abreast([
    dropParts(parts),
    eraseItems([...items, ...ofPages.flatMap((one) => one.items), ...others], needles),
    eraseCounted(known, needles),
    eraseInstructions(instructions, needles),
    eraseKept(near, kept, needles),
    dropDeedsOfSessions(near, sessions),
    dropContextsOf(
      ofPages.map(({ page }) => page),
      needles.contexts,
    ),
  ])
}

/** Drops the rows of a session that hold no words: its blanked parts, and its work. */
export function* dropTraces(partition: number, session: number): Program<void> {
  yield* abreast([dropPartsOfSession(partition, session), dropWorkOfSession(session)])
}

/** Erases all items of a derived partition. */
export function* eraseAllItems(partition: number, needles: Needles): Program<Readonly<Record<string, number>>> {
  const items = yield* allItems(partition)
  yield* eraseItems(items, needles)
  return countsOfItems(items)
}
