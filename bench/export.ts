// How fast a memory is exported, and with how much memory of the process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../packages/varve/src/index.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { below, seeded } from './shared/random.ts'
import { setting, settingLine } from './shared/results.ts'
import { figure, table } from './shared/table.ts'

const about = `How fast a memory of --messages made-up messages is exported, and imported into an empty store. Lines are counted and
thrown away. CPU is of the whole process, with its threads; the growth is of its resident memory, at the most.`

const options = readArguments('export', about, {
  messages: { value: 'n', text: 'Messages of the user.', default: '100000' },
  sessions: { value: 'n', text: 'Sessions of the user.', default: '500' },
  import: { value: 'yes|no', text: 'Imports the lines as well.', default: 'no' },
})
const messages = wholeNumber('messages', options.messages, 1, 10_000_000)
const sessions = wholeNumber('sessions', options.sessions, 1, 100_000)

const words =
  'ferry kiosk harbour bakery smithy walnut lantern captain winter morning leaves opens carries counts repairs paints the a of at'.split(
    ' ',
  )
const random = seeded(7)
const said = (): string => Array.from({ length: 8 + below(random, 50) }, () => words[below(random, words.length)]).join(' ')

const folder = mkdtempSync(join(tmpdir(), 'varve-bench-export-'))
const opened = {
  upkeep: 'manual',
  embeddingModel: false,
  languageModel: false,
  isolation: 'silent',
  logger: { warn: () => undefined },
} as const
const calibrationMs = calibrate()

async function fill(store: string): Promise<void> {
  await using memory = await openMemory({ ...opened, store })
  const ada = memory.for('ada')
  const each = Math.ceil(messages / sessions)
  for (let session = 0, left = messages; left > 0; session += 1, left -= each) {
    const batch = Array.from({ length: Math.min(each, left) }, (_, place) => ({
      role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: said(),
      id: `${session} ${place}`,
      at: 1_700_000_000_000 + session * 86_400_000 + place * 1_000,
    }))
    await ada.append(`session ${session}`, batch)
  }
}

interface Measured {
  readonly lines: number
  readonly bytes: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly grownMiB: number
}

async function measured(run: (seen: (line: string) => void) => Promise<void>): Promise<Measured> {
  const [begin, cpu, before] = [performance.now(), process.cpuUsage(), process.memoryUsage().rss]
  let [lines, bytes, most] = [0, 0, before]
  await run((line) => {
    lines += 1
    bytes += line.length
    if (lines % 256 === 0) most = Math.max(most, process.memoryUsage().rss)
  })
  const { user, system } = process.cpuUsage(cpu)
  most = Math.max(most, process.memoryUsage().rss)
  return {
    lines,
    bytes,
    seconds: (performance.now() - begin) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    grownMiB: (most - before) / 1024 ** 2,
  }
}

try {
  const store = join(folder, 'varve.db')
  await fill(store)
  const runs: [string, Measured][] = []
  {
    await using memory = await openMemory({ ...opened, store })
    const ada = memory.for('ada')
    // The first one warms the threads.
    for (const name of ['export, first', 'export, again'])
      runs.push([
        name,
        await measured(async (seen) => {
          for await (const line of ada.export()) seen(line)
        }),
      ])
    if (options.import === 'yes') {
      await using other = await openMemory({ ...opened, store: join(folder, 'other.db') })
      const counting = async function* (seen: (line: string) => void): AsyncGenerator<string> {
        for await (const line of ada.export()) {
          seen(line)
          yield line
        }
      }
      runs.push([
        'export and import',
        await measured(async (seen) => void (await other.for('ada').import(counting(seen), { accept: true }))),
      ])
    }
  }
  console.log(`${settingLine(setting())}\n`)
  console.log(
    table(
      ['run', 'lines', 'MiB', 's', 'CPU-s', 'messages/s', 'messages/CPU-s', 'memory grown, MiB'],
      runs.map(([name, one]) => [
        name,
        String(one.lines),
        figure(one.bytes / 1024 ** 2),
        figure(one.seconds),
        figure(one.cpuSeconds),
        String(Math.round(messages / one.seconds)),
        String(Math.round(messages / one.cpuSeconds)),
        figure(one.grownMiB),
      ]),
    ),
  )
  console.log(`\na fixed piece of work took ${figure(calibrationMs)} CPU-ms before`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
