import type { PlacedSession } from '../storage/derived/parts.ts'
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

/** A session as it stands, with the range of messages to note. */
export interface NotesReading extends Omit<NotesRead, 'holder'> {
  readonly name: string
  readonly partition: PartitionId
  readonly project: number
  readonly settings: DistilSettings
  readonly notes: NotesSettings
  /** The standing page, with every section of the template; and the template alone. */
  readonly page: string
  readonly template: string
  /** True when the session has more messages than were read. */
  readonly hasMore: boolean
}

/** A page after a model's answer. */
export interface DraftedNotes {
  readonly content: string
  readonly applied: number
  readonly refused: readonly RefusedCall[]
  /** Sections that are to be condensed. */
  readonly long: readonly LongSection[]
}

/** Messages that are read at once. */
const perLook = 200

/**
 * Reads the messages that are new to a session's notes, as far as some tokens go; at least one. Undefined when the
 * session is gone, or nothing is new.
 */
export function* readForNotes({ partition: home, session }: PlacedSession, maxTokens: number): Program<NotesReading | undefined> {
  const row = yield* sessionRowById(home, session)
  const about = row === undefined ? undefined : yield* notesOf(home, session, 0)
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
    home,
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
    // Messages that are read again after a forget are already counted.
    tokens: hasMore ? Math.min(row.main_tokens, (standing?.noted_tokens ?? 0) + read(({ tokens }) => tokens)) : row.main_tokens,
    calls: hasMore ? Math.min(row.main_calls, (standing?.noted_calls ?? 0) + read(callsIn)) : row.main_calls,
    partition: partitionId(projectName(about.name), about.user === undefined ? { kind: 'anonymous' } : { kind: 'user', name: about.user }),
    settings: settingsOf(JSON.stringify(about.settings)),
    page: standing === undefined ? template : writePage(conformed(standing.content, notes.template)),
  }
}

/** Reads the messages of a session's main line from a place on, as far as some tokens go. */
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

/** Reads the same messages for a writer: with their parts, and without the words that Varve itself had put there. */
export function* notedMessages(
  { home, session, name, from, to }: Pick<NotesReading, 'home' | 'session' | 'name' | 'from' | 'to'>,
  maxTokens: number,
): Program<readonly NotedMessage[]> {
  const messages = yield* messagesBetween({ id: session, partition_id: home, external_id: name }, from, to)
  return messages.filter(isMain).flatMap((message) => {
    const source = sourceOf(message, maxTokens)
    return source === undefined ? [] : [{ ...source, ...(message.parts === undefined ? {} : { parts: message.parts }) }]
  })
}

/** Takes messages into the page, without a model. */
export function writtenNotes(
  writer: NotesWriter,
  { page, notes, tokens }: Pick<NotesReading, 'page' | 'notes' | 'tokens'>,
  messages: readonly NotedMessage[],
): string {
  return extractiveNotes(writer, page, messages, notes, estimateTokenCount, tokens).content
}

/** Finds the sections that must become shorter. */
export function longIn(content: string, { notes }: Pick<NotesReading, 'notes'>): readonly LongSection[] {
  return longSections(content, notes, estimateTokenCount)
}

/** Fits a page to its caps, with as many cuts as needed. */
export function fittedNotes(content: string, { notes }: Pick<NotesReading, 'notes'>): string {
  return fitNotes(content, notes.maxTokens, estimateTokenCount, notes.sectionTokens).content
}
