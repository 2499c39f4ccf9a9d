import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Quality } from '../locomo/quality.ts'
import type { Killed } from './kill.ts'
import type { Listed } from './list.ts'
import type { Measured } from './measure.ts'
import { field } from './read.ts'

/** What was found of one system, as it stands in the results. */
export interface Line extends Omit<Measured, 'asked' | 'diskBytes'> {
  readonly name: string
  readonly label: string
  readonly finds: string
  readonly versions: Readonly<Record<string, string>>
  readonly date: string
  readonly quality: Quality
  /** Over the five last conversations alone: Varve's ranking was worked on with the five first. */
  readonly reportingHalf: Quality
  /** Undefined for what keeps nothing on disk. */
  readonly bytesPerMessage?: number
  readonly kills: Killed | Listed['kills'] | 'not tried'
}

const resultsFile = join(import.meta.dirname, '..', 'results', 'peers.json')

/** What earlier runs left in bench/results/peers.json. */
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

/** Good enough for a file that only this bench writes. */
function isLine(value: unknown): value is Line {
  return (
    ['name', 'date'].every((name) => typeof field(value, name) === 'string') &&
    ['quality', 'reportingHalf', 'append', 'recall', 'resident'].every((name) => typeof field(value, name) === 'object')
  )
}

/** Versions of the installed packages of a system; Varve's is the repository's. */
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
