import type { Fact } from '../../packages/varve/src/index.ts'
import type { History } from './history.ts'
import type { Played } from './play.ts'

/** Measures of an update: of its facts, of what recall found, and of the context. */
export const updateMeasures = ['new', 'old', 'first', 'before', 'stale first', 'in context', 'stale line'] as const
export const trapMeasures = ['unharmed', 'harmed', 'not read'] as const
export type Measure = (typeof updateMeasures | typeof trapMeasures)[number]

/** Measures for which true is bad. */
const bad: ReadonlySet<Measure> = new Set(['old', 'stale first', 'stale line', 'harmed', 'not read'])

/** The judgement of one history. A measure that does not count for it is absent. */
export interface Judged {
  readonly history: History
  readonly measures: ReadonlyMap<Measure, boolean>
  /** Its current facts as "subject | predicate | object". */
  readonly facts: readonly string[]
}

/** Words by which a context marks an ended state. */
const marks = ['until', 'taken back', 'now']

export function judge(played: Played): Judged {
  const { history, facts } = played
  const texts = facts.filter(isCounted).map((fact) => folded(`${fact.subject} ${fact.predicate} ${fact.object}`))
  const stands = (words: string): boolean => texts.some((text) => text.includes(folded(words)))
  const isNew = history.current.every(stands)
  const isOld = history.gone.some(stands)
  return {
    history,
    measures: history.trap === undefined ? measuresOfUpdate(played, isNew, isOld) : measuresOfTrap(isNew, isOld),
    facts: facts.map(({ subject, predicate, object }) => `${subject} | ${predicate} | ${object}`),
  }
}

/** Returns the measures that a history fails. A trap says how: harmed or not read. */
export function failuresOf({ measures }: Judged): Measure[] {
  return [...measures].flatMap(([measure, value]) => (measure !== 'unharmed' && value === bad.has(measure) ? [measure] : []))
}

function measuresOfUpdate({ history, found, context }: Played, isNew: boolean, isOld: boolean): Map<Measure, boolean> {
  const { current, gone, answer, old } = history
  const measures = new Map<Measure, boolean>()
  if (current.length > 0) measures.set('new', isNew)
  if (gone.length > 0) measures.set('old', isOld)
  if (answer === '') return measures
  if (old !== '') {
    const first = found.findIndex((text) => holds(text, answer))
    const stale = found.findIndex((text) => isStale(text, history))
    measures.set('first', first === 0)
    measures.set('before', first >= 0 && (stale < 0 || first < stale))
    measures.set('stale first', stale === 0)
    measures.set('stale line', hasStaleLine(context, history))
  }
  measures.set('in context', holds(context, answer))
  return measures
}

function measuresOfTrap(isRead: boolean, isHarmed: boolean): Map<Measure, boolean> {
  return new Map([
    ['unharmed', isRead && !isHarmed],
    ['harmed', isHarmed],
    ['not read', !isRead && !isHarmed],
  ])
}

/** Tells whether a line shows the old state alone, without a mark. A word that the talk itself says is no mark. */
function hasStaleLine(context: string, history: History): boolean {
  const told = history.sessions.flatMap(({ messages }) => messages.map(({ content }) => content)).filter((text) => isStale(text, history))
  const telling = marks.filter((mark) => !told.some((text) => hasWords(text, mark)))
  return context.split('\n').some((line) => isStale(line, history) && !telling.some((mark) => hasWords(line, mark)))
}

function isStale(text: string, { answer, old }: History): boolean {
  return holds(text, old) && !holds(text, answer)
}

function holds(text: string, words: string): boolean {
  return text.toLowerCase().includes(words.toLowerCase())
}

function hasWords(text: string, words: string): boolean {
  return folded(text).includes(folded(words))
}

/** A reminder repeats a message, and nobody vouches for an unverified claim. */
function isCounted(fact: Fact): boolean {
  return fact.predicate !== 'asked to remember' && !('unverified' in fact && fact.unverified === true)
}

/** Folds case, and punctuation and blanks into one blank. Blanks stand at both ends, so that parts begin and end with words. */
function folded(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}
