import { join } from 'node:path'
import { importFile } from '../packages/varve/src/index.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { figure, table } from './shared/table.ts'
import { type Block, blocksOf } from './loop/blocks.ts'
import { type Delay, watched } from './loop/delay.ts'
import { writeExport } from './loop/export.ts'
import { spinning } from './loop/spin.ts'
import { type Done, openLoaded, workOn } from './loop/load.ts'

const about = `What is left of the host's event loop while Varve works: appends one at a time, recalls and an import, all three
without a pause, on a
store that has --n messages; and while it imports a ChatGPT export of --export MB. Delay is measured by monitorEventLoopDelay at 1 ms, which
is part of every figure, in the same process: idle; with two threads of ours that only spin, which shows what the machine's scheduler does;
and with Varve at work. Then single calls with large values: the longest that each held the loop up, the least of several rounds.`

const targetP99Ms = 5

const options = readArguments('loop', about, {
  seconds: { value: 'n', text: 'How long Varve works; the other two run for half of it.', default: '12' },
  n: { value: 'n', text: 'Messages in the store before.', default: '20000' },
  export: { value: 'MB', text: 'Size of the export.', default: '50' },
  sessions: { value: 'n', text: 'Sessions that are imported, two messages each.', default: '20000' },
  folder: { value: 'folder', text: 'Where the store is made. Default: the temporary folder.', default: '' },
})
const seconds = wholeNumber('seconds', options.seconds, 1, 3_600)
const n = wholeNumber('n', options.n, 1_000, 1_000_000)

const exportMb = wholeNumber('export', options.export, 1, 1_000)
const sessions = wholeNumber('sessions', options.sessions, 100, 1_000_000)

const here = setting()
console.log(`${settingLine(here)}\n`)
await withScratch(options.folder, async (folder) => {
  const calibrationMs = calibrate()
  const { memory, load } = await openLoaded(join(folder, 'store.db'), n)
  const idle = await watched(() => pause(seconds / 2))
  const spin = await watched(() => spinning(2, seconds / 2))
  let done: Done = { appended: 0, recalled: 0, imported: 0 }
  const atWork = await watched(async () => {
    done = await workOn(memory, load, seconds)
  })
  const path = join(folder, 'conversations.json')
  writeExport(path, exportMb * 1024 * 1024)
  let stored = 0
  const importing = await watched(async () => {
    const report = await importFile(memory.for('eve'), path)
    stored = report.stored
  })
  const blocks = await blocksOf(memory, folder, sessions)
  await memory.close()

  const rows: [string, Delay][] = [
    ['idle', idle],
    ['two threads that spin', spin],
    ['append, recall and import', atWork],
    [`an export of ${exportMb} MB`, importing],
  ]
  console.log(
    table(
      ['event loop delay, ms', 'p50', 'p99', 'p99.9', 'max', 'own CPU p99', 'own CPU max'],
      rows.map(([name, { p50, p99, p999, max, own }]) => [name, ...[p50, p99, p999, max, own.p99, own.max].map(figure)]),
    ),
  )
  const p99 = Math.max(atWork.p99, importing.p99)
  const met = p99 < targetP99Ms
  console.log(`\np99 at work: ${figure(p99)} ms, target < ${targetP99Ms}: ${met ? 'met' : 'MISSED'}`)
  console.log(
    `in ${seconds} s: ${done.appended} appended one at a time, ${done.recalled} recalled, ${done.imported} imported, of the ` +
      `export ${stored}; the host's own thread used ${figure(atWork.hostCpuMs / (seconds * 10))} % of a core`,
  )
  console.log(`a fixed piece of work took ${figure(calibrationMs)} CPU-ms before`)
  console.log(
    `\n${table(
      ['longest block of the host, ms', 'own CPU', 'wall', 'host CPU in all'],
      blocks.map(({ name, own, wall, hostCpuMs }: Block) => [name, figure(own), figure(wall), figure(hostCpuMs)]),
    )}`,
  )
  writeResults('loop', {
    setting: here,
    options,
    calibrationMs,
    idle,
    spin,
    atWork,
    importing,
    done,
    blocks,
    target: { p99Below: targetP99Ms, met },
  })
})

function pause(forSeconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forSeconds * 1_000))
}
