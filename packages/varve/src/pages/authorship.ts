import { diffArrays } from 'diff'
import { type Authors, authorOfEachLine, inRow } from '../storage/pages.ts'

/** Changes that are looked for line by line; over that the part that changed counts as rewritten. */
const mostChanges = 2_000

/** Who wrote each line of a page that was changed, and whose lines gave way. */
export interface Authorship {
  readonly authors: Authors
  /** Revisions of which lines were taken out or rewritten. */
  readonly replaced: ReadonlySet<number>
}

/** A line that stands as it did is its writer's still, wherever it was moved to; any other is the new revision's. */
export function authorship(before: string, authors: Authors, after: string, revision: number): Authorship {
  const [old, lines] = [before === '' ? [] : before.split('\n'), after.split('\n')]
  const known = authorOfEachLine(authors)
  const changes = diffArrays(old, lines, { maxEditLength: mostChanges }) ?? rewritten(old, lines)
  const gone = new Map<string, number>()
  const replaced = new Set<number>()
  let at = 0
  for (const { added, removed, value } of changes) {
    if (added) continue
    if (removed) for (const [place, line] of value.entries()) note(line, known[at + place] ?? 0)
    at += value.length
  }
  function note(line: string, author: number): void {
    if (line.trim() !== '') replaced.add(author)
    gone.set(line, author)
  }
  const each: number[] = []
  at = 0
  for (const { added, removed, value } of changes) {
    if (added) for (const line of value) each.push((line.trim() === '' ? undefined : gone.get(line)) ?? revision)
    else {
      if (!removed) for (let place = 0; place < value.length; place += 1) each.push(known[at + place] ?? 0)
      at += value.length
    }
  }
  return { authors: inRow(each), replaced }
}

function rewritten(old: readonly string[], lines: readonly string[]): { added: boolean; removed: boolean; value: string[] }[] {
  return [{ added: false, removed: true, value: [...old] }, { added: true, removed: false, value: [...lines] }]
}
