import type { Passage } from '../index/passages.ts'
import { saidRanges } from '../messages/echo.ts'
import type { Message } from '../messages/message.ts'
import { besideTools } from '../messages/tool-trace.ts'
import type { Superseded } from '../recall/hit.ts'
import { type EndNote, endNotes, withEndNotes } from './ended-notes.ts'

/** The mark of a place where a text was cut. */
const cut = '[…]'

/** Gives ranges of a text as one line of talk, with notes, and with […] where it was cut. */
export function textOfRanges(text: string, ranges: readonly Passage[], notes: readonly EndNote[] = []): string {
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined) return ''
  const parts = ranges.map((range) => withEndNotes(text, notes, range))
  if (text.slice(0, first.from).trim() !== '') parts.unshift('')
  if (text.slice(last.to).trim() !== '') parts.push('')
  return parts.join(` ${cut} `).trim()
}

/** Gives a text with notes, and with […] in place of everything that Varve itself had rendered. */
export function saidText(text: string, recalled: Message['recalled'], notes: readonly EndNote[] = []): string {
  if (recalled === undefined || recalled.length === 0) return withEndNotes(text, notes)
  return textOfRanges(text, saidRanges(text, recalled), notes) || cut
}

/** Gives the text of a recent turn: its words, without the calls and answers of tools. */
export function turnText(message: Message, ended: Superseded | undefined): string {
  const { content, recalled } = besideTools(message)
  return saidText(content, recalled, endNotes(ended))
}
