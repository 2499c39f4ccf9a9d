import { diffArrays } from 'diff'

/** Lines in a row that stand as they did, were taken out, or came in. */
export interface LineChange {
  readonly added: boolean
  readonly removed: boolean
  readonly value: readonly string[]
}

/** Lines taken out and put in that are told one by one, at most: the search takes the square of them, some 20 ms. */
const mostChanges = 500

/** The same of long pages, where each step may walk along all lines: changes times lines. */
const mostCompared = 5_000_000

/** How many changes are looked for between two pages, of which so many lines may differ. */
export function changesLookedFor(lines: number): number {
  return Math.min(mostChanges, Math.max(1, Math.floor(mostCompared / Math.max(1, lines))))
}

/**
 * How lines became others. Where that are more changes than are looked for, all between the first and the last line
 * that differ counts as rewritten.
 */
export function lineChanges(old: readonly string[], lines: readonly string[]): readonly LineChange[] {
  const shorter = Math.min(old.length, lines.length)
  let before = 0
  while (before < shorter && old[before] === lines[before]) before += 1
  let after = 0
  while (after < shorter - before && old[old.length - 1 - after] === lines[lines.length - 1 - after]) after += 1
  const [gone, come] = [old.slice(before, old.length - after), lines.slice(before, lines.length - after)]
  const between: readonly LineChange[] = diffArrays(gone, come, { maxEditLength: changesLookedFor(gone.length + come.length) }) ?? [
    { added: false, removed: true, value: gone },
    { added: true, removed: false, value: come },
  ]
  return [stands(old.slice(0, before)), ...between, stands(old.slice(old.length - after))].filter(({ value }) => value.length > 0)
}

function stands(value: readonly string[]): LineChange {
  return { added: false, removed: false, value }
}
