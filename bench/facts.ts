import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { askChild } from './facts/ask-child.ts'
import { nameOf } from './facts/made-up.ts'
import { factLines, factTable } from './facts/tables.ts'
import type { FactStore } from './facts/tasks.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'
import { figure } from './shared/table.ts'

const about = `What is known of one user, of whom and by whom --n statements were made over two years: a third about himself, the
others about 3,000 whom he
knows; 25 predicates, five of them with one object at a time; said again, corrected, ended, told late. Each figure is of --calls
calls, one after
the other, in a process of its own. CPU time is of all threads. Nothing fails when a target is missed.`

const options = readArguments('facts', about, {
  n: { value: 'n', text: 'Statements.', default: '100000' },
  calls: { value: 'n', text: 'Calls of each kind that are measured, after 50 that are not; of adding, 1,000 at least.', default: '300' },
  vectors: { value: 'on|off', text: 'on: questions get a vector by the model in the package. The statements have none.', default: 'off' },
  worst: {
    value: 'on|off',
    text: 'Also histories that no one has: 20,000 likes, 2,000 homes, 5,000 names of one; 1,000 facts that rest on each other.',
    default: 'on',
  },
  folder: { value: 'folder', text: 'Where the stores are made. Default: the temporary folder.', default: '' },
})
const statements = wholeNumber('n', options.n, 200, 1_000_000)
const calls = wholeNumber('calls', options.calls, 1, 100_000)
for (const name of ['vectors', 'worst'] as const)
  if (!['on', 'off'].includes(options[name])) stop(`--${name} must be on or off, received ${options[name]}`)

/** Merged names, by the places of their subjects. */
const merged = Array.from({ length: 50 }, (_, place): [string, string] => [nameOf(10 + 2 * place), nameOf(11 + 2 * place)])

const here = setting()
console.log(`${settingLine(here)}\n`)
await withScratch(options.folder, async (folder) => {
  const calibrationMs = [calibrate()]
  const store: FactStore = { file: join(folder, 'store.db'), statements, merged }
  const copy: FactStore = { ...store, file: join(folder, 'copy.db') }
  const { bytesPerStatement } = await askChild<'fill'>({ kind: 'fill', store })
  copyFileSync(store.file, copy.file)
  calibrationMs.push(calibrate())
  const { timed: asked, openMb, residentMb } = await askChild<'ask'>({ kind: 'ask', store, calls, vectors: options.vectors === 'on' })
  const { timed: written } = await askChild<'write'>({ kind: 'write', store: copy, calls })
  const worst = options.worst === 'off' ? [] : (await askChild<'worst'>({ kind: 'worst', file: join(folder, 'worst.db'), calls })).timed
  calibrationMs.push(calibrate())
  const lines = factLines([...asked, ...written])
  const worstLines = factLines(worst)
  console.log(factTable(lines))
  const judged = lines.filter(({ met }) => met !== undefined)
  console.log(`\n${judged.filter(({ met }) => met === true).length} of ${judged.length} targets met`)
  if (worst.length > 0) console.log(`\n${factTable(worstLines)}`)
  console.log(
    `\n${figure(bytesPerStatement)} bytes a statement; ${figure(openMb)} MB resident after opening, ${figure(residentMb)} ` +
      'after all that was asked',
  )
  console.log(
    `a fixed piece of work took ${calibrationMs.map(figure).join(', ')} CPU-ms before, between and after: how busy the machine was`,
  )
  writeResults('facts', { setting: here, options, calibrationMs, bytesPerStatement, openMb, residentMb, lines, worst: worstLines })
})
