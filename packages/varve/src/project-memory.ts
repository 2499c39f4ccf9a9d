import { InvalidOption } from './errors/invalid-option.ts'
import { shown } from './scope/name.ts'
import type { ProjectName } from './scope/partition.ts'
import type { Ground } from './ground.ts'

/** A project's settings. */
export interface ProjectSettings {
  /** IANA zone for days and sittings. Default UTC. */
  readonly timeZone?: string
}

/** What belongs to a project as a whole. */
export class ProjectMemory {
  readonly settings: {
    get(): Promise<ProjectSettings>
    /** Merges; `null` takes a setting back to its default. */
    set(changes: { readonly [Name in keyof ProjectSettings]?: ProjectSettings[Name] | null }): Promise<ProjectSettings>
  }
  readonly #ground: Ground
  readonly #name: ProjectName

  constructor(ground: Ground, name: ProjectName) {
    this.#ground = ground
    this.#name = name
    const { engine, clock } = ground
    this.settings = {
      get: () => engine.read.projectSettings(name),
      set: async (changes) => engine.write.setProjectSettings(name, checkedSettings(changes), clock.now()),
    }
  }

  /** Names of the users who have a partition here, in order. */
  users(): Promise<readonly string[]> {
    return this.#ground.engine.read.users(this.#name)
  }
}

function checkedSettings(changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const [name, value] of Object.entries(changes)) {
    if (name !== 'timeZone') throw new InvalidOption({ option: `settings.${name}`, received: shown(value), expected: 'absent: known settings are timeZone' })
    if (value !== null && !isTimeZone(value)) throw new InvalidOption({ option: 'settings.timeZone', received: shown(value), expected: 'an IANA time zone such as Europe/Berlin' })
  }
  return changes
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
