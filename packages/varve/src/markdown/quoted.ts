import { defusedLines } from '../messages/defused.ts'

/** Quotes somebody's text as a block of code: no reader of Markdown takes it for a heading, a link or an image. */
export function quotedBlock(text: string): string {
  const shown = defusedLines(text)
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}text\n${shown}\n${fence}\n`
}

/** Puts a name or a word in a line, with the signs of Markdown and HTML escaped. */
export function inLine(text: string): string {
  return nameInLine(text).replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&:@/]/g, String.raw`\$&`)
}

/** Puts a text in one line, at most 500 characters. */
function nameInLine(text: string): string {
  const line = defusedLines(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= 500 ? line : `${line.slice(0, 499).toWellFormed()}…`
}

export function isoTime(at: number): string {
  return new Date(at).toISOString()
}
