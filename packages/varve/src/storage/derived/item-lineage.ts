import type { ItemTable } from '../schema.ts'

/** A digest's child: its ordinal when the digest was made, and its id. */
export type Child = readonly [ord: number, id: string]

/**
 * The children that a person's words stand for in a digest: the ordinal of each, and the number of its source messages.
 * Empty where that was not noted.
 */
export type CoveredChildren = readonly (readonly [ord: number, messages: number])[]

/** Marks words that stand for no remaining child; no item has this ordinal. */
const forNone: CoveredChildren = [[0, 0]]

/** Returns the [from, to] places in its session that an item was made from. A digest has none: its children have them. */
export function spansOf(item: Pick<ItemTable, 'rung' | 'spans'>): readonly (readonly [from: number, to: number])[] {
  return item.rung === 0 ? storedSpans(item) : []
}

/** Returns the children that a person's words stand for in a digest. */
export function standsForOf(item: Pick<ItemTable, 'rung' | 'spans'>): CoveredChildren {
  return item.rung === 0 ? [] : storedSpans(item)
}

/** Returns the children in the form to store. An empty list stays different from "not noted". */
export function notedStandsFor(children: CoveredChildren): CoveredChildren {
  return children.length === 0 ? forNone : children
}

/** Reads the spans as they are stored, whatever they mean. */
export function storedSpans({ spans }: Pick<ItemTable, 'spans'>): readonly (readonly [number, number])[] {
  const stored: readonly (readonly [number, number])[] = JSON.parse(spans)
  return stored
}

/** Returns a digest's children as they were when it was made; none for a leaf. */
export function childrenOf({ rung, made_of: madeOf }: Pick<ItemTable, 'rung' | 'made_of'>): readonly Child[] {
  const stored: readonly Child[] = rung === 0 ? [] : JSON.parse(madeOf)
  return stored
}
