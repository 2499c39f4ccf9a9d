import { estimateTokenCount } from 'tokenx'
import { templatePage } from './template-page.ts'
import { type NotesHeading, usualTemplate } from './template.ts'

/** The rules of notes: when they are updated, and how long they may be. */
export interface NotesSettings {
  /** Tokens of the conversation at which its notes are begun. Default 10,000. */
  readonly firstTokens: number
  /** Tokens by which the conversation must grow after an update. Default 5,000. */
  readonly growthTokens: number
  /** Tool calls since the last update that make one due without a pause in the talk. Default 3. */
  readonly toolCalls: number
  /** Tokens of one section. Default 2,000. */
  readonly sectionTokens: number
  /** Tokens of the whole page. Default 12,000. */
  readonly maxTokens: number
  /** The sections, in their order. */
  readonly template: readonly NotesHeading[]
}

/** Settings as a project gives them. */
export type GivenNotesSettings = { readonly [Name in keyof NotesSettings]?: NotesSettings[Name] | undefined }

/** The page must hold this many times the tokens of its headings and their guidance. */
const roomForContent = 2

/** Completes settings with their defaults. */
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
