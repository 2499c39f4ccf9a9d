import { stripVTControlCharacters, styleText } from 'node:util'
import { Help } from 'commander'
import { type Output, shell } from './shell.ts'

/** Data: the only thing that goes to stdout. */
export function print(text: string): void {
  shell().stdout.write(`${text}\n`)
}

/** Everything else. */
export function note(text: string): void {
  shell().stderr.write(`${text}\n`)
}

export function printJson(data: unknown): void {
  print(JSON.stringify(data))
}

/** Colour on a terminal that has it, and none with NO_COLOR. */
export function paint(style: Parameters<typeof styleText>[0], text: string, stream: Output = shell().stdout): string {
  return styleText(style, text, { stream })
}

const widest = 110

/** Columns to fill, or undefined when nobody looks: text is then neither wrapped nor cut. */
export function columns(): number | undefined {
  const { isTTY, columns: wide = widest } = shell().stdout
  return isTTY === true ? Math.min(wide, widest) : undefined
}

/** Stored text may hold what a terminal would obey: it is shown without. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replace(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? character : '\uFFFD'))
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '\uFFFD')
}

/** Things of some lines each, with an empty line between them. */
export function printParts(parts: readonly (readonly string[])[]): void {
  print(parts.map((lines) => lines.join('\n')).join('\n\n'))
}

/** A text byte for byte into a pipe or a file; a terminal gets nothing that it would obey. */
export function printWhole(text: string): void {
  print(shell().stdout.isTTY === true ? harmless(text) : text)
}

/** Text as lines under an indent, wrapped when there is a width, and cut after `mostLines`. */
export function paragraph(
  text: string,
  { indent, width, mostLines }: { indent: string; width: number | undefined; mostLines?: number },
): string[] {
  const wrapped = width === undefined ? text : new Help().boxWrap(text, width - indent.length)
  const lines = wrapped.split('\n')
  if (width === undefined || mostLines === undefined || lines.length <= mostLines) return lines.map((line) => `${indent}${line}`)
  return [...lines.slice(0, mostLines).map((line) => `${indent}${line}`), `${indent}… ${counted(lines.length - mostLines, 'more line')}`]
}

/** `2026-05-06 11:41`, in UTC as everything that Varve shows. */
export function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

export function counted(count: number, one: string, many = `${one}s`): string {
  // Under a thousand there is nothing to group, and the first call for it takes 4 ms.
  return `${count < 1_000 ? count : count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** One and many of what receipts count. */
function namesOf(kind: string): [one: string, many: string] {
  return kind === 'bank' ? ['bank entry', 'bank entries'] : [kind, `${kind}s`]
}

/** `3 messages, 1 session`, from counts by kind. */
export function countedKinds(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? 'nothing' : some.map(([kind, count]) => counted(count, ...namesOf(kind))).join(', ')
}
