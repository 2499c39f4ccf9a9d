import type { ItemTable } from '../schema.ts'

/** A digest's child: the ordinal that it had, and its id. */
export type Child = readonly [ord: number, id: string]

/**
 * The children that a person's words stand for in a digest: the ordinal of each, and how many messages it was made
 * from. Empty where that was not noted.
 */
export type CoveredChildren = readonly (readonly [ord: number, messages: number])[]

/** Of words that stand for no child that is left; no item has this ordinal. */
const forNone: CoveredChildren = [[0, 0]]

/** [from, to] places in its session that an item was made from; none for a digest, whose children tell. */
export function spansOf(item: Pick<ItemTable, 'rung' | 'spans'>): readonly (readonly [from: number, to: number])[] {
  return item.rung === 0 ? storedSpans(item) : []
}

/** The children that a person's words stand for in a digest. */
export function standsForOf(item: Pick<ItemTable, 'rung' | 'spans'>): CoveredChildren {
  return item.rung === 0 ? [] : storedSpans(item)
}

/** The same, to be stored: told apart from what was not noted also where there is none. */
export function notedStandsFor(children: CoveredChildren): CoveredChildren {
  return children.length === 0 ? forNone : children
}

/** As they are stored, whatever they tell. */
export function storedSpans({ spans }: Pick<ItemTable, 'spans'>): readonly (readonly [number, number])[] {
  const stored: readonly (readonly [number, number])[] = JSON.parse(spans)
  return stored
}

/** A digest's children as they were when it was made; none for a leaf. */
export function childrenOf({ rung, made_of: madeOf }: Pick<ItemTable, 'rung' | 'made_of'>): readonly Child[] {
  const stored: readonly Child[] = rung === 0 ? [] : JSON.parse(madeOf)
  return stored
}
