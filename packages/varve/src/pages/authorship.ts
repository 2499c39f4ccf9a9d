import { type Authors, authorOfEachLine, inRow, linesIn } from '../storage/pages/authors.ts'
import { type LineChange, lineChanges } from './line-changes.ts'
import type { Turns } from './turns.ts'

/** Who wrote each line of a page that was changed, and whose lines gave way. */
export interface Authorship {
  readonly authors: Authors
  /** Revisions of which lines were taken out or rewritten. */
  readonly replaced: ReadonlySet<number>
}

/** A line that stands as it did is its writer's still, wherever it was moved or copied to; any other is the new revision's. */
export function* authorship(before: string, authors: Authors, after: string, revision: number): Turns<Authorship> {
  const [old, lines] = [linesIn(before), linesIn(after)]
  const known = authorOfEachLine(authors)
  yield
  const changes = lineChanges(old, lines)
  yield
  const gone = removedBy(changes, known)
  const writers = writersOf(old, known, gone)
  yield
  const each: number[] = []
  const moved = new Set<string>()
  let at = 0
  for (const { added, removed, value } of changes) {
    for (const [place, line] of value.entries()) {
      if (added) {
        each.push(writers.get(line) ?? revision)
        moved.add(line)
      } else if (!removed) each.push(known[at + place] ?? 0)
    }
    if (!added) at += value.length
  }
  yield
  const replaced = new Set<number>()
  for (const [line, author] of gone) if (line.trim() !== '' && !moved.has(line)) replaced.add(author)
  return { authors: inRow(each), replaced }
}

type Gone = readonly (readonly [line: string, author: number])[]

/**
 * Whose a line is, wherever it comes to stand: of those that say the same the last that stood there, and one that
 * gives way before one that stays.
 */
function writersOf(old: readonly string[], known: readonly number[], gone: Gone): ReadonlyMap<string, number> {
  const writers = new Map<string, number>()
  for (const [at, line] of old.entries()) if (says(line)) writers.set(line, known[at] ?? 0)
  for (const [line, author] of gone) if (says(line)) writers.set(line, author)
  return writers
}

function removedBy(changes: readonly LineChange[], known: readonly number[]): Gone {
  const gone: (readonly [string, number])[] = []
  let at = 0
  for (const { added, removed, value } of changes) {
    if (removed) for (const [place, line] of value.entries()) gone.push([line, known[at + place] ?? 0])
    if (!added) at += value.length
  }
  return gone
}

/** A blank, a rule or a fence is nobody's. */
function says(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}
