import type { NotesLine } from './lines.ts'
import { isNext, isReported } from './remark-cues.ts'
import type { Remark } from './remarks.ts'
import { cutAround } from './wording.ts'

const maxTitle = 80
const maxAsked = 120

/** Returns the title: the first request of the session. */
export function titleOf(remarks: readonly Remark[]): NotesLine[] {
  const first = remarks.find(({ isPerson }) => isPerson)
  // Signs at the beginning are cut off: markdown would read them as marks.
  const text = cutAround((first?.text ?? '').replace(/^[^\p{L}\p{N}/@]+/u, ''), 0, maxTitle)
  return first === undefined ? [] : [{ kind: 'title', text, from: [first.seq] }]
}

/** Returns the last request, the assistant's last words about it, and its announced next step. */
export function stateLines(remarks: readonly Remark[]): NotesLine[] {
  const asked = remarks.findLast(({ isPerson }) => isPerson)
  const ofAssistant = remarks.filter(({ isPerson }) => !isPerson)
  const told: readonly (readonly [string, Remark | undefined])[] = [
    ['Asked', requestOf(remarks, asked)],
    ['Doing', firstOf(remarks, ofAssistant.at(-1))],
    ['Next', ofAssistant.findLast(({ text }) => isNext(text))],
  ]
  return told.flatMap(([label, remark]): NotesLine[] =>
    remark === undefined ? [] : [{ kind: 'state', text: `- ${label}: ${remark.text}`, from: [remark.seq] }],
  )
}

/** Returns the requests in their order: one sentence of each message of a person. */
export function worklogLines(remarks: readonly Remark[]): NotesLine[] {
  const firsts = remarks.filter((remark) => remark.isPerson && requestOf(remarks, remark) === remark)
  return firsts.map(({ text, seq }): NotesLine => ({ kind: 'worklog', text: `- Asked: ${cutAround(text, 0, maxAsked)}`, from: [seq] }))
}

/** Returns the first sentence of a message that does not report the words of others. */
function requestOf(remarks: readonly Remark[], of: Remark | undefined): Remark | undefined {
  return remarks.find(({ seq, text }) => seq === of?.seq && !isReported(text)) ?? firstOf(remarks, of)
}

function firstOf(remarks: readonly Remark[], of: Remark | undefined): Remark | undefined {
  return remarks.find(({ seq }) => seq === of?.seq)
}
