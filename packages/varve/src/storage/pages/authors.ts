import type { PageRevisionTable } from '../page-tables.ts'

/** A run of messages of a session: the session's number, the first and the last place. */
export type StoredSpan = readonly [session: number, from: number, to: number]

/** The revisions that wrote the lines, as [revision, number of lines], in the order of the lines. */
export type Authors = readonly (readonly [revision: number, lines: number])[]

export function spansIn({ spans }: Pick<PageRevisionTable, 'spans'>): readonly StoredSpan[] {
  const stored: readonly StoredSpan[] = JSON.parse(spans)
  return stored
}

export function authorsIn({ authors }: Pick<PageRevisionTable, 'authors'>): Authors {
  const stored: Authors = JSON.parse(authors)
  return stored
}

/** Splits a page into lines; an empty page has none. */
export function linesIn(content: string): string[] {
  return content === '' ? [] : content.split('\n')
}

/** Returns the author of each line. */
export function authorOfEachLine(authors: Authors): number[] {
  const each: number[] = []
  for (const [revision, lines] of authors) for (let line = 0; line < lines; line += 1) each.push(revision)
  return each
}

/** Packs the author of each line into runs. */
export function inRow(authors: readonly number[]): Authors {
  const row: [number, number][] = []
  for (const author of authors) {
    const last = row.at(-1)
    if (last?.[0] === author) last[1] += 1
    else row.push([author, 1])
  }
  return row
}
