import { withoutFences } from '../messages/fence.ts'
import type { Message } from '../messages/message.ts'
import type { Hit } from '../recall/hit.ts'
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
  /** Where it stands in its section: by when it was said, then by its place in the session. */
  readonly at: number
  readonly seq: number
  readonly session: string
}

export function recentCandidate(message: Message, age: number): Candidate {
  const line = `${minute(message.at)} ${speaker(message)}: ${quoted(message.content)}`
  return { tier: 'recent', id: message.id, reason: age === 0 ? 'the newest turn' : `${age} before the newest turn`, line, ...place(message) }
}

export function detailCandidate(hit: Hit): Candidate {
  const reason = hit.signals.map((signal) => signal.text).join('; ')
  const line = `${day(hit.at)} ${speaker(hit)}: ${quoted(hit.text)}`
  return { tier: 'details', id: hit.id, reason, line, ...place(hit) }
}

/** The order of reading: by time, then by place. */
export function inOrder(a: Candidate, b: Candidate): number {
  if (a.session === b.session) return a.seq - b.seq
  return a.at - b.at || (a.session < b.session ? -1 : 1)
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
