import type { StateEnd } from '../facts/superseded.ts'
import type { Superseded } from '../recall/hit.ts'
import { dayInWords } from '../recall/signals/session.ts'
import { contextLine } from './quoted-text.ts'

/** The longest object in a note, in UTF-16 code units. It is somebody's text. */
const mostObject = 80

/** The most notes in one text. */
const mostNotes = 8

/** A note on an ended state, to be put behind its statement: the characters [from, to) of a text. */
export interface EndNote {
  readonly from: number
  readonly to: number
  readonly note: string
}

/** Makes the notes of a text, in the order of their places. */
export function endNotes(superseded: Superseded | undefined): readonly EndNote[] {
  if (superseded === undefined) return []
  const { others = [], ...first } = superseded
  const notes = [first, ...others].map((end) => ({ from: end.from, to: end.to, note: noteOf(end) }))
  // Two facts of one statement may have ended alike.
  const apart = new Map(notes.map((one) => [`${one.to} ${one.note}`, one]))
  return [...apart.values()].toSorted((a, b) => a.to - b.to || a.from - b.from).slice(0, mostNotes)
}

/** Gives the ids of the messages that ended the states of a text. */
export function endedBy(superseded: Superseded | undefined): readonly string[] {
  if (superseded === undefined) return []
  return [superseded, ...(superseded.others ?? [])].flatMap(({ by }) => by ?? [])
}

/** Says that a state is over: ` (until 3 May 2026; now npm run test:ci)`. */
function noteOf({ on, by, now, wrong }: StateEnd): string {
  // A told time ends the state at its end: its last day was before that.
  const day = dayInWords(by === undefined && wrong === undefined ? on - 1 : on)
  const instead = now === undefined ? '' : `; now ${shortened(contextLine(now).trim())}`
  return ` (${wrong === true ? 'taken back on' : 'until'} ${day}${instead})`
}

function shortened(text: string): string {
  if (text.length <= mostObject) return text
  return `${text
    .slice(0, mostObject - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

const stops = /[.!?…。！？]/

/** Puts notes behind the statements that a part of a text shows, before the stop of the sentence. Default: the whole text. */
export function withEndNotes(text: string, notes: readonly EndNote[], part = { from: 0, to: text.length }): string {
  let [shown, from] = ['', part.from]
  for (const { from: begins, to: ends, note } of notes) {
    if (begins >= part.to || ends <= part.from) continue
    let at = Math.max(from, Math.min(ends, part.to))
    while (at > Math.max(from, begins + 1) && (stops.test(text.charAt(at - 1)) || text.charAt(at - 1).trim() === '')) at -= 1
    shown += `${text.slice(from, at)}${note}`
    from = at
  }
  return shown + text.slice(from, part.to)
}
