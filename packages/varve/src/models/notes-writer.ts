import type { SourceMessage } from './writer.ts'

/** A message for a notes writer. Tool calls and answers stand in its parts, which are kept as the host gave them. */
export interface NotedMessage extends Omit<SourceMessage, 'vector'> {
  readonly parts?: readonly unknown[]
}

/** The purposes of notes sections, whatever their headings say. */
export const notesKinds = [
  'title',
  'state',
  'decisions',
  'files',
  'commands',
  'errors',
  'system',
  'learnings',
  'results',
  'worklog',
] as const
export type NotesKind = (typeof notesKinds)[number]

/** One entry of a section: a bullet with the indented lines below it, a line, or a block of code. */
export interface SectionEntry {
  readonly text: string
  /** The messages (seq) that an entry was written from in this pass; absent for an older entry. */
  readonly from?: readonly number[]
}

/** A section as the writer gets and returns it: entries in their order, the oldest first. */
export interface NotesPart {
  readonly kind: NotesKind
  readonly entries: readonly SectionEntry[]
}

export interface NotesBounds {
  readonly sectionTokens: number
  /** The most tokens of all entries together. */
  readonly maxTokens: number
  /** The tokens of the talk: the writer's own entries take a share of them. Absent: all that there is room for. */
  readonly talkTokens?: number
  readonly count: (text: string) => number
}

/** Writes notes without a language model. Pure: the same input, the same output. */
export interface NotesWriter {
  /**
   * Returns the sections after the messages are taken in: the same, in the same order. Entries of a person or a model
   * are kept as they are.
   *
   * Of its own entries the writer keeps the most valuable. The same messages again change nothing.
   */
  notes(parts: readonly NotesPart[], messages: readonly NotedMessage[], bounds: NotesBounds): NotesPart[]
}
