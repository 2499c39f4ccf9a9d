import type { NotesSettings } from '../notes/settings.ts'
import type { LayerOptions } from '../storage/layers.ts'
import type { ReadingsBounds } from '../storage/readings-bounds.ts'

/** A project's settings. */
export interface ProjectSettings {
  /**
   * IANA zone for days and sittings, and for the times that a question names. Default UTC. Existing entries keep their
   * days; `bank.rebuild()` makes them anew.
   */
  readonly timeZone?: string
  /**
   * The half of the earth whose seasons a question or a message means: "last summer" was June to August in the north, and
   * December to February in the south. Default north. Facts that were read before keep their times.
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
   * tokens that one member's lines may take when there are others; default a third, 1 for no bound. `overBudget`: digests
   * are made when the bank would take so many times its tokens, 1 to 4; default 1.25. The ages: days after which an
   * ended day, week, month or year is shown as one entry while there is room, 0 to 3,650, none below the one before;
   * default 1, 7, 30 and 365.
   */
  readonly bank?: {
    readonly maxTokens?: number
    readonly memberShare?: number
    readonly overBudget?: number
    readonly dayAgeDays?: number
    readonly weekAgeDays?: number
    readonly monthAgeDays?: number
    readonly yearAgeDays?: number
  }
  /**
   * When sessions are read. `settleMinutes`: after so long without a new message, 1 to 1,440; default 10. `newMessages`:
   * or after so many new ones, 2 to 1,000; default 20. `partMessages`: the most messages that are read at once, 2 to 200;
   * default 40. Parts that are written stay as they are.
   */
  readonly reading?: { readonly settleMinutes?: number; readonly newMessages?: number; readonly partMessages?: number }
  /**
   * Lets the host's own model read what is due, by `readings.next` and `readings.done`. `perSession`: the most readings of
   * one session in a local day, 1 to 1,000; default 10. `perDay`: the most of one user's memory, 1 to 10,000; default 30.
   * `{}` takes both defaults. Off while it is not set.
   */
  readonly readings?: Partial<ReadingsBounds>
  /**
   * The most that agents note of their own in one partition. `facts`: that stand, 1 to 10,000; default 500.
   * `instructions`: that stand, 1 to 200; default 20. `documents`: an agent makes no further one
   * when there are so many, whoever made them, 1 to 10,000; default 5,000. What a person says is never refused.
   */
  readonly agents?: { readonly facts?: number; readonly instructions?: number; readonly documents?: number }
  /** Predicates that have one object at a time (`single`) or several (`multi`). They add to the built-in list, or overrule it. */
  readonly predicates?: Readonly<Record<string, 'single' | 'multi'>>
  /** The rules of notes: when they are updated, their length, and their sections. A rule that is left out keeps its default. */
  readonly notes?: Partial<NotesSettings>
}
