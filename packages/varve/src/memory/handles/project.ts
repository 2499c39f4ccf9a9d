// Written from operations/project.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Changes } from '../../storage/journal/changes.ts'
import type { ExportPieces } from '../../transfer/coming-lines.ts'
import type { Imported } from '../../transfer/imported.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { NotesSettings } from '../../notes/settings.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { ProjectSettings } from '../../operations/project-settings.ts'
import type { ReadingsBounds } from '../../storage/readings-bounds.ts'
import type { SharingReport } from '../../bank/sharing-report.ts'
import type { Versioned } from '../../storage/versions.ts'
import { projectOperations, projectSettingsOperations } from '../../operations/project.ts'

/** Options of `sharing`. */
export interface SharingReportOptions extends CallOptions {
  /** Only this member, with their entries; `~` is the anonymous user. */
  readonly member?: string | undefined
}

/** Options of `project.changes`. */
export interface ProjectChangesOptions extends CallOptions {
  /** The most changes. Default 100. From 1 to 1,000. */
  readonly limit?: number | undefined
  /** The `place` of the call before, or the `id` of a change. Default: now. */
  readonly after?: string | undefined
  /** Only this user’s memory; `~` is the anonymous user. */
  readonly user?: string | undefined
}

/** Options of `project.export`. */
export interface ProjectExportOptions extends CallOptions {
  /** A private Ed25519 key in PEM that signs the lines too: whoever has its public half can check them. */
  readonly signingKey?: string | undefined
}

/** Options of `project.import`. */
export interface ProjectImportOptions extends CallOptions {
  /** True applies the lines of a stranger at once; `changed` even lines that are not as they were signed. */
  readonly accept?: boolean | string | undefined
  /** Ed25519 keys in PEM whose signature is as good as this store’s. */
  readonly trust?: readonly string[] | undefined
  /** Stores again what was forgotten or deleted by hand here, and messages that were forgotten where the export was made. */
  readonly restoreForgotten?: boolean | undefined
}

/** Options of `project.settings.set`. */
export interface ProjectSettingsSetOptions extends CallOptions {
  /** Only if this `version` stands. Else the edit rejects with STALE_REVISION, and nothing changes. Default: any. */
  readonly expectedVersion?: string | undefined
}

/** A project as a whole. */
export class ProjectMethods {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists the names of the users who have a partition in the project, in order. A page has at most 1,000 items by
   * default.
   */
  users(options: CallOptions & ListOptions = {}): Listing<string> {
    return this.calls.list(projectOperations.users, {}, options)
  }

  /**
   * Tells in one place who shares with the project’s members: the notice, since when, what each member shares and keeps
   * out, and of one member the entries that rest on their words.
   */
  sharing(options: SharingReportOptions = {}): Promise<SharingReport> {
    return this.calls.call(projectOperations.sharing, {}, options)
  }

  /**
   * Tells what any process did to a project and its users’ memory after a place, in the order of storing. Without
   * `after` it tells none, and gives the place of now. `missed` is true when changes after the place are no longer
   * known: the newest 100,000 of the store are kept, for 30 days. It tells ids, never words. A place is of its store and
   * project; another is refused, or `missed`. Messages that were forgotten or replaced since are left out. A long
   * erasure is told when it begins and when it ends.
   *
   * @example const { place } = await acme.changes()
   */
  changes(options: ProjectChangesOptions = {}): Promise<Changes> {
    return this.calls.call(projectOperations.changes, {}, options)
  }

  /**
   * Takes the lines of a project’s export into what its members share. Otherwise it is as `import`. From a stranger it
   * takes blocks and documents only: nobody else can vouch for whose words a shared bank rests on, or for settings.
   *
   * @param lines The export: text or bytes, whole or in pieces.
   * @throws {VarveError} EXPORT_BROKEN, LIMIT_EXCEEDED, NOT_FOUND
   */
  import(lines: ExportPieces, options: ProjectImportOptions = {}): Promise<Imported> {
    return this.calls.call(projectOperations.import, { lines }, options)
  }
}

/** A project’s settings. */
export class ProjectSettingsHandle {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /** Reads the settings that were set for a project. */
  get(options: CallOptions = {}): Promise<ProjectSettings & Versioned> {
    return this.calls.call(projectSettingsOperations.get, {}, options)
  }

  /**
   * Merges changes into the settings of a project. `null` takes a setting back to its default.
   *
   * @param settings The settings to change, by name.
   * @throws {VarveError} STALE_REVISION
   */
  set(
    settings: {
      /** IANA zone for days and sittings, and for the times that a question names. Default UTC. */
      readonly timeZone?: string | null | undefined
      /** The half of the earth whose seasons a question or a message means, as in “last summer”. Default north. */
      readonly hemisphere?: 'north' | 'south' | null | undefined
      /** Layers that are made of messages. Default: as the memory was opened. */
      readonly layers?:
        | {
            readonly gists?: boolean | undefined
            readonly bank?: boolean | undefined
            readonly facts?: boolean | undefined
            readonly documents?: boolean | undefined
            readonly notes?: boolean | undefined
            readonly instructions?: boolean | undefined
          }
        | null
        | undefined
      /** The most requests to language models, and their tokens, of a local day. */
      readonly ceiling?: { readonly calls?: number | undefined; readonly tokens?: number | undefined } | null | undefined
      /**
       * Tokens of a rendered bank, default 2,000; and the part of the shared bank’s that one member may take when there are
       * others, default a third. Digests are made when the bank is `overBudget` times its tokens; an ended day, week, month
       * or year is shown as one entry at its age in days while there is room.
       */
      readonly bank?:
        | {
            readonly maxTokens?: number | undefined
            readonly memberShare?: number | undefined
            readonly overBudget?: number | undefined
            readonly dayAgeDays?: number | undefined
            readonly weekAgeDays?: number | undefined
            readonly monthAgeDays?: number | undefined
            readonly yearAgeDays?: number | undefined
          }
        | null
        | undefined
      /**
       * When a session is read: after so many minutes of silence, or so many new messages; and the most messages that are
       * read at once. It holds for later readings: parts that are written stay as they are.
       */
      readonly reading?:
        | {
            readonly settleMinutes?: number | undefined
            readonly newMessages?: number | undefined
            readonly partMessages?: number | undefined
          }
        | null
        | undefined
      /** How much the host’s own model reads in a local day (`readings.next`). Default: nothing. */
      readonly readings?: Partial<ReadingsBounds> | null | undefined
      /**
       * The most that agents note of their own in a user’s memory: facts and instructions that stand; and the number of
       * documents from which on they make no further one. What a person says is never counted, and never refused.
       */
      readonly agents?:
        | { readonly facts?: number | undefined; readonly instructions?: number | undefined; readonly documents?: number | undefined }
        | null
        | undefined
      /** Predicates with one object at a time (`single`) or several (`multi`). */
      readonly predicates?: Readonly<Record<string, 'single' | 'multi'>> | null | undefined
      /** Rules for updates of notes, their length and their sections. */
      readonly notes?: Partial<NotesSettings> | null | undefined
    },
    options: ProjectSettingsSetOptions = {},
  ): Promise<ProjectSettings & Versioned> {
    return this.calls.call(projectSettingsOperations.set, { settings }, options)
  }
}
