// Written from operations/transfer.ts by `npm run api`. Do not edit.
import type { CallOptions } from '../../operations/call-options.ts'
import type { Calls } from '../calls/calls.ts'
import type { ImportCounts } from '../../transfer/import-counts.ts'
import type { ImportedText, WaitingImport } from '../../transfer/imported.ts'
import type { ListOptions, Listing } from '../../operations/list.ts'
import type { PartitionMeans } from '../../operations/means.ts'
import type { Receipt } from '../../storage/erase/receipts.ts'
import { importsOperations } from '../../operations/transfer.ts'

/** Options of `imports.accept`. */
export interface ImportsAcceptOptions extends CallOptions {
  /** Stores again what was forgotten or deleted by hand here, and messages that were forgotten where the export was made. */
  readonly restoreForgotten?: boolean | undefined
}

/** Imports that wait to be accepted. Nothing of them is found or shown to a model. */
export class Imports {
  /** @internal */
  protected readonly calls: Calls<PartitionMeans>

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    this.calls = calls
  }

  /**
   * Lists imports that are not done, with their state, the newest first: those that wait to be accepted, and those that
   * were stopped. A page has at most 100 items by default.
   */
  list(options: CallOptions & ListOptions = {}): Listing<WaitingImport> {
    return this.calls.list(importsOperations.list, {}, options)
  }

  /**
   * Shows an import that is not done: where it says it is from, what is in it, and its first texts. They are somebody’s
   * words.
   *
   * @param id The id of the import.
   * @throws {VarveError} NOT_FOUND
   */
  get(id: string, options: CallOptions = {}): Promise<WaitingImport & { texts: readonly ImportedText[] }> {
    return this.calls.call(importsOperations.get, { id }, options)
  }

  /**
   * Applies an import that waits, or goes on with one that was stopped. Its sessions share nothing until somebody says
   * so here.
   *
   * @param id The id of the import.
   * @throws {VarveError} NOT_FOUND
   */
  accept(id: string, options: ImportsAcceptOptions = {}): Promise<ImportCounts> {
    return this.calls.call(importsOperations.accept, { id }, options)
  }

  /**
   * Throws an import away with its lines: one that waits, or one that was stopped. What was applied of it stays.
   *
   * @param id The id of the import.
   * @throws {VarveError} NOT_FOUND
   */
  discard(id: string, options: CallOptions = {}): Promise<Receipt> {
    return this.calls.call(importsOperations.discard, { id }, options)
  }
}
