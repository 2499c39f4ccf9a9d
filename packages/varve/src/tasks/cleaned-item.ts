import type { Fault } from './problem.ts'
import { inOneLine } from './quoted.ts'
import { speaksToReader } from './speaks-to-reader.ts'

/** The bounds of one item. */
export const maxItemWords = 60
export const maxItemCharacters = 600

/** The longest unbroken run of signs. A longer run is no word, but a blob or padding. Addresses may be longer. */
const maxRun = 80

const bullet = /^(?:(?:[-*+•‣▪●◦–—>]+|#{1,6}|\(?\d{1,2}[.)])\s+)+/
const citations = /\s*(?:[[(](?:messages?\s*)?\d+(?:\s*[,–-]\s*\d+)*[\])]\s*)+(?=[.!]?$)/i
const blob = new RegExp(String.raw`(?!https?:)(?<!\S)[\x21-\x7e]{${maxRun + 1},}`)
const markup = /```|~~~|^[[{<|]|[\]}]$|"(?:from|text|gist|bullets)"\s*:|[<‹]\/?[a-z][^>]{0,80}>|\*\*/i
/** The mark in the place of a secret. It does not count as markup. */
const redacted = /\[redacted: [\w ]{1,40}\]/g
const preamble = new RegExp(
  String.raw`^(?:here(?:'s|’s| is| are)\b|sure\b[,!.]|certainly\b[,!.]|of course\b[,!.]|below (?:is|are)\b|` +
    String.raw`(?:the )?(?:following|summary|gist|bullets?)\b[^.]{0,40}:)`,
  'i',
)
const refusal = new RegExp(
  String.raw`^(?:as an? (?:ai|(?:large )?language model|assistant)\b|i['’]?m (?:sorry|unable|not able)\b|i am ` +
    String.raw`(?:sorry|unable|not able)\b|i (?:cannot|can['’]?t|can not|won['’]?t|apologi[sz]e)\b|sorry,|als ` +
    String.raw`(?:ki|sprachmodell)\b|en tant qu['’](?:ia|assistant)|como (?:modelo de lenguaje|una? ia)\b|` +
    String.raw`作为(?:一个|一名)?(?:人工智能|AI|语言模型)|申し訳|抱歉)`,
  'i',
)

/** Cleans one item's text: one line, no list marks, no citations. Gives its fault if it has one. */
export function cleanedItem(text: string): { readonly text: string } | { readonly fault: Fault } {
  // This bound comes before any work: so long a text cannot be cut into a sentence.
  if (text.length > 4 * maxItemCharacters) return { fault: 'length' }
  const line = inOneLine(text).replace(bullet, '').replace(citations, '').trim()
  if (!/\p{L}/u.test(line) || isNoStatement(line)) return { fault: 'form' }
  const words = wordsIn(line)
  if (words < 2) return { fault: 'form' }
  if (line.length > maxItemCharacters || words > maxItemWords) return { fault: 'length' }
  return speaksToReader(line) ? { fault: 'instruction' } : { text: line }
}

/** Tells whether a line is a heading, a remark about the task, markup or a blob. */
export function isNoStatement(line: string): boolean {
  return line.endsWith(':') || isTaskRemark(line) || isMarkup(line)
}

/** Tells whether a line is about the task: it announces an answer, or refuses one. */
export function isTaskRemark(line: string): boolean {
  return preamble.test(line) || refusal.test(line)
}

/** Tells whether a line holds signs for machines: markup, JSON, a blob. */
export function isMarkup(line: string): boolean {
  return markup.test(line.replace(redacted, '')) || blob.test(line)
}

const spaceless = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu

/** Counts words, by blanks; in scripts without blanks two characters are one. */
export function wordsIn(text: string): number {
  const characters = text.match(spaceless)?.length ?? 0
  const rest = text.replace(spaceless, ' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0
  return rest + Math.ceil(characters / 2)
}
