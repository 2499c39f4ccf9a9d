import { type Authors, authorOfEachLine, inRow, linesIn } from '../storage/pages/authors.ts'
import { type LineChange, lineChanges } from './line-changes.ts'
import type { Turns } from './turns.ts'

/** The author of each line of a changed page, and the authors whose lines gave way. */
export interface Authorship {
  readonly authors: Authors
  /** Revisions that lost lines or had lines rewritten. */
  readonly replaced: ReadonlySet<number>
}

/**
 * Finds the authors of a changed page. An unchanged line keeps its author, wherever it was moved or copied; any other
 * belongs to the new revision.
 */
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

/** Returns the author of each line of text. Of equal lines the last one counts, and a removed one counts before one that stays. */
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

/** Tells whether a line says anything: a blank, a rule or a fence has no author. */
function says(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}
