import type { NotesSettings } from '../notes/settings.ts'
import type { Listing, ListOptions } from '../operations/list.ts'
import type { PartitionMeans } from '../operations/means.ts'
import type { CallOptions } from '../operations/call-options.ts'
import { projectOperations, projectSettingsOperations } from '../operations/project.ts'
import { ProjectBank } from './bank.ts'
import { Blocks } from './blocks.ts'
import type { Calls } from './calls/calls.ts'
import type { LayerOptions } from './configuration.ts'
import { Documents } from './documents.ts'

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

/** What belongs to a project as a whole. */
export class ProjectMemory {
  readonly settings: {
    get(options?: CallOptions): Promise<ProjectSettings>
    /** Merges; `null` takes a setting back to its default. */
    set(
      changes: { readonly [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null },
      options?: CallOptions,
    ): Promise<ProjectSettings>
  }
  /** Working memory that all members read, and only this handle writes. */
  readonly blocks: Blocks
  /** Markdown pages that all members read, and only this handle writes. */
  readonly documents: Documents
  /** The shared bank. */
  readonly bank: ProjectBank
  readonly #calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.#calls = calls
    this.blocks = new Blocks(calls)
    this.documents = new Documents(calls)
    this.bank = new ProjectBank(calls)
    this.settings = {
      get: (options = {}) => calls.call(projectSettingsOperations.get, {}, options),
      set: (settings, options = {}) => calls.call(projectSettingsOperations.set, { settings }, options),
    }
  }

  /** Names of the users who have a partition here, in order. */
  users(options: CallOptions & ListOptions = {}): Listing<string> {
    return this.#calls.list(projectOperations.users, {}, options)
  }
}
