import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'

/** The place, date and versions of a bench run. No paths and no host names. */
export interface Setting {
  readonly date: string
  readonly varve: string
  readonly node: string
  readonly sqlite: string
  readonly system: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGib: number
}

const root = join(import.meta.dirname, '..', '..')

export function setting(): Setting {
  const [cpu] = cpus()
  return {
    date: new Date().toISOString(),
    varve: versionOf('packages/varve/package.json'),
    node: process.versions.node,
    sqlite: `better-sqlite3 ${versionOf('node_modules/better-sqlite3/package.json')}`,
    system: `${platform()} ${arch()}`,
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
  }
}

/** Describes the setting of the figures in one line. */
export function settingLine({ date, varve, node, cpu, cores, memoryGib, system }: Setting): string {
  return `varve ${varve}, node ${node}, ${system}, ${cores} × ${cpu}, ${memoryGib} GiB, ${date}`
}

/** Writes bench/results/<bench>.json, over an earlier run's. */
export function writeResults(bench: string, results: object): void {
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${bench}.json`), `${JSON.stringify({ bench, ...results }, null, 2)}\n`)
  console.log(`\nwritten: bench/results/${bench}.json`)
}

function versionOf(manifest: string): string {
  const { version } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { version?: unknown }
  return String(version)
}
