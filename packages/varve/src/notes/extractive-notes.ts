import type { NotedMessage, NotesKind, NotesPart, NotesWriter } from '../models/notes-writer.ts'
import { fitPage, type NotesCut } from './caps.ts'
import { bodyOf, entriesOf } from './entries.ts'
import { kindOf } from './kinds.ts'
import { conformed, type NotesSection, writePage } from './page.ts'
import type { NotesSettings } from './settings.ts'

/** A line that an update has written, and the messages (seq) that it rests upon. */
export interface NotedLine {
  readonly text: string
  readonly from: readonly number[]
}

export interface UpdatedNotes {
  readonly content: string
  readonly lines: readonly NotedLine[]
  readonly cut: readonly NotesCut[]
}

/**
 * Takes messages into a page of notes, without a language model. The page may be a person's or a model's: its lines are
 * kept, within the caps. An empty one begins as the template. Over the same messages again it changes nothing.
 *
 * @example extractiveNotes(extractiveNotesWriter, '', messages, notesSettings(), estimateTokenCount).content
 */
export function extractiveNotes(
  writer: NotesWriter,
  previous: string,
  messages: readonly NotedMessage[],
  settings: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>,
  count: (text: string) => number,
): UpdatedNotes {
  const page = conformed(previous, settings.template)
  const kinds = kindsOf(page.sections)
  const parts = page.sections.flatMap(({ heading, body }): NotesPart[] => partOf(kinds.get(heading), body))
  const empty = { ...page, sections: page.sections.map((section) => (kinds.has(section.heading) ? { ...section, body: '' } : section)) }
  const maxTokens = settings.maxTokens - count(writePage(empty)) - 2 * parts.length
  const written = new Map(
    writer.notes(parts, messages, { sectionTokens: settings.sectionTokens, maxTokens, count }).map((part) => [part.kind, part.entries]),
  )
  const sections = page.sections.map((section): NotesSection => {
    const kind = kinds.get(section.heading)
    const entries = kind === undefined ? undefined : written.get(kind)
    return entries === undefined ? section : { ...section, body: bodyOf(entries.map(({ text }) => text)) }
  })
  const fitted = fitPage(writePage({ ...page, sections }), { ...page, sections }, settings.maxTokens, count, settings.sectionTokens)
  const kept = new Set(fitted.content.split('\n'))
  const lines = [...written.values()].flat().flatMap(({ text, from }) => (from === undefined || !kept.has(text) ? [] : { text, from }))
  return { ...fitted, lines }
}

function partOf(kind: NotesKind | undefined, body: string): NotesPart[] {
  return kind === undefined ? [] : [{ kind, entries: entriesOf(body).map((text) => ({ text })) }]
}

/** Finds the kind of each section, one section a kind. When no heading tells a kind of content, the last section takes all. */
function kindsOf(sections: readonly NotesSection[]): ReadonlyMap<string, NotesKind> {
  const found = new Map<string, NotesKind>()
  for (const { heading } of sections) {
    const kind = kindOf(heading)
    if (kind !== undefined && ![...found.values()].includes(kind)) found.set(heading, kind)
  }
  const last = sections.at(-1)
  if (last !== undefined && ![...found.values()].some((kind) => kind !== 'title' && kind !== 'worklog' && kind !== 'state'))
    found.set(last.heading, 'decisions')
  return found
}
