import type { NotesSettings } from '../notes/settings.ts'
import type { LayerOptions } from '../storage/layers.ts'

/** A project's settings. */
export interface ProjectSettings {
  /**
   * IANA zone for days and sittings, and for the times that a question names. Default UTC. Existing entries keep their
   * days; `bank.rebuild()` makes them anew.
   */
  readonly timeZone?: string
  /**
   * The half of the earth whose seasons a question means: "last summer" was June to August in the north, and December to
   * February in the south. Default north.
   */
  readonly hemisphere?: 'north' | 'south'
  /** The layers that are derived from messages. Default: the layers that the memory was opened with. */
  readonly layers?: LayerOptions
  /**
   * The most requests to language models, and the most tokens, in one local day. Beyond it the extractive writer writes,
   * and a model writes anew another day.
   */
  readonly ceiling?: { readonly calls?: number; readonly tokens?: number }
  /**
   * `maxTokens`: tokens of a rendered bank, 200 to 10,000; default 2,000. `memberShare`: the part of the shared bank's
   * tokens that one member's lines may take when there are others; default a third, 1 for no bound.
   */
  readonly bank?: { readonly maxTokens?: number; readonly memberShare?: number }
  /** Predicates that have one object at a time (`single`) or several (`multi`). They add to the built-in list, or overrule it. */
  readonly predicates?: Readonly<Record<string, 'single' | 'multi'>>
  /** The rules of notes: when they are updated, their length, and their sections. A rule that is left out keeps its default. */
  readonly notes?: Partial<NotesSettings>
}
