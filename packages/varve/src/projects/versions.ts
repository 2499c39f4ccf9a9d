import type { PartitionId } from '../scope/partition.ts'
import { projectSettings, sharesByDefault } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { stateVersion, type Versioned } from '../storage/versions.ts'

type Settings = Readonly<Record<string, unknown>>

/** Adds the version of a project's settings to them. */
export function* withVersion(settings: Program<Settings>): Program<Settings & Versioned> {
  const found = yield* settings
  return { ...found, version: stateVersion([found]) }
}

/** Reads the settings that were set for a project, with their version. */
export function settingsRead(project: string): Program<Settings & Versioned> {
  return withVersion(projectSettings(project))
}

export function* settingsVersion(project: string): Program<string> {
  return (yield* settingsRead(project)).version
}

/** Reads a user's settings, with their version. */
export function* userSettings(partition: PartitionId): Program<{ readonly share: boolean } & Versioned> {
  const share = yield* sharesByDefault(partition)
  return { share, version: stateVersion([share]) }
}

export function* shareVersion(partition: PartitionId): Program<string> {
  return (yield* userSettings(partition)).version
}
