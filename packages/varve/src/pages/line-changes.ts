import { diffArrays } from 'diff'

/** Lines in a row that stayed, were taken out, or came in. */
export interface LineChange {
  readonly added: boolean
  readonly removed: boolean
  readonly value: readonly string[]
}

/** The most removed and added lines that are told one by one: the search takes the square of them, some 20 ms. */
const mostChanges = 500

/** The same bound for long pages, where each step may walk along all lines: changes times lines. */
const mostCompared = 5_000_000

/** Returns the most changes to search for between two pages with so many different lines. */
export function changesLookedFor(lines: number): number {
  return Math.min(mostChanges, Math.max(1, Math.floor(mostCompared / Math.max(1, lines))))
}

/**
 * Returns the changes between two lists of lines. Beyond the bound, everything between the first and the last changed
 * line counts as rewritten.
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
