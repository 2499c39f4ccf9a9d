import type { Message } from '../messages/message.ts'
import { mainLineOf } from '../messages/tool-calls.ts'
import type { NotesSettings } from './settings.ts'

/**
 * What tells whether a session's notes are due: kept in the store with the session, so that neither a restart nor a host that
 * cuts its own list of messages changes it. Totals only grow: a message that is forgotten takes nothing from them.
 */
export interface NotesCounters {
  /** Of the main conversation, from its first message on. */
  readonly mainTokens: number
  readonly mainCalls: number
  /** Whether the last of what the assistant did calls no tool. */
  readonly isPause: boolean
  /** The totals up to the last message that the last committed update has read; 0 before the first. */
  readonly notedTokens: number
  readonly notedCalls: number
  readonly hasNotes: boolean
}

/** Why notes are due, or why not. */
export type NotesReason = 'first' | 'calls' | 'pause' | 'too short' | 'too little new' | 'in the middle of work'

export interface NotesDue {
  readonly due: boolean
  readonly reason: NotesReason
  /** Tokens and tool calls since the last committed update. */
  readonly growth: number
  readonly calls: number
}

/** The counters of a session without messages. */
export const nothingCounted: NotesCounters = { mainTokens: 0, mainCalls: 0, isPause: false, notedTokens: 0, notedCalls: 0, hasNotes: false }

/** Whether an update is due. Growth is always asked for; after the first update, tool calls or a pause as well. */
export function notesDue(counters: NotesCounters, settings: Pick<NotesSettings, 'firstTokens' | 'growthTokens' | 'toolCalls'>): NotesDue {
  const growth = counters.mainTokens - counters.notedTokens
  const calls = counters.mainCalls - counters.notedCalls
  const reason = reasonOf(counters, { growth, calls }, settings)
  return { due: reason === 'first' || reason === 'calls' || reason === 'pause', reason, growth, calls }
}

function reasonOf(
  { hasNotes, isPause }: NotesCounters,
  { growth, calls }: { growth: number; calls: number },
  { firstTokens, growthTokens, toolCalls }: Pick<NotesSettings, 'firstTokens' | 'growthTokens' | 'toolCalls'>,
): NotesReason {
  if (!hasNotes) return growth >= firstTokens ? 'first' : 'too short'
  if (growth < growthTokens) return 'too little new'
  if (calls >= toolCalls) return 'calls'
  return isPause ? 'pause' : 'in the middle of work'
}

/** The counters after one more message. */
export function countersAfter(counters: NotesCounters, message: Pick<Message, 'role' | 'parts' | 'thread' | 'tokens'>): NotesCounters {
  const { tokens, calls, isPause } = mainLineOf(message)
  return {
    ...counters,
    mainTokens: counters.mainTokens + tokens,
    mainCalls: counters.mainCalls + calls,
    isPause: isPause ?? counters.isPause,
  }
}

/** The counters once an update is committed that has read the conversation up to where it was `read`. */
export function noted(counters: NotesCounters, read: Pick<NotesCounters, 'mainTokens' | 'mainCalls'>): NotesCounters {
  return { ...counters, notedTokens: read.mainTokens, notedCalls: read.mainCalls, hasNotes: true }
}
