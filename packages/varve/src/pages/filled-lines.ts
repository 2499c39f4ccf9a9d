import type { PageLine } from './lines.ts'

/** The lines of a page that are not blank, by their numbers from 1. */
export interface FilledLines {
  /** Returns the first of them from a line on; a number after the last line's when there is none. */
  from(line: number): number
  /** Returns the last of them up to a line; 0 when there is none. */
  upTo(line: number): number
}

export function filledLines(text: string, lines: readonly PageLine[]): FilledLines {
  const last = new Int32Array(lines.length + 1)
  for (const [place, { start, end }] of lines.entries())
    last[place + 1] = text.slice(start, end).trim() === '' ? (last[place] ?? 0) : place + 1
  const next = new Int32Array(lines.length + 2).fill(lines.length + 1)
  for (let line = lines.length; line > 0; line -= 1) next[line] = last[line] === line ? line : (next[line + 1] ?? 0)
  return { from: (line) => next[line] ?? lines.length + 1, upTo: (line) => last[line] ?? 0 }
}
