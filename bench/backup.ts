// How long a backup takes, and what it costs the appends and the event loop beside it.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openMemory } from '../packages/varve/src/index.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { below, seeded } from './shared/random.ts'
import { setting, settingLine } from './shared/results.ts'
import { figure, table } from './shared/table.ts'

const about = `How long a backup of a store of --messages made-up messages takes, with appends of one message beside it, one after the
other, and without. CPU is of the whole process, with its threads. The slowest append and the longest turn of the event loop are
told beside those of as long a time without a backup.`

const options = readArguments('backup', about, {
  messages: { value: 'n', text: 'Messages of the store.', default: '100000' },
  rounds: { value: 'n', text: 'Backups.', default: '3' },
})
const messages = wholeNumber('messages', options.messages, 1, 10_000_000)
const rounds = wholeNumber('rounds', options.rounds, 1, 1_000)

const words = 'ferry kiosk harbour bakery smithy walnut lantern captain winter morning leaves opens carries counts repairs'.split(' ')
const random = seeded(7)
const said = (): string => Array.from({ length: 8 + below(random, 50) }, () => words[below(random, words.length)]).join(' ')

const folder = mkdtempSync(join(tmpdir(), 'varve-bench-backup-'))
const store = join(folder, 'store.db')
const calibrationMs = calibrate()
const memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false, isolation: 'silent' })
const ada = memory.for('ada')
for (let at = 0; at < messages; at += 200) {
  const some = Math.min(200, messages - at)
  await ada.append(
    `session ${at}`,
    Array.from({ length: some }, () => ({ role: 'user' as const, content: said() })),
  )
}

interface Beside {
  readonly appends: number
  readonly slowestMs: number
  readonly loopMs: number
  readonly cpuSeconds: number
  readonly seconds: number
}

/** Appends one message after the other until something is done, and measures both. */
async function beside(what: Promise<unknown>): Promise<Beside> {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const [begin, cpu] = [performance.now(), process.cpuUsage()]
  const end = new AbortController()
  const done = what.finally(() => end.abort())
  let [appends, slowestMs] = [0, 0]
  while (!end.signal.aborted) {
    const from = performance.now()
    await ada.append('beside', { role: 'user', content: said() })
    slowestMs = Math.max(slowestMs, performance.now() - from)
    appends += 1
  }
  await done
  const { user, system } = process.cpuUsage(cpu)
  loop.disable()
  return {
    ...{ appends, slowestMs, loopMs: loop.max / 1e6 - 1 },
    ...{ cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - begin) / 1_000 },
  }
}

const rows: string[][] = []
const row = (name: string, { seconds, cpuSeconds, appends, slowestMs, loopMs }: Beside): void => {
  rows.push([name, figure(seconds), figure(cpuSeconds), String(appends), figure(slowestMs), figure(Math.max(0, loopMs))])
}

for (let round = 1; round <= rounds; round += 1) {
  const file = join(folder, `backup-${round}.db`)
  const [begin, cpu] = [performance.now(), process.cpuUsage()]
  await memory.backup(file)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - begin) / 1_000
  row(`backup ${round}, nothing beside it`, { seconds, cpuSeconds: (user + system) / 1e6, appends: 0, slowestMs: 0, loopMs: 0 })
  const with_ = await beside(memory.backup(join(folder, `beside-${round}.db`)))
  row(`backup ${round}, appends beside it`, with_)
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, with_.seconds * 1_000)
  row('appends alone, for as long', await beside(promise))
}
console.log(settingLine(setting()))
console.log(`${messages} messages, a store of ${figure(statSync(store).size / 1024 ** 2)} MiB`)
console.log(`a fixed piece of work took ${figure(calibrationMs)} CPU-ms before`)
console.log(table(['', 'seconds', 'CPU-s', 'appends', 'slowest append, ms', 'event loop, ms'], rows))
await memory.close()
rmSync(folder, { recursive: true, force: true })
