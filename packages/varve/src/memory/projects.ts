import type { CallOptions } from '../operations/call-options.ts'
import type { StoreMeans } from '../operations/means.ts'
import { projectsOperations } from '../operations/store.ts'
import type { Calls } from './calls/calls.ts'
import { ProjectsMethods } from './handles/store.ts'
import type { ProjectMemory } from './project-memory.ts'

/** The projects of a store. */
export class Projects extends ProjectsMethods {
  readonly #handleOf: (name: string) => ProjectMemory

  /** @internal */
  constructor(calls: Calls<StoreMeans>, handleOf: (name: string) => ProjectMemory) {
    super(calls)
    this.#handleOf = handleOf
  }

  /** Makes a project. One that is there stays as it is. Gives back its handle. */
  async create(name: string, options: CallOptions = {}): Promise<ProjectMemory> {
    return this.#handleOf(await this.calls.call(projectsOperations.create, { name }, options))
  }
}
