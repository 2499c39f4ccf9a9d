import { foldedRange } from '../facts/source-range.ts'
import type { SourceMessage } from '../models/writer.ts'
import { folded } from './folded.ts'
import { inOneLine } from './quoted.ts'

/** The place of words in a text, [from, to), and the words as they stand there. */
export interface Quoted {
  readonly from: number
  readonly to: number
  readonly words: string
}

const plainSigns: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '‚': "'",
  '‛': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
}

/**
 * Finds a quote in a text: exactly, or else without regard to case, blanks and the form of quotation marks. Undefined
 * when the words do not stand there.
 */
export function quoteIn(quote: string, text: string): Quoted | undefined {
  const wanted = quote.trim()
  if (wanted === '') return undefined
  const at = text.indexOf(wanted)
  if (at !== -1) return { from: at, to: at + wanted.length, words: wanted }
  const range = foldedRange(wanted, text, plain)
  return range === undefined ? undefined : { ...range, words: text.slice(range.from, range.to) }
}

/** The marks by which a quote leaves something out, and those around a quote. */
const gap = /\s*(?:…|\.{3})\s*/
const wrapped = /^["“”„«»‘’']+(.+?)["“”„«»‘’']+$/su

/** Who speaks, before a quote: "Ada: …", "[3] user: …". */
const speaking = /^(?:\[?\d{1,9}\]?\s*)?([^:\n]{1,80}):\s+/u

/**
 * Finds a quote of a message as models give it: as it stands, in quotation marks, after its speaker's name, or in two
 * halves with "…". Of halves the words are all that stands from the first to the second.
 */
export function quoteOf(quote: string, { text, name, role }: Pick<SourceMessage, 'text' | 'name' | 'role'>): Quoted | undefined {
  const said = quoteIn(quote, text)
  if (said !== undefined) return said
  const unwrapped = quote.trim().replace(wrapped, '$1')
  const [head = '', speaker = ''] = speaking.exec(unwrapped) ?? []
  const bare = [folded(name ?? ''), role].includes(folded(speaker)) ? unwrapped.slice(head.length).replace(wrapped, '$1') : unwrapped
  const [first = '', second, more] = bare.split(gap).filter((half) => half !== '')
  const begun = quoteIn(first, text)
  if (begun === undefined || second === undefined) return begun
  const ended = more === undefined ? quoteIn(second, text.slice(begun.to)) : undefined
  if (ended === undefined) return undefined
  const to = begun.to + ended.to
  return { from: begun.from, to, words: text.slice(begun.from, to) }
}

/** Gives the whole sentence around a quote, or the part of it that is near. */
export function sentenceAround({ from, to }: Quoted, text: string): string {
  const before = text.slice(Math.max(0, from - mostBeside), from)
  const after = text.slice(to, to + mostBeside)
  const end = ends.test(text.slice(from, to).at(-1) ?? '') ? 0 : after.search(ends)
  return before.slice(lastEnd(before) + 1) + text.slice(from, to) + after.slice(0, end === -1 ? after.length : end)
}

function plain(sign: string): string {
  return (plainSigns[sign] ?? sign).toLowerCase()
}

/** Tells whether a text holds characters that a model reads and a person does not see. */
export function hidesSomething(text: string): boolean {
  return inOneLine(text) !== text.replace(/\s+/g, ' ').trim()
}

const ends = /[.!?\u3002\uff01\uff1f\n]/
const asking = /[?\uff1f]/
const asks = new RegExp(
  String.raw`^[\s"'“„«¿,]*(?:(?:and|but|so|well|hey|ok|okay|hm+),? )*(?:who|whom|whose|what|which|when|where|` +
    String.raw`why|how|is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|` +
    String.raw`(?:is|are|was|were|do|does|did|have|has|ca|could|wo|would|should)n['’]t)\b`,
  'i',
)

/** The most of a sentence that is read on either side of a quote, in UTF-16 code units. */
const mostBeside = 500

/**
 * Tells whether a quote asks. It ends as a question does, is a whole question without its mark, or is a part of a
 * question that begins as questions do. "I live in Kiel, right?" states.
 */
export function isQuestion({ from, to, words }: Quoted, text: string): boolean {
  const last = words.replace(/["'”’“»\s)]{1,5}$/, '').at(-1) ?? ''
  if (ends.test(last)) return asking.test(last)
  const after = text.slice(to, to + mostBeside)
  const end = after.search(ends)
  if (end === -1 || !asking.test(after[end] ?? '')) return false
  const before = text.slice(Math.max(0, from - mostBeside), from)
  const begun = before.slice(lastEnd(before) + 1)
  return asks.test(begun + words) || (/^[\s"'“„«¿]*$/.test(begun) && /^[\s"'”“»]*$/.test(after.slice(0, end)))
}

function lastEnd(text: string): number {
  for (let at = text.length - 1; at >= 0; at -= 1) if (ends.test(text[at] ?? '')) return at
  return -1
}
