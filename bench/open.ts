// Measures opening a memory and running a short command: CPU time of the whole process, threads included.
//
// Usage: npm run bench:open -- [--rounds 9] [--sources]. Measures packages/varve/dist (npm run build), or src with
// --sources.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { openMemory as OpenMemoryOf } from '../packages/varve/src/memory/memory.ts'

type OpenMemory = typeof OpenMemoryOf

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' }, sources: { type: 'boolean', default: false } } })
const rounds = Number(values.rounds)
const home = join(import.meta.dirname, '..', 'packages', 'varve', values.sources ? 'src' : 'dist')
const extension = values.sources ? 'ts' : 'js'
const memoryModule = join(home, `index.${extension}`)
const command = join(home, 'cli', `main.${extension}`)
if (!existsSync(memoryModule)) throw new RangeError(`${memoryModule} is not there: run npm run build first`)

const { openMemory }: { openMemory: OpenMemory } = await import(memoryModule)
const folder = mkdtempSync(join(tmpdir(), 'varve-open-'))

/** Returns the CPU milliseconds of opening, one append, one recall and closing, in this process, once everything is loaded. */
async function opening(store: string, engine: 'threads' | 'inline'): Promise<number> {
  const before = process.cpuUsage()
  const memory = await openMemory({ store, engine, embeddingModel: false, upkeep: 'manual', isolation: 'silent' })
  const ada = memory.for('ada')
  await ada.append('monday', { role: 'user', content: 'The ferry to the island leaves at nine.' })
  const { hits } = await ada.recall('ferry')
  if (hits.length !== 1) throw new RangeError(`expected one hit, found ${hits.length}`)
  await memory.close()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Returns the CPU milliseconds of a whole process, from start to end. */
function commandCpu(args: readonly string[]): number {
  const child = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; time "$0" "$@" > /dev/null`, process.execPath, command, ...args], {
    env: { ...process.env, VARVE_EMBEDDINGS: 'off' },
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new RangeError(`varve ${args.join(' ')} ended with ${child.status}: ${child.stderr}`)
  const [user = 0, system = 0] = (child.stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return (user + system) * 1_000
}

function report(name: string, most: number, took: readonly number[]): void {
  const sorted = [...took].sort((one, other) => one - other)
  const shown = (at: number): string => (sorted[at] ?? 0).toFixed(0).padStart(6)
  const median = sorted[sorted.length >> 1] ?? 0
  console.log(
    `${name.padEnd(44)} ${shown(0)} ${shown(sorted.length >> 1)} ${shown(sorted.length - 1)}   <= ${most}  ` +
      `${median <= most ? 'met' : 'MISSED'}`,
  )
}

try {
  console.log(
    `CPU-ms over ${rounds} rounds, ${values.sources ? 'sources' : 'built'}, Node ${process.versions.node}          least median  most`,
  )
  const inMemory: number[] = []
  const onFile: number[] = []
  await opening('memory:', 'inline')
  for (let round = 0; round < rounds; round += 1) {
    inMemory.push(await opening('memory:', 'inline'))
    onFile.push(await opening(join(folder, `${round}.db`), 'threads'))
  }
  report('memory: open, append, recall, close (inline)', 30, inMemory)
  report('file: open, append, recall, close (threads)', 350, onFile)
  const store = join(folder, 'cli.db')
  commandCpu(['append', 'monday', 'The ferry to the island leaves at nine.', '--store', store])
  const times = (args: readonly string[]): number[] => Array.from({ length: rounds }, () => commandCpu([...args, '--store', store]))
  report('varve sessions', 150, times(['sessions']))
  report('varve recall, words alone', 250, times(['recall', 'ferry']))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
