import type { PartitionMeans } from '../operations/means.ts'
import { projectOperations } from '../operations/project.ts'
import { Blocks } from './blocks.ts'
import type { Calls } from './calls/calls.ts'
import { streamed } from './calls/streamed.ts'
import { Documents } from './documents.ts'
import { ProjectBank } from './handles/bank.ts'
import { Imports } from './handles/transfer.ts'
import { type ProjectExportOptions, ProjectMethods, ProjectSettingsHandle } from './handles/project.ts'

/** The memory and the settings of a whole project. */
export class ProjectMemory extends ProjectMethods {
  /** Imports that wait to be accepted. */
  readonly imports: Imports
  readonly settings: ProjectSettingsHandle
  /** Working memory that all members read, and only this handle writes. */
  readonly blocks: Blocks
  /** Markdown pages that all members read, and only this handle writes. */
  readonly documents: Documents
  /** The shared bank. */
  readonly bank: ProjectBank

  /** @internal */
  constructor(calls: Calls<PartitionMeans>) {
    super(calls)
    this.imports = new Imports(calls)
    this.settings = new ProjectSettingsHandle(calls)
    this.blocks = new Blocks(calls)
    this.documents = new Documents(calls)
    this.bank = new ProjectBank(calls)
  }

  /**
   * Writes what the project's members share, and its settings, as JSON lines: no member's own memory. Otherwise it is
   * as a user's.
   *
   * @throws {VarveError} EXPORT_INTERRUPTED: throw the lines away and export again
   */
  export(options: ProjectExportOptions = {}): AsyncIterable<string> {
    return streamed(this.calls, projectOperations.export, options)
  }
}
