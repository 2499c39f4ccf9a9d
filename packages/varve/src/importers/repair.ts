import { InvalidMessage } from '../errors/invalid-message.ts'
import type { MessageInput, Metadata } from '../messages/message.ts'
import { maxAheadMs } from '../messages/time.ts'
import { validMetadata } from '../messages/validate.ts'
import type { RawMessage } from './importer.ts'
import { acceptedParts } from './parts.ts'
import type { Tally } from './reasons.ts'
import type { TrackedSession, TrackedSessions } from './sessions.ts'
import { cleanName, cleanText, derivedId, acceptedMessageId, splitText } from './text.ts'
import { readTime } from './times.ts'

/** The context of a repair; `now` is the start of the import, so that one run gives one answer. */
export interface RepairContext {
  readonly tally: Tally
  readonly sessions: TrackedSessions
  readonly now: number
  /** The message's line, in a file of lines. */
  readonly line?: number | undefined
}

/**
 * Repairs a message of a file for the store: none when it is empty, several when it is over 1 MiB. Each has an id that
 * depends on the file only, so that a second import stores nothing twice.
 */
export function repaired(session: TrackedSession, raw: RawMessage, context: RepairContext): readonly MessageInput[] {
  const { tally, sessions, now, line } = context
  const place = sessions.nextPlace(session)
  const content = cleanText(raw.content, tally)
  if (content.trim() === '') {
    tally.skip('empty content', 1, line)
    return []
  }
  const id = idOf(session, place, raw, tally)
  const at = timeOf(session, raw.at, now, tally)
  const pieces = splitText(content).filter((piece) => piece.trim() !== '')
  if (pieces.length > 1) tally.repair('content split')
  const about = detailsOf(raw, tally)
  const parts = raw.parts === undefined ? undefined : acceptedParts(raw.parts, tally)
  return pieces.map((piece, index) => ({
    ...about,
    role: raw.role,
    content: piece,
    // A further piece is text only: it must not call the tool again.
    ...(parts === undefined ? {} : { parts: index === 0 ? parts : [{ type: 'text', text: piece }] }),
    at,
    id: index === 0 ? id : `${id}#${index + 1}`,
  }))
}

function idOf(session: TrackedSession, place: number, raw: RawMessage, tally: Tally): string {
  if (raw.id === undefined || raw.id === '') return derivedId(session.id, place, raw.role, raw.content)
  const { id, replaced } = acceptedMessageId(raw.id)
  if (replaced) tally.repair('id replaced')
  return id
}

function timeOf(session: TrackedSession, at: unknown, now: number, tally: Tally): number {
  const read = readTime(at)
  if (read.kind !== 'time') tally.repair(`time ${read.kind}`)
  else if (read.zoneAssumed) tally.repair('time without zone')
  const said = read.kind === 'time' ? read.ms : (session.lastAt ?? now)
  const ahead = said > now + maxAheadMs
  if (ahead) tally.repair('time in the future')
  session.lastAt = ahead ? now : said
  return session.lastAt
}

function detailsOf(raw: RawMessage, tally: Tally): Omit<MessageInput, 'role' | 'content'> {
  const name = cleanName(raw.name, tally)
  const thread = cleanName(raw.thread, tally)
  return {
    ...(name === undefined ? {} : { name }),
    ...(thread === undefined ? {} : { thread }),
    ...(isUsable(raw.metadata, tally) ? { metadata: raw.metadata } : {}),
    ...(raw.origin === undefined ? {} : { origin: raw.origin }),
  }
}

/** Tells whether the store takes the metadata; if not, all of it is left out. */
function isUsable(metadata: Metadata | undefined, tally: Tally): metadata is Metadata {
  if (metadata === undefined) return false
  try {
    validMetadata(metadata, (field, reason) => {
      throw new InvalidMessage({ index: 0, field, reason })
    })
    return true
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error
    tally.repair('metadata left out')
    return false
  }
}
