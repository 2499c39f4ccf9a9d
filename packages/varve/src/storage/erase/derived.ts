import type { AssertionSourceTable, AssertionTable } from '../known-tables.ts'
import type { Needles } from '../needles.ts'
import { eraseItems } from '../derived/item-erasure.ts'
import { countsOfPages, type DoomedPages, erasePages, pagesFrom } from './page-erasure.ts'
import { allItems, entriesIn, itemKinds, itemsOfSession, periodsAbove, spansOf } from '../derived/items.ts'
import { countFactsIn, type DoomedFacts, eraseFacts, factsFrom, withOrphans } from './fact-erasure.ts'
import { dropPart, dropPartsOfSession, partsOf } from '../derived/parts.ts'
import type { Program } from '../program.ts'
import type { ItemTable, PartTable } from '../schema.ts'
import { dropWork, workKinds } from '../work.ts'

/** What rests on messages: parts with words in them, gists, entries of banks, and all digests above these; facts; lines of documents and notes. */
export interface Derived extends DoomedFacts {
  readonly doomedPages: DoomedPages
  readonly parts: readonly PartTable[]
  readonly items: readonly ItemTable[]
}

/**
 * What rests on messages: of each session on those at some places, or on any of it; with statements that go as well. Digests are taken
 * by their period: an older one may hold what its children no longer say.
 */
export function* derivedFrom(said: ReadonlyMap<number, readonly number[] | undefined>, byHand: readonly AssertionTable[]): Program<Derived> {
  const parts: PartTable[] = []
  const items = new Map<string, ItemTable>()
  const assertions = [...byHand]
  const citations: AssertionSourceTable[] = []
  for (const [session, seqs] of said) {
    const rests = (spans: readonly (readonly [number, number])[]): boolean => seqs === undefined || spans.some(([from, to]) => seqs.some((seq) => seq >= from && seq <= to))
    parts.push(...(yield* partsOf(session)).filter((part) => part.content !== null && rests([[part.from_seq, part.to_seq]])))
    for (const item of yield* itemsOfSession(session)) {
      if (item.page_id === 0 && rests(spansOf(item))) for (const one of [item, ...(yield* digestsAbove(item))]) items.set(`${one.partition_id} ${one.ord}`, one)
    }
    const facts = yield* factsFrom(session, seqs)
    assertions.push(...facts.assertions)
    citations.push(...facts.citations)
  }
  return { parts, items: [...items.values()], ...(yield* withOrphans({ assertions, citations })), doomedPages: yield* pagesFrom(said) }
}

/** All digests of the periods that an entry lies in. */
export function* digestsAbove(item: Pick<ItemTable, 'partition_id' | 'kind' | 'rung' | 'period'>): Program<readonly ItemTable[]> {
  const found: ItemTable[] = []
  if (item.kind !== itemKinds.bank) return found
  for (const { rung, period } of periodsAbove(item)) found.push(...(yield* entriesIn(item.partition_id, rung, period)))
  return found
}

/** Counts of what would be erased, as they stand in a receipt. */
export function countsOfDerived({ items, assertions, doomedPages }: Pick<Derived, 'items' | 'assertions' | 'doomedPages'>): Readonly<Record<string, number>> {
  const facts = countFactsIn(assertions)
  return { ...countsOfItems(items), ...(facts > 0 ? { fact: facts } : {}), ...countsOfPages(doomedPages) }
}

function countsOfItems(items: readonly ItemTable[]): Readonly<Record<string, number>> {
  const countOf = (wanted: number): number => items.filter(({ kind }) => kind === wanted).length
  const [gist, bank] = [countOf(itemKinds.gist), countOf(itemKinds.bank)]
  return { ...(gist > 0 ? { gist } : {}), ...(bank > 0 ? { bank } : {}) }
}

/** Erases parts, items and lines of pages; gives back how many, and adds their bytes to what the files are searched for. */
export function* eraseDerived({ parts, items, doomedPages, ...known }: Derived, needles: Needles): Program<Readonly<Record<string, number>>> {
  for (const part of parts) {
    needles.add([new TextEncoder().encode(part.content ?? '')].filter(({ length }) => length > 0))
    yield* dropPart(part.id)
  }
  yield* eraseItems(items, needles)
  const facts = yield* eraseFacts(known, needles)
  yield* erasePages(doomedPages, needles)
  return { ...countsOfItems(items), ...(facts > 0 ? { fact: facts } : {}), ...countsOfPages(doomedPages) }
}

/** What a session that goes leaves behind that holds no words: what was taken out by hand, and who worked on it. */
export function* dropTraces(session: number): Program<void> {
  yield* dropPartsOfSession(session)
  for (const kind of [workKinds.session, workKinds.notes]) yield* dropWork({ kind, ref: session })
}

/** Erases all items of a partition of what is derived. */
export function* eraseAllItems(partition: number, needles: Needles): Program<Readonly<Record<string, number>>> {
  const items = yield* allItems(partition)
  yield* eraseItems(items, needles)
  return countsOfItems(items)
}
