import { localDay } from '../bank/periods.ts'
import type { Fact } from '../facts/fact.ts'
import type { SubjectFacts } from '../facts/profiles.ts'
import type { Block } from '../blocks/block.ts'
import { withoutFences } from '../messages/fence.ts'
import type { Message } from '../messages/message.ts'
import type { DerivedHit, MessageHit, PageHit } from '../recall/hit.ts'
import type { Tier } from './context.ts'

// Whatever somebody takes for the end of a line: Unicode's and Python's separators as well.
const separators = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`
const breaks = new RegExp(String.raw`\r\n|[${separators}]`, 'g')
const blanks = new RegExp(String.raw`[\s${separators}]+`, 'g')

/** Something that may be rendered: one line, dated and attributed. */
export interface Candidate {
  readonly tier: Tier
  readonly id: string
  readonly reason: string
  readonly line: string
  /** A line that stands above it, and above others with the same one that follow it: what a session's lines of one day share. */
  readonly heading?: string
  /** Where it stands in its section: by when it was said, then by its place in the session. */
  readonly at: number
  readonly seq: number
  readonly session: string
  /** A fact that has to do with the question. */
  readonly isAsked?: boolean
  /** What it consists of, where that is several things. */
  readonly parts?: readonly { readonly id: string; readonly reason: string }[]
}

export function recentCandidate(message: Message, age: number): Candidate {
  const line = `${minute(message.at)} ${speaker(message)}: ${quoted(message.content)}`
  return {
    tier: 'recent',
    id: message.id,
    reason: age === 0 ? 'the newest turn' : `${age} before the newest turn`,
    line,
    ...place(message),
  }
}

export function detailCandidate(hit: MessageHit): Candidate {
  const reason = hit.signals.map((signal) => signal.text).join('; ')
  const line = `${speaker(hit)}: ${quoted(shownOf(hit))}`
  return { tier: 'details', id: hit.id, reason, line, heading: day(hit.at), ...place(hit) }
}

/** What another session was about. */
export function gistCandidate(hit: DerivedHit): Candidate {
  const reason = hit.signals.map((signal) => signal.text).join('; ')
  const title = withoutFences((hit.name ?? hit.session ?? '').replace(blanks, ' '))
  return {
    tier: 'gists',
    id: hit.id,
    reason,
    line: `${day(hit.at)} ${title}: ${quoted(hit.text)}`,
    at: hit.at,
    seq: 0,
    session: hit.session ?? '',
  }
}

/** A passage of a document, under the document's name and when it was last changed. */
export function documentCandidate(hit: PageHit, place: number): Candidate {
  const reason = hit.signals.map((signal) => signal.text).join('; ')
  const name = withoutFences(hit.name.replace(blanks, ' '))
  const whose = hit.shared === true ? `${day(hit.at)}, all members of this project` : day(hit.at)
  return { tier: 'documents', id: hit.id, reason, line: `${name} (${whose}):\n  ${quoted(hit.text)}`, at: 0, seq: place, session: '' }
}

/** A section of the running session's notes. */
export function notesCandidate(id: string, { heading, text }: { heading: string; text: string }, place: number): Candidate {
  return {
    tier: 'notes',
    id,
    reason: 'the notes of this conversation',
    line: `${withoutFences(heading.replace(blanks, ' '))}:\n  ${quoted(text)}`,
    at: 0,
    seq: place,
    session: '',
  }
}

/** What is known of a subject, a line for each fact, each with its date. */
export function profileCandidates(subjects: readonly SubjectFacts[], timeZone: string): Candidate[] {
  return subjects.flatMap(({ subject, facts }, place) =>
    facts.map((fact, seq) => ({
      tier: 'profile' as const,
      id: fact.id,
      reason: `known of ${subject}, ${told(fact.sources.length)}`,
      line: `- ${quoted(`${fact.predicate} ${fact.object}`)} (${datesOf(fact, timeZone)})`,
      heading: `About ${withoutFences(subject.replace(blanks, ' '))}:`,
      at: place,
      seq,
      session: `${place} ${subject}`,
    })),
  )
}

function told(times: number): string {
  return times === 0 ? 'added by hand' : times === 1 ? 'said once' : `said ${times} times`
}

/** Of a plan the day for which it is, of anything else since when and until when it holds: days of the project's zone, both included. */
function datesOf({ validFrom, validUntil, when }: Fact, timeZone: string): string {
  const [first, last] = [(at: number) => localDay(at, timeZone), (until: number) => localDay(until - 1, timeZone)]
  if (when?.from !== undefined && when.to !== undefined && when.to === validUntil && when.from > validFrom)
    return first(when.from) === last(when.to) ? `on ${first(when.from)}` : `${first(when.from)} to ${last(when.to)}`
  return `since ${first(validFrom)}${validUntil === undefined ? '' : `, until ${last(validUntil)}`}`
}

const whoseBlock = { user: '', session: ' (this conversation)', project: ' (all members of this project)' } as const

/** A block under its name, at its place among those that are shown. */
export function blockCandidate({ id, name, text, scope, position }: Block, place: number): Candidate {
  const title = `${withoutFences(name.replace(blanks, ' '))}${whoseBlock[scope]}`
  return {
    tier: 'blocks',
    id,
    reason: `block ${position} of the ${scope}'s working memory`,
    line: `${title}:\n  ${quoted(text)}`,
    at: 0,
    seq: place,
    session: '',
  }
}

/** Of a long message the part that was found, with […] where it was cut. */
function shownOf({ text, passage }: MessageHit): string {
  if (passage === undefined) return text
  return `${passage.from > 0 ? '[…] ' : ''}${text.slice(passage.from, passage.to)}${passage.to < text.length ? ' […]' : ''}`
}

/** Lines in the order of reading: sessions by when their first line was said, a session's lines by their place. */
export function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const begun = new Map<string, number>()
  for (const { session, at } of candidates) begun.set(session, Math.min(at, begun.get(session) ?? at))
  const beginOf = ({ session }: Candidate): number => begun.get(session) ?? 0
  return candidates.toSorted((a, b) => {
    if (a.session === b.session) return a.seq - b.seq
    return beginOf(a) - beginOf(b) || (a.session < b.session ? -1 : 1)
  })
}

/** Whether two lines share their heading. */
export function groupOf({ tier, session, heading }: Candidate): string | undefined {
  return heading === undefined ? undefined : JSON.stringify([tier, session, heading])
}

function place({ at, seq, session }: { at: number; seq: number; session: string }): Pick<Candidate, 'at' | 'seq' | 'session'> {
  return { at, seq, session }
}

function speaker({ name, role }: { name?: string; role: string }): string {
  return name === undefined ? role : withoutFences(name.replace(blanks, ' '))
}

/** Remembered text as data: no fence of ours in it, and its lines set in, so that none reads as an item of its own. */
function quoted(text: string): string {
  return withoutFences(text).replace(breaks, '\n  ')
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
