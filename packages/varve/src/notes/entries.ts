const fence = /^\s*(`{3,}|~{3,})/
const startsEntry = /^(?:\S|\s{0,3}(?:[-*+]|\d{1,9}[.)])\s)/
/** The lines that end a paragraph. Other lines go on with it, even unindented ones. */
const startsBlock = /^\s{0,3}(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|`{3}|~{3}|\||[-*_]{3})/
const bullet = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s/

/**
 * Splits a section's body into entries, oldest first: a bullet with the lines indented below it, a line, a table, a
 * block of code. Blank lines belong to the entry after them, so that the entries joined by line breaks are the body
 * again.
 */
export function entriesOf(body: string): string[] {
  if (body === '') return []
  const entries: string[][] = []
  let held: string[] = []
  let open = ''
  let isTable = false
  for (const line of body.split('\n')) {
    const inside = open !== ''
    open = fenceAfter(line, open)
    if (!inside && line.trim() === '') {
      held.push(line)
      continue
    }
    const continuesTable = isTable && line.startsWith('|') && held.length === 0
    const last = entries.at(-1)
    const continues = held.length === 0 && last !== undefined && isBullet(last[0] ?? '') && !startsBlock.test(line)
    if (last !== undefined && (inside || continuesTable || continues || !startsEntry.test(line))) last.push(...held, line)
    else entries.push([...held, line])
    isTable = line.startsWith('|')
    held = []
  }
  if (held.length > 0) (entries.at(-1) ?? entries[entries.push([]) - 1])?.push(...held)
  return entries.map((lines) => lines.join('\n'))
}

/** Joins entries into a body. A bullet that follows a bullet needs no blank line. */
export function bodyOf(entries: readonly string[]): string {
  return entries
    .map((entry, place) => (place === 0 ? entry.replace(/^\n+/, '') : entry))
    .join('\n')
    .trimEnd()
}

function isBullet(line: string): boolean {
  return bullet.test(line)
}

/** Gives the fence that is open after a line. A block ends with at least as many signs of its own kind. */
function fenceAfter(line: string, open: string): string {
  const [, signs = ''] = fence.exec(line) ?? []
  if (signs === '') return open
  if (open === '') return signs.startsWith('`') && line.trim().slice(signs.length).includes('`') ? '' : signs
  const closes = signs[0] === open[0] && signs.length >= open.length && line.trim() === signs
  return closes ? '' : open
}
