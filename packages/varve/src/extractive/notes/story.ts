import type { NotesLine } from './lines.ts'
import { pointsBack } from '../cues.ts'
import { worthOf } from '../salience.ts'
import { countWords } from '../words.ts'
import { isAsking, isNext, isReported } from './remark-cues.ts'
import type { Remark } from './remarks.ts'
import { cutAround } from './wording.ts'

const maxAsked = 120
/** A shorter sentence says too little for a title. */
const titleWords = 6
/** Among persons: the sentences from which the title is taken, and the least worth of one that is news. */
const mostForTitle = 8
const worthOfNews = 1.4

/** Returns the title: the first sentence of a person that says something. */
export function titleOf(remarks: readonly Remark[], isAmongPersons: boolean): NotesLine[] {
  const persons = remarks.filter(({ isPerson }) => isPerson)
  const long = persons.filter(({ begin }) => countWords(begin) >= titleWords)
  const first = (isAmongPersons ? newsIn(long) : undefined) ?? long[0] ?? persons[0]
  // Signs at the beginning are cut off: markdown would read them as marks.
  const text = first?.begin.replace(/^[^\p{L}\p{N}/@]+/u, '').replace(/^\p{Ll}(?=[\p{Ll}']* )/u, (letter) => letter.toUpperCase())
  return first === undefined || text === undefined ? [] : [{ kind: 'title', text, from: [first.seq] }]
}

/** Returns the first sentence of news. Persons among themselves begin with greetings, and a question is about the other's day. */
function newsIn(remarks: readonly Remark[]): Remark | undefined {
  const told = remarks.slice(0, mostForTitle).filter(({ text }) => !isAsking(text))
  const isNews = ({ text }: Remark): boolean => worthOf(text, { terms: countWords(text), origin: 'person', isOpen: true }) >= worthOfNews
  return told.find((one) => !pointsBack.test(one.begin) && isNews(one)) ?? told[0]
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
