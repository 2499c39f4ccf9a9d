import { stripVTControlCharacters, styleText } from 'node:util'
import { Help } from 'commander'
import { defusedLine, defusedLines } from '../messages/defused.ts'
import { plainJson } from '../messages/plain-json.ts'
import { type Output, shell } from './shell.ts'

/** Prints data to stdout. Nothing else goes there. */
export function print(text: string): void {
  shell().stdout.write(`${text}\n`)
}

/** Prints everything but data, to stderr. */
export function note(text: string): void {
  shell().stderr.write(`${text}\n`)
}

/** Prints JSON. Signs that a terminal would obey, or that nobody sees, are written as escapes of JSON. */
export function printJson(data: unknown): void {
  print(plainJson(JSON.stringify(data)))
}

/** Colours a text on a terminal with colours, unless NO_COLOR is set. */
export function paint(style: Parameters<typeof styleText>[0], text: string, stream: Output = shell().stdout): string {
  return styleText(style, text, { stream })
}

const widest = 110

/** Gives the columns to fill. Undefined when nobody looks: text is then neither wrapped nor cut. */
export function columns(): number | undefined {
  const { isTTY, columns: wide = widest } = shell().stdout
  return isTTY === true ? Math.min(wide, widest) : undefined
}

/**
 * Takes out of a text the signs that a terminal would obey, and defuses the rest: a command's output may go on to a
 * model.
 */
export function harmless(text: string): string {
  return defusedLines(stripVTControlCharacters(text))
}

/** Puts a name in one line, without the same signs. */
export function harmlessLine(name: string): string {
  return defusedLine(stripVTControlCharacters(name))
}

/** Prints parts of several lines, with an empty line between them. */
export function printParts(parts: readonly (readonly string[])[]): void {
  print(parts.map((lines) => lines.join('\n')).join('\n\n'))
}

/** Prints a text, byte for byte into a pipe or a file. A terminal gets no signs that it would obey. */
export function printWhole(text: string): void {
  print(shell().stdout.isTTY === true ? harmless(text) : text)
}

/** Makes lines of a text under an indent, wrapped when there is a width, and cut after `mostLines`. */
export function paragraph(
  text: string,
  { indent, width, mostLines }: { indent: string; width: number | undefined; mostLines?: number },
): string[] {
  const wrapped = width === undefined ? text : new Help().boxWrap(text, width - indent.length)
  const lines = wrapped.split('\n')
  if (width === undefined || mostLines === undefined || lines.length <= mostLines) return lines.map((line) => `${indent}${line}`)
  return [...lines.slice(0, mostLines).map((line) => `${indent}${line}`), `${indent}… ${counted(lines.length - mostLines, 'more line')}`]
}

/** Formats a time as `2026-05-06 11:41`, in UTC as everything that Varve shows. */
export function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

export function counted(count: number, one: string, many = `${one}s`): string {
  // Under a thousand there is nothing to group, and the first call of toLocaleString takes 4 ms.
  return `${count < 1_000 ? count : count.toLocaleString('en')} ${count === 1 ? one : many}`
}
