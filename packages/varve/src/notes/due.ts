import type { Message } from '../messages/message.ts'
import { mainLineOf } from '../messages/tool-calls.ts'
import type { NotesSettings } from './settings.ts'

/**
 * The counters by which notes become due. The store keeps them with the session, so that neither a restart nor a host
 * that cuts its own list of messages changes them. Totals only grow: a forgotten message takes nothing from them.
 */
export interface NotesCounters {
  /** Totals of the main conversation, from its first message on. */
  readonly mainTokens: number
  readonly mainCalls: number
  /** True when the assistant's last message calls no tool. */
  readonly isPause: boolean
  /** The totals up to the last message of the last committed update; 0 before the first. */
  readonly notedTokens: number
  readonly notedCalls: number
  readonly hasNotes: boolean
}

/** The reason why notes are due, or are not. */
export type NotesReason = 'first' | 'calls' | 'pause' | 'too short' | 'too little new' | 'in the middle of work'

/** The answer to whether an update of notes is due. */
export interface NotesDue {
  readonly due: boolean
  readonly reason: NotesReason
  /** Tokens and tool calls since the last committed update. */
  readonly growth: number
  readonly calls: number
}

/** The counters of a session without messages. */
export const nothingCounted: NotesCounters = { mainTokens: 0, mainCalls: 0, isPause: false, notedTokens: 0, notedCalls: 0, hasNotes: false }

/** Tells whether an update is due. It always needs growth; after the first update, also tool calls or a pause. */
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

/** Gives the counters after one more message. */
export function countersAfter(counters: NotesCounters, message: Pick<Message, 'role' | 'parts' | 'thread' | 'tokens'>): NotesCounters {
  const { tokens, calls, isPause } = mainLineOf(message)
  return {
    ...counters,
    mainTokens: counters.mainTokens + tokens,
    mainCalls: counters.mainCalls + calls,
    isPause: isPause ?? counters.isPause,
  }
}

/** Gives the counters after a committed update that read the conversation up to `read`. */
export function noted(counters: NotesCounters, read: Pick<NotesCounters, 'mainTokens' | 'mainCalls'>): NotesCounters {
  return { ...counters, notedTokens: read.mainTokens, notedCalls: read.mainCalls, hasNotes: true }
}
