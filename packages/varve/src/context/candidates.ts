import { withoutFences } from '../messages/fence.ts'
import type { Message } from '../messages/message.ts'
import type { Hit, MessageHit } from '../recall/hit.ts'
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
  const line = `${minute(message.at)} ${speaker(message)}: ${contextText(message.content)}`
  return {
    tier: 'recent',
    id: message.id,
    reason: age === 0 ? 'the newest turn' : `${age} before the newest turn`,
    line,
    ...place(message),
  }
}

export function detailCandidate(hit: MessageHit): Candidate {
  const line = `${speaker(hit)}: ${contextText(shownOf(hit))}`
  return { tier: 'details', id: hit.id, reason: reasonOf(hit), line, heading: day(hit.at), ...place(hit) }
}

/** Of a long message the part that was found, with […] where it was cut. */
function shownOf({ text, passage }: MessageHit): string {
  if (passage === undefined) return text
  return `${passage.from > 0 ? '[…] ' : ''}${text.slice(passage.from, passage.to)}${passage.to < text.length ? ' […]' : ''}`
}

/** Lines in the order of reading: sessions by when their first line was said, a session's lines by their place. */
export function inReadingOrder(candidates: readonly Candidate[]): Candidate[] {
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
  return name === undefined ? role : contextLine(name)
}

/** A name or a title in a context: one line, with no fence of ours in it. */
export function contextLine(text: string): string {
  return withoutFences(text.replace(blanks, ' '))
}

/** Why a hit was found, in words. */
export function reasonOf({ signals }: Pick<Hit, 'signals'>): string {
  return signals.map(({ text }) => text).join('; ')
}

/** Remembered text in a context, as data: no fence of ours in it, and its lines set in, so that none reads as an item of its own. */
export function contextText(text: string): string {
  return withoutFences(text).replace(breaks, '\n  ')
}

/** The UTC day of a time. */
export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
