import { join } from 'node:path'
import type { Measured, Whose } from './ladder/measured.ts'
import { budgets } from './ladder/render.ts'
import { live } from './ladder/scene.ts'
import { callsTable, growthTable, keptTable, rendersTable } from './ladder/tables.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'

const about = `The bank over two simulated years: a user's own, then a project's shared one, with a model that is scripted. Calls a
conversation by what is
written, what rendering costs as the bank grows, whether the block ever had more tokens than its budget, what it leaves out, what upkeep
costs and how the store grows. Each conversation is appended when it ends and read when it is settled, as a running server would.`

const options = readArguments('ladder', about, {
  days: { value: 'n', text: 'Simulated days.', default: '730' },
  'per-day': { value: 'n', text: 'Conversations a day.', default: '40' },
  members: { value: 'n', text: 'Members who feed the shared bank.', default: '8' },
  whose: { value: 'own|shared|both', text: 'Which bank.', default: 'both' },
  folder: { value: 'folder', text: 'Where the stores are made. Default: the temporary folder.', default: '' },
})
const days = wholeNumber('days', options.days, 1, 3_650)
const perDay = wholeNumber('per-day', options['per-day'], 1, 1_000)
const members = wholeNumber('members', options.members, 1, 1_000)
if (!['own', 'shared', 'both'].includes(options.whose)) stop(`--whose must be own, shared or both, received ${options.whose}`)
const wanted = (['own', 'shared'] as const).filter((whose) => options.whose === 'both' || options.whose === whose)

const here = setting()
console.log(`${settingLine(here)}\n`)
const calibrationMs = calibrate()
const results: Measured[] = []
for (const whose of wanted) results.push(await one(whose))
for (const result of results) print(result)
console.log(`a fixed piece of work took ${calibrationMs.toFixed(0)} CPU-ms before, ${calibrate().toFixed(0)} after`)
writeResults('ladder', { setting: here, options, budgets, calibrationMs, results })

function one(whose: Whose): Promise<Measured> {
  return withScratch(options.folder, (folder) =>
    live({ whose, file: join(folder, 'store.db'), days, perDay, members, told: (line) => console.error(line) }),
  )
}

function print(measured: Measured): void {
  const { whose, conversations, messages, wallMs, warnings } = measured
  console.log(
    `${whose === 'own' ? "a user's own bank" : `the shared bank of ${members} members`}: ${conversations} conversations, ` +
      `${messages} messages, lived through in ${Math.round(wallMs / 1_000)} s\n`,
  )
  for (const table of [callsTable(measured), rendersTable(measured), keptTable(measured), growthTable(measured)]) console.log(`${table}\n`)
  for (const warning of new Set(warnings)) console.log(`warned: ${warning}`)
}
