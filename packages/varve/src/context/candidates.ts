import { costOf, mostCost, type Passage } from '../index/passages.ts'
import type { Message } from '../messages/message.ts'
import { type SpokenWords, spokenAs } from '../messages/spoken-as.ts'
import type { Hit, MessageHit, Signal } from '../recall/hit.ts'
import type { Tier } from './context.ts'
import { endedBy } from './ended-notes.ts'
import type { Excerpts } from './excerpts.ts'
import { contextName, contextText } from './quoted-text.ts'

/** The longest text that may be one passage, in UTF-16 code units, whatever it costs. */
const mostWhole = 2_000

/** Everything from which a line can be made again, beside its id. */
export interface Made {
  /** Its kind, when it is another than its tier's. */
  readonly kind?: 'message'
  readonly score?: number
  readonly signals?: readonly Signal[]
  readonly revision?: number
  /** The shown parts of a long text. */
  readonly ranges?: readonly Passage[]
  /** Ids of the messages that ended a state which the line tells. */
  readonly by?: readonly string[]
}

/** A candidate for the context: one line, dated and attributed. */
export interface Candidate {
  readonly tier: Tier
  readonly id: string
  readonly reason: string
  readonly line: string
  /** Gives another form of its line, of about so many tokens at most; undefined when there is none. */
  shorter?(most: number): { readonly line: string; readonly ranges: readonly Passage[] } | undefined
  /** True when `line` is only a part of a long text, so that another form may be longer too. */
  readonly isPart?: boolean
  /** A heading line, which successive candidates with the same heading share: the session and day of their lines. */
  readonly heading?: string
  /** The order in its section: by time, then by the place in the session. */
  readonly at: number
  readonly seq: number
  readonly session: string
  /** True for a fact that answers the question. */
  readonly isAsked?: boolean
  /** The items in it, when it holds several. */
  readonly parts?: readonly { readonly id: string; readonly reason: string; readonly line: string; readonly made: Made }[]
  readonly made?: Made
}

export function recentCandidate(message: Message, age: number, by: readonly string[] = []): Candidate {
  const line = `${minute(message.at)} ${turnSpeaker(message)}: ${contextText(message.content)}`
  return {
    tier: 'recent',
    id: message.id,
    reason: age === 0 ? 'the newest turn' : `${age} before the newest turn`,
    line,
    made: { by },
    ...place(message),
  }
}

/** Makes a candidate from a hit. Of a long message, `excerpts` chooses the parts that are shown. */
export function detailCandidate(hit: MessageHit, excerpts: Excerpts): Candidate {
  const lineOf = (text: string): string => detailLine(hit, text)
  const first = [hit.passage ?? { from: 0, to: hit.text.length }]
  const made = { ...madeOf(hit), by: endedBy(hit.superseded) }
  const isPart = hit.text.length > mostWhole || costOf(hit.text) > mostCost
  return {
    tier: 'details',
    id: hit.id,
    reason: reasonOf(hit),
    line: lineOf(isPart ? excerpts.render(first) : excerpts.whole),
    isPart,
    made: isPart ? { ...made, ranges: first } : made,
    shorter: (most) => {
      const ranges = excerpts.within(most)
      return ranges.length === 0 ? undefined : { line: lineOf(excerpts.render(ranges)), ranges }
    },
    heading: day(hit.at),
    ...place(hit),
  }
}

/** Gives the line of a message: its speaker, and the text or the parts of it that are shown. */
export function detailLine(message: SpokenWords, text: string): string {
  return `${turnSpeaker(message)}: ${contextText(text)}`
}

/** Gives the score of a hit and its parts. */
export function madeOf({ score, signals }: Pick<Hit, 'score' | 'signals'>): Made {
  return { score, signals }
}

/** Sorts lines for reading: sessions by the time of their first line, a session's lines by their place. */
export function inReadingOrder(candidates: readonly Candidate[]): Candidate[] {
  const begun = new Map<string, number>()
  for (const { session, at } of candidates) begun.set(session, Math.min(at, begun.get(session) ?? at))
  const beginOf = ({ session }: Candidate): number => begun.get(session) ?? 0
  return candidates.toSorted((a, b) => {
    if (a.session === b.session) return a.seq - b.seq
    return beginOf(a) - beginOf(b) || (a.session < b.session ? -1 : 1)
  })
}

/** Gives the same key to lines that share their heading. */
export function groupOf({ tier, session, heading }: Candidate): string | undefined {
  return heading === undefined ? undefined : JSON.stringify([tier, session, heading])
}

function place({ at, seq, session }: { at: number; seq: number; session: string }): Pick<Candidate, 'at' | 'seq' | 'session'> {
  return { at, seq, session }
}

/** Names the speaker of a turn. */
export function turnSpeaker(message: SpokenWords): string {
  const role = spokenAs(message)
  return message.name === undefined ? role : contextName(message.name, role)
}

/** Gives the reasons of a hit, in words. */
export function reasonOf({ signals }: Pick<Hit, 'signals'>): string {
  return signals.map(({ text }) => text).join('; ')
}

/** Gives the UTC day of a time. */
export function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
