import { estimateTokenCount } from 'tokenx'
import { fitNotes, type LongSection, longSections } from '../notes/caps.ts'
import type { RefusedCall } from '../notes/edit.ts'
import { extractiveNotes } from '../notes/extractive-notes.ts'
import { conformed, writePage } from '../notes/page.ts'
import type { NotesRead } from '../notes/write-notes.ts'
import { type NotesSettings, storedNotesSettings } from '../notes/settings.ts'
import { templatePage } from '../notes/template-page.ts'
import type { Message } from '../messages/message.ts'
import { callsIn, isMain } from '../messages/tool-calls.ts'
import type { NotedMessage, NotesWriter } from '../models/notes-writer.ts'
import { type PartitionId, partitionId, projectName } from '../scope/partition.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import { notesOf } from '../storage/pages/notes-work.ts'
import { findNotes } from '../storage/pages/pages.ts'
import type { Program } from '../storage/program.ts'
import type { SessionTable } from '../storage/schema.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { type DistilSettings, settingsOf } from './settings.ts'
import { sourceOf } from './span.ts'

/** A session as it stands, and what of it is to be noted. */
export interface NotesReading extends Omit<NotesRead, 'holder'> {
  readonly name: string
  readonly partition: PartitionId
  readonly project: number
  readonly settings: DistilSettings
  readonly notes: NotesSettings
  /** The page as it stands, with every section of the template; and the template alone. */
  readonly page: string
  readonly template: string
  /** Whether more was said than was read. */
  readonly hasMore: boolean
}

/** What a model's answer made of a page. */
export interface DraftedNotes {
  readonly content: string
  readonly applied: number
  readonly refused: readonly RefusedCall[]
  /** Sections that are to be condensed. */
  readonly long: readonly LongSection[]
}

/** Messages that are read at once. */
const perLook = 200

/** What of a session is new to its notes, as far as some tokens go (one message at least); undefined when it is gone, or nothing is new. */
export function* readForNotes(session: number, maxTokens: number): Program<NotesReading | undefined> {
  const row = yield* sessionRowById(session)
  const about = row === undefined ? undefined : yield* notesOf(session, 0)
  if (row === undefined || about === undefined) return undefined
  const standing = yield* findNotes(row.partition_id, row.id)
  const from = (standing?.noted_seq ?? 0) + 1
  const { messages, hasMore } = yield* mainSince(row, from, maxTokens)
  const last = messages.at(-1)
  if (last === undefined) return undefined
  const notes = storedNotesSettings(about.settings['notes'])
  const template = templatePage(notes)
  const read = (sum: (message: Message) => number): number => messages.reduce((total, message) => total + sum(message), 0)
  return {
    session,
    epoch: row.epoch,
    basis: standing?.revision ?? 0,
    from,
    to: hasMore ? last.seq : row.seq,
    name: row.external_id,
    project: about.project,
    notes,
    template,
    hasMore,
    // What is read again, since something of it was forgotten, has been counted.
    tokens: hasMore ? Math.min(row.main_tokens, (standing?.noted_tokens ?? 0) + read(({ tokens }) => tokens)) : row.main_tokens,
    calls: hasMore ? Math.min(row.main_calls, (standing?.noted_calls ?? 0) + read(callsIn)) : row.main_calls,
    partition: partitionId(projectName(about.name), about.user === undefined ? { kind: 'anonymous' } : { kind: 'user', name: about.user }),
    settings: settingsOf(JSON.stringify(about.settings)),
    page: standing === undefined ? template : writePage(conformed(standing.content, notes.template)),
  }
}

/** The messages of a session's main line from a place on, as far as some tokens go. */
function* mainSince(row: SessionTable, from: number, maxTokens: number): Program<{ messages: readonly Message[]; hasMore: boolean }> {
  const messages: Message[] = []
  let tokens = 0
  for (let at = from; at <= row.seq; at += perLook) {
    for (const message of (yield* messagesBetween(row, at, at + perLook - 1)).filter(isMain)) {
      if (messages.length > 0 && tokens + message.tokens > maxTokens) return { messages, hasMore: true }
      messages.push(message)
      tokens += message.tokens
    }
  }
  return { messages, hasMore: false }
}

/** The messages that were read, as a writer reads them: with their parts, and without what Varve itself had put there. */
export function* notedMessages(
  { session, name, from, to }: Pick<NotesReading, 'session' | 'name' | 'from' | 'to'>,
  maxTokens: number,
): Program<readonly NotedMessage[]> {
  const messages = yield* messagesBetween({ id: session, external_id: name }, from, to)
  return messages.filter(isMain).flatMap((message) => {
    const source = sourceOf(message, maxTokens)
    return source === undefined ? [] : [{ ...source, ...(message.parts === undefined ? {} : { parts: message.parts }) }]
  })
}

/** The page with the messages taken in, without a model. */
export function writtenNotes(
  writer: NotesWriter,
  { page, notes }: Pick<NotesReading, 'page' | 'notes'>,
  messages: readonly NotedMessage[],
): string {
  return extractiveNotes(writer, page, messages, notes, estimateTokenCount).content
}

/** Which sections are to be made shorter. */
export function longIn(content: string, { notes }: Pick<NotesReading, 'notes'>): readonly LongSection[] {
  return longSections(content, notes, estimateTokenCount)
}

/** A page within its caps, whatever has to go. */
export function fittedNotes(content: string, { notes }: Pick<NotesReading, 'notes'>): string {
  return fitNotes(content, notes.maxTokens, estimateTokenCount, notes.sectionTokens).content
}
