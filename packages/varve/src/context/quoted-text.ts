import { withoutFences } from '../messages/fence.ts'

// Every character that some reader takes for the end of a line: Unicode's and Python's separators as well.
const separators = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`
const breaks = new RegExp(String.raw`\r\n|[${separators}]`, 'g')
const blanks = new RegExp(String.raw`[\s${separators}]+`, 'g')

/** Puts a name or a title in one line, without Varve's own fences. */
export function contextLine(text: string): string {
  return withoutFences(text.replace(blanks, ' '))
}

/**
 * Quotes remembered text as data. It has no fence of Varve's in it, and its lines are indented, so that none reads as
 * an item of its own.
 */
export function contextText(text: string): string {
  return withoutFences(text).replace(breaks, '\n  ')
}
