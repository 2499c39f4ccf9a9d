import { type EndedState, endedStates } from '../facts/superseded.ts'
import { gistOf } from '../gists/read-gists.ts'
import type { Gist } from '../gists/gist.ts'
import { saidRanges } from '../messages/echo.ts'
import type { Message } from '../messages/message.ts'
import type { Superseded } from '../recall/hit.ts'
import { supersededIn } from '../recall/states.ts'
import { toldIn } from '../recall/told-states.ts'
import { type PartitionId, type SessionName, sessionName } from '../scope/partition.ts'
import { itemKinds, itemsOfSession } from '../storage/derived/items.ts'
import { newestTurns, readMessages } from '../storage/log/messages.ts'
import { findSessionRow, type Session, sessions } from '../storage/log/sessions.ts'
import { findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Candidate, day, turnSpeaker } from './candidates.ts'
import { endedBy, endNotes, withEndNotes } from './ended-notes.ts'
import { openingKind } from './opening-question.ts'
import { contextName, contextText } from './quoted-text.ts'
import type { ContextRequest } from './request.ts'
import type { ContextOpening, TierInput } from './tier-input.ts'

/** The newest messages of the running session that are read to see whether an assistant has answered in it. */
const mostRead = 4

/** The sessions that are looked at beyond those wanted: some hold no talk. */
const spareSessions = 8

/** A session without a gist is shown by so many newest turns, each of so many UTF-16 code units at most. */
const mostTurns = 2
const mostOfTurn = 240

/**
 * Tells whether the newest conversations open a context. In a session where an assistant has answered, only a question
 * about the past or the person asks for them: "yes, please" does not.
 */
export function* openingOf(partition: PartitionId, request: ContextRequest, hasFound: boolean): Program<ContextOpening> {
  const kind = openingKind(request.recall.query)
  if (kind === 'back') return 'asked'
  if ((kind === undefined && hasFound) || !(yield* isBeginning(partition, runningIn(request)))) return 'no'
  return kind === undefined ? 'begun' : 'asked'
}

/** Exchanges the shares of gists and details: words that name no matter find messages by chance. */
export function openedRequest(request: ContextRequest): ContextRequest {
  const { gists, details } = request.tiers
  const exchanged = { gists: { ...gists, share: details.share }, details: { ...details, share: gists.share } }
  return { ...request, tiers: { ...request.tiers, ...exchanged } }
}

function runningIn({ session, recall }: ContextRequest): SessionName | undefined {
  return session ?? recall.excludeSession
}

function* isBeginning(partition: PartitionId, running: SessionName | undefined): Program<boolean> {
  if (running === undefined) return true
  const messages = yield* readMessages(partition, running, { limit: mostRead, tools: true })
  return messages.length < mostRead && messages.every(({ role }) => role === 'user' || role === 'system')
}

/**
 * Gives the newest conversations other than the running one, the newest first: each by its gist. Where they were asked
 * for, one without a gist, such as one that ended a minute ago, is told by its newest turns: none that is `shown`
 * elsewhere. A question that nothing answers gets no single messages.
 */
export function* newestConversations({ partition, request, opening, shown }: TierInput): Program<readonly Candidate[]> {
  const { limit } = request.tiers.gists
  const { items } = yield* sessions(partition, { limit: limit + spareSessions })
  const others = items.filter(({ id, messages }) => messages > 0 && id !== request.session && id !== request.recall.excludeSession)
  const told: (Gist | Turns)[] = []
  for (const session of others) {
    if (told.length >= limit) break
    const one = (yield* gistIn(partition, session)) ?? (opening === 'asked' ? yield* turnsIn(partition, session, shown) : undefined)
    if (one !== undefined) told.push(one)
  }
  const states = yield* statesIn(partition, told, request.recall.now)
  return told.map((one, place) => ('turns' in one ? turnsCandidate(one, states, place) : gistCandidate(one, states, place)))
}

/** The newest turns of a session that has no gist. */
interface Turns {
  readonly session: Session
  readonly turns: readonly Message[]
}

function* gistIn(partition: PartitionId, { id, name }: Session): Program<Gist | undefined> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, id)
  const item = row === undefined ? undefined : (yield* itemsOfSession(row.partition_id, row.id)).find(({ kind }) => kind === itemKinds.gist)
  return item === undefined || item.content === '' ? undefined : gistOf({ ...item, session: id, name: name ?? null, member: null })
}

function* turnsIn(partition: PartitionId, session: Session, shown: ReadonlySet<string>): Program<Turns | undefined> {
  const newest = yield* newestTurns(partition, sessionName(session.id), mostRead)
  const isTurn = ({ id, role, content, recalled }: Message): boolean =>
    role !== 'system' && !shown.has(id) && saidRanges(content, recalled).length > 0
  const turns = newest.filter(isTurn).slice(-mostTurns)
  return turns.length === 0 ? undefined : { session, turns }
}

function* statesIn(partition: PartitionId, told: readonly (Gist | Turns)[], now: number): Program<readonly EndedState[]> {
  const owner = yield* findPartition(partition)
  const spans = told.flatMap((one) =>
    'turns' in one ? one.turns.map(({ session, seq }) => ({ session, from: seq, to: seq })) : one.lineage,
  )
  return owner === undefined || spans.length === 0 ? [] : (yield* endedStates(partition, owner.id, spans, now)).states
}

const reasonOf = (place: number): string =>
  place === 0 ? 'the newest other conversation' : `${place} before the newest other conversation`

function gistCandidate({ id, session, name, at, text, lineage }: Gist, states: readonly EndedState[], place: number): Candidate {
  const ended = supersededIn(toldIn(text, lineage, states))
  return {
    tier: 'gists',
    id,
    reason: reasonOf(place),
    line: `${day(at)} ${contextName(name ?? session)}: ${contextText(withEndNotes(text, endNotes(ended)))}`,
    made: { by: endedBy(ended) },
    at,
    seq: 0,
    session,
  }
}

function turnsCandidate({ session, turns }: Turns, states: readonly EndedState[], place: number): Candidate {
  const reason = `${reasonOf(place)}, which has no gist yet`
  const parts = turns.map((turn) => {
    const ended = supersededIn(states.filter((state) => state.session === turn.session && state.seq === turn.seq))
    return { id: turn.id, reason, line: turnLine(turn, ended), made: { kind: 'message' as const, by: endedBy(ended) } }
  })
  return {
    tier: 'gists',
    id: turns[0]?.id ?? '',
    reason,
    parts,
    line: [turnsHeading(session, turns.at(-1)?.at ?? session.createdAt), ...parts.map(({ line }) => line)].join('\n'),
    at: turns.at(-1)?.at ?? session.createdAt,
    seq: 0,
    session: session.id,
  }
}

/** Gives the line above the newest turns of a session. */
export function turnsHeading({ id, name }: { readonly id: string; readonly name?: string | null }, at: number): string {
  return `${day(at)} ${contextName(name ?? id)}, its newest turns:`
}

/** Gives the line of one of the newest turns of a session. */
export function turnLine(turn: Message, ended: Superseded | undefined): string {
  return `  ${turnSpeaker(turn)}: ${contextText(beginOf(turn, ended))}`
}

/** Gives the begin of a turn, without what Varve itself had put there, and with notes on its ended states. */
function beginOf({ content, recalled }: Message, ended: Superseded | undefined): string {
  const [part] = saidRanges(content, recalled)
  const { from, to } = part ?? { from: 0, to: content.length }
  const end = Math.min(to, from + mostOfTurn)
  const text = withEndNotes(content, endNotes(ended), { from, to: end }).toWellFormed()
  return end < content.length ? `${text.replace(/\uFFFD$/, '')} […]` : text
}
