import { withoutFences } from './fence.ts'
import { withoutTemplateTokens } from './template-tokens.ts'
import { withUnseenShown } from './unseen-signs.ts'

// Every character that some reader takes for the end of a line: Unicode's and Python's separators as well.
const separators = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`
const breaks = new RegExp(String.raw`\r\n|[${separators}]`, 'g')
const blanks = new RegExp(String.raw`[\s${separators}]+`, 'g')

const mayOpen = /[<＜﹤[［]/

/**
 * Makes remembered text harmless for whoever reads it. In it nothing reads as a fence of Varve's or a token of a chat
 * template, and nothing is unseen. All else stays as it is. Every rendering goes through it; what is stored does not.
 */
export function defused(text: string): string {
  const seen = withUnseenShown(text)
  return mayOpen.test(seen) ? withoutTemplateTokens(withoutFences(seen)) : seen
}

/** Defuses a text of several lines. `before` is put before each line after the first. */
export function defusedLines(text: string, before = ''): string {
  return defused(text).replace(breaks, `\n${before}`)
}

/** Defuses a text, and puts it in one line. */
export function defusedLine(text: string): string {
  return defused(text).replace(blanks, ' ').trim()
}

/** Defuses all texts in an answer. Every line end in them is the usual one. */
export function defusedIn<Value>(value: Value): Value
export function defusedIn(value: unknown): unknown {
  if (typeof value === 'string') return defusedLines(value)
  if (Array.isArray(value)) return value.map((one: unknown) => defusedIn(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, defusedIn(one)]))
}
