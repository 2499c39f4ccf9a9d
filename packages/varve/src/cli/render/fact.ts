import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'
import { writtenBy } from './hit.ts'

export type ListedFact = Awaited<ReturnType<UserMemory['facts']['list']>>[number]
type Source = ListedFact['sources'][number]

const indent = '   '
const inner = '     '
const mostQuoted = 3

/** Options for showing facts. */
export interface Shown {
  readonly width: number | undefined
  /** Shows the ids by which commands name facts. */
  readonly ids: boolean
}

/** Shows facts under the names of their subjects, in the given order. */
export function subjectLines(facts: readonly ListedFact[], shown: Shown): string[] {
  return [...Map.groupBy(facts, ({ subject }) => subject)].flatMap(([subject, of], place) => [
    ...(place === 0 ? [] : ['']),
    paint('bold', harmlessLine(subject)),
    ...of.flatMap((fact) => factLines(fact, shown)),
  ])
}

/** Shows a fact: its sentence and its time, its last words, and its id. `isWhole` puts the subject in the sentence. */
export function factLines(fact: ListedFact, shown: Shown, isWhole = false): string[] {
  return [...sentence(fact, { indent, width: shown.width, isWhole }), ...groundLines(fact, shown)]
}

function sentence(fact: ListedFact, { indent, width, isWhole }: { indent: string; width: number | undefined; isWhole: boolean }): string[] {
  const { subject, predicate, object } = fact
  return paragraph(`${harmless(`${isWhole ? `${subject} ` : ''}${predicate} ${object}`)}${times(fact)}${marks(fact)}`, { indent, width })
}

/** Shows a fact of the past, and how it ended. Its successor is named from among `others`. */
export function pastLines(fact: ListedFact, others: readonly ListedFact[], shown: Shown): string[] {
  const { width } = shown
  return [...sentence(fact, { indent, width, isWhole: false }), ...fateLines(fact, others, inner, width), ...groundLines(fact, shown)]
}

/** Shows a fact by itself: its writer, its grounds, the time when it was learnt, and all of its sources. */
export function wholeFactLines(fact: ListedFact, others: readonly ListedFact[], width: number | undefined): string[] {
  const { writer, recordedAt, dependsOn, when, sources } = fact
  return [
    ...sentence(fact, { indent: '', width, isWhole: true }),
    dim(`${indent}id ${fact.id}, learnt ${minute(recordedAt)}${writtenBy({ writer, provisional: false })}`),
    ...fateLines(fact, others, indent, width),
    ...(when === undefined ? [] : paragraph(`when: "${harmless(when.phrase)}"${reckoned(when)}`, { indent, width }).map(dim)),
    ...dependsOn.map((id) => dim(`${indent}rests on ${harmlessLine(id)}`)),
    ...(sources.length === 0
      ? [dim(`${indent}no message says so: added by hand`)]
      : [dim(`${indent}said in ${counted(sources.length, 'message')}:`)]),
    ...sources.flatMap((source) => sourceLines(source, width)),
  ]
}

function sourceLines(source: Source, width: number | undefined): string[] {
  return [
    ...paragraph(`"${harmless(source.text)}"`, { indent, width }),
    ...paragraph(`= ${harmlessLine(source.session)} #${source.seq}, ${minute(source.at)}, message ${source.message}`, {
      indent: inner,
      width,
    }).map(dim),
  ]
}

function groundLines(fact: ListedFact, { width, ids }: Shown): string[] {
  return [...said(fact, width), ...(ids ? [`${inner}id ${fact.id}`] : [])].map(dim)
}

/** Shows the words of the last source, their place, and the number of other sources. */
function said({ sources }: ListedFact, width: number | undefined): string[] {
  const last = sources.at(-1)
  if (last === undefined) return []
  const more = sources.length === 1 ? '' : `, and ${sources.length - 1} more`
  return [
    ...paragraph(`"${harmless(last.text)}"`, { indent: inner, width, mostLines: mostQuoted }),
    ...paragraph(`= ${harmlessLine(last.session)} #${last.seq}, ${minute(last.at)}${more}`, { indent: inner, width }),
  ]
}

/**
 * Shows the time in UTC: `, since 2026-03-23` or `, 2026-03-23 to 2026-07-01`. The end is not included. Within one day
 * it shows minutes.
 */
function times({ validFrom, validUntil }: Pick<ListedFact, 'validFrom' | 'validUntil'>): string {
  if (validUntil === undefined) return `, since ${day(validFrom)}`
  const shown = day(validFrom) === day(validUntil) ? minute : day
  return `, ${shown(validFrom)} to ${shown(validUntil)}`
}

function marks({ confidence, doubtful, unverified, writer, sources }: ListedFact): string {
  const found = [
    ...(confidence < 1 ? [`confidence ${confidence}`] : []),
    ...(writer === 'person' ? ['by hand'] : []),
    ...(doubtful ? ['doubtful'] : []),
    ...(unverified === true ? ["unverified: another's words"] : []),
    ...(sources.length === 0 && writer !== 'person' ? ['no source'] : []),
  ]
  return found.length === 0 ? '' : `  [${found.join(', ')}]`
}

/** Tells how a fact ended, and since when that is known. */
function fateLines(
  { supersededAt, supersededBy, retracted }: ListedFact,
  others: readonly ListedFact[],
  indent: string,
  width: number | undefined,
): string[] {
  if (supersededAt === undefined) return []
  const by = others.find(({ id }) => id === supersededBy)
  const successor = by === undefined ? supersededBy : `"${harmless(by.object)}"`
  // A fact that never was true keeps the end that it was said to have: mostly none.
  const fate =
    successor === undefined ? (retracted ? 'taken back' : 'ended') : `${retracted ? 'corrected to' : 'superseded by'} ${successor}`
  return paragraph(`${fate}, known since ${minute(supersededAt)}`, { indent, width }).map((line) => paint('yellow', line))
}

function reckoned({ from, to }: NonNullable<ListedFact['when']>): string {
  if (from === undefined && to === undefined) return ''
  return (
    ', reckoned as ' +
    `${from === undefined ? 'until' : minute(from)}${to === undefined ? ' on' : `${from === undefined ? '' : ' to'} ${minute(to)}`}`
  )
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function dim(line: string): string {
  return paint('dim', line)
}
