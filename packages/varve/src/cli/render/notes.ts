import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmlessLine, minute, paint } from '../terminal.ts'

export type FullNotes = NonNullable<Awaited<ReturnType<UserMemory['notes']['get']>>>
export type ListedNotes = Awaited<ReturnType<UserMemory['notes']['list']>>[number]
type Due = Awaited<ReturnType<UserMemory['notes']['due']>>

/** Shows the notes of a session in a list: the time of the last change, and their details. */
export function notesLines(notes: ListedNotes): string[] {
  return [`${minute(notes.updatedAt)}  ${paint('cyan', harmlessLine(notes.session))}`, paint('dim', `   ${notesDetails(notes)}`)]
}

/** Gives the length of notes, their revision, their last message, the time of the last change, and their writer. */
export function notesDetails({ chars, revision, upTo, updatedAt, writer }: ListedNotes): string {
  const covered = upTo === 0 ? '' : `, up to #${upTo}`
  return `${counted(chars, 'character')}, revision ${revision}${covered}, ${minute(updatedAt)} by ${harmlessLine(writer)}`
}

/** Tells whether notes are due, why, and whether upkeep writes them. */
export function dueLines({ due, reason, growth, calls, on }: Due): string[] {
  return [
    `${due ? 'Due' : 'Not due'}: ${reasons[reason]}. ${counted(growth, 'token')} and ${counted(calls, 'tool call')} are not in them yet.`,
    on ? 'Notes are on for this session: upkeep writes them when they are due.' : 'Notes are off for this session.',
  ]
}

const reasons: { readonly [Reason in Due['reason']]: string } = {
  first: 'the session is long enough for its first notes',
  calls: 'it has grown, and tools were called since',
  pause: 'it has grown, and the assistant uses no tool',
  'too short': 'the session is too short for notes',
  'too little new': 'too little was said since the last update',
  'in the middle of work': 'it has grown, but the assistant is in the middle of work',
}
