// Written from operations/store.ts by `npm run api`. Do not edit.
import type { Backup } from '../../operations/made-backup.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { Costs } from '../../upkeep/costs.ts'
import type { Diagnosis } from '../../storage/check.ts'
import type { LedgerEntry } from '../../storage/log/ledger.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { ProjectRow } from '../../storage/partitions.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import type { StoreMeans } from '../../operations/means.ts'
import type { Time } from '../../messages/time.ts'
import type { UpkeepResult } from '../../upkeep/upkeep-result.ts'
import type { UpkeepRun } from '../../storage/log/runs.ts'
import type { UpkeepStatus } from '../../upkeep/upkeep-status.ts'
import { projectsOperations, upkeepOperations, memoryOperations } from '../../operations/store.ts'

/** Options of `upkeep.run`. */
export interface UpkeepOptions extends CallOptions {
  /** Only this project. Default: all. */
  readonly project?: string | undefined
  /** Only this user. */
  readonly user?: string | undefined
  /** Only this session of that user. */
  readonly session?: string | undefined
  /** Begins no new work after this long. Default 60. From 0 to 86,400. */
  readonly maxSeconds?: number | undefined
  /** The kinds of work. Default: all. */
  readonly kinds?: readonly ('erasures' | 'embeddings' | 'layers')[] | undefined
  /** Begins no new work after so many requests to a language model. */
  readonly maxCalls?: number | undefined
  /** Also reads sessions that may go on. Default false. */
  readonly all?: boolean | undefined
}

/** Options of `upkeep.runs`. */
export interface UpkeepRunsOptions extends CallOptions, ListOptions {
  /** Only this project. Default: all. */
  readonly project?: string | undefined
  /** Begun at this time or later. */
  readonly from?: Time | undefined
  /** Begun at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
}

/** Options of `ledger`. */
export interface LedgerOptions extends CallOptions, ListOptions {
  /** Only this project. Default: all. */
  readonly project?: string | undefined
  /** Begun at this time or later. */
  readonly from?: Time | undefined
  /** Begun at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
}

/** Options of `costs`. */
export interface CostsOptions extends CallOptions {
  /** Only this project. Default: all. */
  readonly project?: string | undefined
  /** Begun at this time or later. */
  readonly from?: Time | undefined
  /** Begun at this time or earlier; a bare day means its end. */
  readonly to?: Time | undefined
  /** How to divide it: project, model, day, layer. Default layer. */
  readonly by?: readonly ('project' | 'model' | 'day' | 'layer')[] | undefined
}

/** Options of `backup`. */
export interface BackupOptions extends CallOptions {
  /** Puts it in the place of a file that is there. Default false. */
  readonly overwrite?: boolean | undefined
}

/** The projects of a store. */
export class ProjectsMethods {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /** Lists the projects of the store by name. A page has at most 1,000 items by default. */
  list(options: CallOptions & ListOptions = {}): Listing<ProjectRow> {
    return this.calls.list(projectsOperations.list, {}, options)
  }

  /**
   * Forgets everything of a project, for all of its users.
   *
   * @param name The name of the project.
   * @throws {VarveError} NOT_FOUND
   */
  delete(name: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(projectsOperations.delete, { name }, options)
  }
}

/** Work that is done after a write: vectors, layers, erasures. */
export class UpkeepHandle {
  /** @internal */
  protected readonly calls: Calls<StoreMeans>

  /** @internal */
  constructor(calls: Calls<StoreMeans>) {
    this.calls = calls
  }

  /** Does the work that is due now: of everything, of a project, of a user, or of one session. */
  run(options: UpkeepOptions = {}): Promise<UpkeepResult> {
    return this.calls.call(upkeepOperations.run, {}, options)
  }

  /**
   * Lists the runs of upkeep that did something, the last that ended first: the work by kind, why work failed, requests
   * and tokens. The newest 10,000 rows of the last 90 days are kept. A page has at most 100 items by default.
   */
  runs(options: UpkeepRunsOptions = {}): Listing<UpkeepRun> {
    return this.calls.list(upkeepOperations.runs, {}, options)
  }

  /** Tells the backlog by kind, the oldest due work, failures, models and costs. */
  status(options: CallOptions = {}): Promise<UpkeepStatus> {
    return this.calls.call(upkeepOperations.status, {}, options)
  }
}

/** The store as a whole. */
export abstract class MemoryMethods {
  /** @internal */
  protected abstract readonly calls: Calls<StoreMeans>

  /**
   * Lists requests to language models, the newest first; of one project or of all. A page has at most 1,000 items by
   * default.
   */
  ledger(options: LedgerOptions = {}): Listing<LedgerEntry> {
    return this.calls.list(memoryOperations.ledger, {}, options)
  }

  /**
   * Adds up the requests to language models: a bill, divided by project, model, local day of the project, or layer. A
   * request for several layers is divided among them, so that the parts add up to the total, and the total to the
   * ledger.
   */
  costs(options: CostsOptions = {}): Promise<Costs> {
    return this.calls.call(memoryOperations.costs, {}, options)
  }

  /**
   * Copies the store into one file while others read and write, and verifies the copy: every page, its schema, and the
   * rows of each table. It has no words that were erased before. Until it is whole there is no file. With `signal` it
   * can be stopped, and leaves nothing. Events of the type `backing-up` tell how far it is.
   *
   * @param path The file to make. Its folder is made where it is missing, for the owner alone.
   * @throws {VarveError} DISK_FULL, STORE_DAMAGED, STORE_FAILED
   * @example await memory.backup('/backups/varve.db', { overwrite: true })
   */
  backup(path: string, options: BackupOptions = {}): Promise<Backup> {
    return this.calls.call(memoryOperations.backup, { path }, options)
  }

  /** Checks the store, the engine and the embedding model. Reads only. */
  doctor(options: CallOptions = {}): Promise<Diagnosis> {
    return this.calls.call(memoryOperations.doctor, {}, options)
  }
}
