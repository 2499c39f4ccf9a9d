import type { NotesSettings } from '../notes/settings.ts'
import type { LayerOptions } from '../storage/layers.ts'

/** A project's settings. */
export interface ProjectSettings {
  /** IANA zone for days and sittings. Default UTC. Entries that are there keep their days: `bank.rebuild()` makes them anew. */
  readonly timeZone?: string
  /** What is derived from messages. Default: what the memory was opened with. */
  readonly layers?: LayerOptions
  /**
   * The most of one local day: requests to language models, and their tokens. What would pass it is written by the
   * extractive writer, and again another day.
   */
  readonly ceiling?: { readonly calls?: number; readonly tokens?: number }
  /** Tokens of a rendered bank, 200 to 10,000. Default 2,000. */
  readonly bank?: { readonly maxTokens?: number }
  /**
   * Predicates that have one object at a time (`single`) or several (`multi`), beside those that are known, or
   * against what is known of them.
   */
  readonly predicates?: Readonly<Record<string, 'single' | 'multi'>>
  /** When notes of sessions are brought up to date, how long they may be, and what their sections are. What is left out is as usual. */
  readonly notes?: Partial<NotesSettings>
}
