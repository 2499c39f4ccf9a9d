import { estimateTokenCount } from 'tokenx'
import { templatePage } from './template-page.ts'
import { type NotesHeading, usualTemplate } from './template.ts'

/** When the notes of a session are brought up to date, and how long they may be. */
export interface NotesSettings {
  /** Tokens of the conversation at which its notes are begun. */
  readonly firstTokens: number
  /** Tokens by which it has to have grown since the last update. */
  readonly growthTokens: number
  /** Tool calls since then that make an update due without a pause in the talk. */
  readonly toolCalls: number
  readonly sectionTokens: number
  /** Of the whole page. */
  readonly maxTokens: number
  readonly template: readonly NotesHeading[]
}

/** Settings as a project gives them. */
export type GivenNotesSettings = { readonly [Name in keyof NotesSettings]?: NotesSettings[Name] | undefined }

/** The page has to hold this many times what its headings and their guidance take. */
const roomForContent = 2

/** Settings with the usual ones where none are given: the numbers of the systems before this one. */
export function notesSettings({
  firstTokens = 10_000,
  growthTokens = 5_000,
  toolCalls = 3,
  sectionTokens = 2_000,
  maxTokens = 12_000,
  template = usualTemplate,
}: GivenNotesSettings = {}): NotesSettings {
  return { firstTokens, growthTokens, toolCalls, sectionTokens, maxTokens, template: template.map(inSingleBlanks) }
}

/** The settings of a project as they are stored. The operation that set them has checked them. */
export function storedNotesSettings(stored: unknown): NotesSettings {
  return notesSettings(Object(stored))
}

/** The least `maxTokens` of a template. */
export function leastNotesTokens({ template }: Pick<NotesSettings, 'template'>): number {
  return roomForContent * estimateTokenCount(templatePage({ template }))
}

function inSingleBlanks({ heading, guidance }: NotesHeading): NotesHeading {
  const single = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
  return { heading: single(heading), guidance: single(guidance) }
}
