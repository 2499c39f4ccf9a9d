import type { SourceMessage } from './writer.ts'

/** A message as notes are made of it: tools are called, and answer, in its parts, which are kept as the host gave them. */
export interface NotedMessage extends Omit<SourceMessage, 'vector'> {
  readonly parts?: readonly unknown[]
}

/** What a section of the notes is for, whatever its heading says. */
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

/** One entry of a section: a bullet with what is set in below it, a line, or a block of code. */
export interface SectionEntry {
  readonly text: string
  /** The messages (seq) that an entry was written from in this pass; absent for one that stood there before. */
  readonly from?: readonly number[]
}

/** A section as the writer gets it and gives it back: entries in their order, the oldest first. */
export interface NotesPart {
  readonly kind: NotesKind
  readonly entries: readonly SectionEntry[]
}

export interface NotesBounds {
  readonly sectionTokens: number
  /** Of all entries together. */
  readonly maxTokens: number
  readonly count: (text: string) => number
}

/** Writes notes without a language model. Pure: the same input, the same output. */
export interface NotesWriter {
  /**
   * The sections once the messages are taken in: the same, in the same order. What a person or a model wrote is kept as it stands;
   * of the writer's own entries those that are worth most are kept. Over the same messages again it changes nothing.
   */
  notes(parts: readonly NotesPart[], messages: readonly NotedMessage[], bounds: NotesBounds): NotesPart[]
}
