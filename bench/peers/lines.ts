import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Quality } from '../talk/quality.ts'
import type { Killed } from './kill.ts'
import type { Listed } from './list.ts'
import type { Measured } from './measure.ts'
import { field } from './read.ts'

/** The figures of one system, as the results have them. */
export interface Line extends Omit<Measured, 'asked' | 'diskBytes'> {
  readonly name: string
  readonly label: string
  readonly finds: string
  readonly versions: Readonly<Record<string, string>>
  readonly date: string
  readonly quality: Quality
  /** Over the last five conversations alone: Varve's ranking was tuned on the first five. */
  readonly reportingHalf: Quality
  /** Undefined for a system that keeps nothing on disk. */
  readonly bytesPerMessage?: number
  readonly kills: Killed | Listed['kills'] | 'not tried'
}

const resultsFile = join(import.meta.dirname, '..', 'results', 'peers.json')

/** Returns the lines of earlier runs in bench/results/peers.json. */
export function earlierLines(): Line[] {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(resultsFile, 'utf8'))
  } catch (error) {
    if (field(error, 'code') === 'ENOENT') return []
    throw error
  }
  const lines = field(read, 'lines')
  return Array.isArray(lines) ? lines.filter(isLine) : []
}

/** Checks a line roughly: only this bench writes the file. */
function isLine(value: unknown): value is Line {
  return (
    ['name', 'date'].every((name) => typeof field(value, name) === 'string') &&
    ['quality', 'reportingHalf', 'append', 'recall', 'resident'].every((name) => typeof field(value, name) === 'object')
  )
}

/** Returns the versions of a system's installed packages; Varve's is the repository's. */
export function versionsOf({ name, packages }: Listed): Record<string, string> {
  const root = join(import.meta.dirname, '..', '..')
  const own = name.startsWith('varve') ? [['varve', join(root, 'packages', 'varve')] as const] : []
  const installed = packages.map((name) => [name, join(import.meta.dirname, 'node_modules', name)] as const)
  return Object.fromEntries(
    [...own, ...installed].map(([name, folder]) => {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return [name, String(field(manifest, 'version'))]
    }),
  )
}
