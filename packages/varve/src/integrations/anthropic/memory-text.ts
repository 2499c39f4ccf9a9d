import { MemoryToolRefusal } from './memory-refusal.ts'

/** The width of a line's number, as Anthropic's own tool writes it. */
const numberWidth = 6
const units = ['B', 'K', 'M', 'G'] as const
const thousand = 1024

/** Gives lines with their numbers, the first of which is `from`. */
export function withNumbers(lines: readonly string[], from: number): string {
  return lines.map((line, at) => `${String(from + at).padStart(numberWidth)}\t${line}`).join('\n')
}

/** Gives a size as Anthropic's own tool writes it: `0B`, `1.5K`. */
export function shownSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= thousand && unit < units.length - 1) {
    size /= thousand
    unit += 1
  }
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[unit]}`
}

/** Gives the lines of a range with their numbers. -1 is the last line; a range that is no pair means the whole file. */
export function linesInRange(content: string, range: unknown): string {
  const lines = content.split('\n')
  if (!Array.isArray(range) || range.length !== 2) return withNumbers(lines, 1)
  const [first, last]: unknown[] = range
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last))
    throw new MemoryToolRefusal('Invalid `view_range` parameter: it must be two line numbers, such as [1, 20].')
  const start = Math.max(1, Number(first)) - 1
  return withNumbers(lines.slice(start, last === -1 ? lines.length : Number(last)), start + 1)
}

export interface Replacement {
  readonly content: string
  /** The changed lines and two around them, with their numbers. */
  readonly snippet: string
}

/** Replaces a text that stands once in a file. Refuses one that stands nowhere, or more than once. */
export function replacedOnce(path: string, content: string, old: string, text: string): Replacement {
  const lines = old === '' ? content.split('\n').map((_line, at) => at + 1) : linesOf(content, old)
  const [line] = lines
  if (line === undefined)
    throw new MemoryToolRefusal(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`)
  if (lines.length > 1) {
    const where = [...new Set(lines)].join(', ')
    throw new MemoryToolRefusal(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${where}. Please ensure it is unique`,
    )
  }
  const changed = content.replace(old, () => text)
  const from = Math.max(0, line - 3)
  return { content: changed, snippet: withNumbers(changed.split('\n').slice(from, line + 2), from + 1) }
}

/** Gives the line of each place where a text begins. Places may overlap: each is one that could be meant. */
function linesOf(content: string, text: string): readonly number[] {
  const lines: number[] = []
  let line = 1
  let counted = 0
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    for (; counted < at; counted += 1) if (content[counted] === '\n') line += 1
    lines.push(line)
  }
  return lines
}

/** Puts a text behind a line; behind line 0 it is the first. */
export function insertedAt(content: string, line: unknown, text: string): string {
  const lines = content.split('\n')
  if (!Number.isSafeInteger(line) || Number(line) < 0 || Number(line) > lines.length)
    throw new MemoryToolRefusal(
      `Invalid \`insert_line\` parameter: ${shownLine(line)}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  return lines.toSpliced(Number(line), 0, text.replace(/\n$/, '')).join('\n')
}

function shownLine(line: unknown): string {
  return typeof line === 'number' ? String(line) : 'no number'
}
