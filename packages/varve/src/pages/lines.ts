/** One line of a page, as offsets into it: its text ends at `end`, its line end at `next`. */
export interface PageLine {
  readonly start: number
  readonly end: number
  readonly next: number
}

/**
 * Splits a page into lines, as editors number them. The end of the last line begins no further one; a carriage return
 * alone ends none.
 */
export function linesOf(content: string): readonly PageLine[] {
  const lines: PageLine[] = []
  let start = 0
  while (start < content.length) {
    const feed = content.indexOf('\n', start)
    const next = feed === -1 ? content.length : feed + 1
    const end = feed === -1 ? next : content[feed - 1] === '\r' && feed > start ? feed - 1 : feed
    lines.push({ start, end, next })
    start = next
  }
  return lines
}
