import type { NotedMessage, NotesKind, NotesPart, NotesWriter } from '../models/notes-writer.ts'
import { fitPage, type NotesCut } from './caps.ts'
import { bodyOf, entriesOf } from './entries.ts'
import { kindOf } from './kinds.ts'
import { conformed, type NotesSection, writePage } from './page.ts'
import type { NotesSettings } from './settings.ts'
import { sectionHead } from './template-page.ts'

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
 * kept, within the caps. Over the same messages again it changes nothing. With `talkTokens` the page is as short as the
 * talk asks for: without empty sections of the template, and without guidance.
 *
 * @example extractiveNotes(extractiveNotesWriter, '', messages, notesSettings(), estimateTokenCount).content
 */
export function extractiveNotes(
  writer: NotesWriter,
  previous: string,
  messages: readonly NotedMessage[],
  settings: Pick<NotesSettings, 'template' | 'sectionTokens' | 'maxTokens'>,
  count: (text: string) => number,
  talkTokens?: number,
): UpdatedNotes {
  const page = conformed(previous, settings.template)
  const kinds = kindsOf(page.sections)
  const parts = page.sections.flatMap(({ heading, body }): NotesPart[] => partOf(kinds.get(heading), body))
  const empty = { ...page, sections: page.sections.map((section) => (kinds.has(section.heading) ? { ...section, body: '' } : section)) }
  const maxTokens = settings.maxTokens - count(writePage(empty)) - 2 * parts.length
  const written = new Map(
    writer
      .notes(parts, messages, {
        sectionTokens: settings.sectionTokens,
        maxTokens,
        count,
        ...(talkTokens === undefined ? {} : { talkTokens }),
      })
      .map((part) => [part.kind, part.entries]),
  )
  const sections = page.sections.map((section): NotesSection => {
    const kind = kinds.get(section.heading)
    const entries = kind === undefined ? undefined : written.get(kind)
    return entries === undefined ? section : { ...section, body: bodyOf(entries.map(({ text }) => text)) }
  })
  const lean = {
    ...page,
    sections: talkTokens === undefined ? sections : sections.flatMap((one) => withoutGuidance(one, settings.template)),
  }
  const fitted = fitPage(writePage(lean), lean, settings.maxTokens, count, settings.sectionTokens)
  const kept = new Set(fitted.content.split('\n'))
  const lines = [...written.values()].flat().flatMap(({ text, from }) => (from === undefined || !kept.has(text) ? [] : { text, from }))
  return { ...fitted, lines }
}

/** Leaves out a section of the template that says nothing, and the guidance of one that does. */
function withoutGuidance(section: NotesSection, template: NotesSettings['template']): NotesSection[] {
  if (!template.some(({ heading }) => heading === section.heading)) return [section]
  return section.body === '' ? [] : [{ ...section, head: sectionHead({ heading: section.heading, guidance: '' }) }]
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
