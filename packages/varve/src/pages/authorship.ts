import { diffArrays } from 'diff'
import { type Authors, authorOfEachLine, inRow, linesIn } from '../storage/pages/pages.ts'

/** Changes that are looked for line by line; over that the part that changed counts as rewritten. */
const mostChanges = 2_000

/** Who wrote each line of a page that was changed, and whose lines gave way. */
export interface Authorship {
  readonly authors: Authors
  /** Revisions of which lines were taken out or rewritten. */
  readonly replaced: ReadonlySet<number>
}

interface Change {
  readonly added: boolean
  readonly removed: boolean
  readonly value: readonly string[]
}

/** A line that stands as it did is its writer's still, wherever it was moved or copied to; any other is the new revision's. */
export function authorship(before: string, authors: Authors, after: string, revision: number): Authorship {
  const [old, lines] = [linesIn(before), linesIn(after)]
  const known = authorOfEachLine(authors)
  const changes: readonly Change[] = diffArrays(old, lines, { maxEditLength: mostChanges }) ?? rewritten(old, lines)
  const gone = removedBy(changes, known)
  const writers = new Map([...old.map((line, at) => [line, known[at] ?? 0] as const), ...gone].filter(([line]) => says(line)))
  const each: number[] = []
  let at = 0
  for (const { added, removed, value } of changes) {
    if (added) each.push(...value.map((line) => writers.get(line) ?? revision))
    else if (!removed) each.push(...value.map((_, place) => known[at + place] ?? 0))
    if (!added) at += value.length
  }
  const moved = new Set(changes.flatMap(({ added, value }) => (added ? value : [])))
  return { authors: inRow(each), replaced: new Set(gone.flatMap(([line, author]) => (line.trim() === '' || moved.has(line) ? [] : [author]))) }
}

function removedBy(changes: readonly Change[], known: readonly number[]): (readonly [line: string, author: number])[] {
  const gone: (readonly [string, number])[] = []
  let at = 0
  for (const { added, removed, value } of changes) {
    if (removed) gone.push(...value.map((line, place) => [line, known[at + place] ?? 0] as const))
    if (!added) at += value.length
  }
  return gone
}

/** A blank, a rule or a fence is nobody's. */
function says(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}

function rewritten(old: readonly string[], lines: readonly string[]): Change[] {
  return [{ added: false, removed: true, value: old }, { added: true, removed: false, value: lines }]
}
