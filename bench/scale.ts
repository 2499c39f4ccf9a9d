import { askScale } from './scale/ask-scale.ts'
import { plansOfRecall, type Planned } from './scale/plans.ts'
import { growthTable, plansTable, type Sized } from './scale/report.ts'
import type { ScaleStore } from './scale/tasks.ts'
import { dropStore, inSchema, isServer, openServer, schemaOf } from './server/server.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { figure } from './shared/table.ts'

const about = `How the costs of a store on a PostgreSQL server grow: made-up talk, filled by appends of 1,000 messages each, in a schema of
the bench's own. First --n messages of --users users, then --one messages of one user; each is appended to and asked in a new process
without vectors. Cold is a user's first question in a process, warm the same users again. Last, --crowd partitions of four messages each:
the server's time to plan a recall's statements, and the locks that it holds.`

const options = readArguments('scale', about, {
  store: { value: 'address', text: 'postgres://…: the server.' },
  n: { value: 'n,n', text: 'Messages over all users.', default: '10000,100000,1000000' },
  users: { value: 'n', text: 'Users of those messages.', default: '1000' },
  one: { value: 'n,n', text: 'Messages of one user; 0 leaves it out.', default: '1000000' },
  crowd: { value: 'n,n', text: 'Numbers of partitions for plans and locks; 0 leaves them out.', default: '100,30000' },
  appends: { value: 'n', text: 'Appends that are measured, one at a time.', default: '1000' },
  asked: { value: 'n', text: 'Users that are asked cold, and questions that are asked warm.', default: '200' },
})
if (!isServer(options.store)) stop('--store must be postgres://…')
const numbers = (name: 'n' | 'one' | 'crowd', least: number): number[] =>
  options[name]
    .split(',')
    .filter((text) => text !== '0' && text !== '')
    .map((text) => wholeNumber(name, text, least, 1_000_000_000))
const users = wholeNumber('users', options.users, 1, 1_000_000)
const appends = wholeNumber('appends', options.appends, 10, 1_000_000)
const asked = wholeNumber('asked', options.asked, 10, 1_000_000)
const messagesOfCrowd = 4

/** Works on a new schema, which is dropped at the end. */
async function onNew<Result>(messages: number, of: number, work: (store: ScaleStore) => Promise<Result>): Promise<Result> {
  const place = inSchema(options.store, 'varve_bench_scale')
  await dropStore(place)
  try {
    return await work({ place, messages, users: of })
  } finally {
    await dropStore(place)
  }
}

/** Printed as it comes: a run of large sizes takes minutes. */
function progress(what: string): void {
  console.error(`${new Date().toISOString()}\n${what}\n`)
}

async function sized(messages: number, of: number): Promise<Sized> {
  return onNew(messages, of, async (store) => {
    const filled = await askScale<'fill'>({ kind: 'fill', store })
    await analyse(store)
    const used = await askScale<'use'>({ kind: 'use', store, appends, asked })
    progress(growthTable([{ messages, users: of, filled, used }]))
    return { messages, users: of, filled, used }
  })
}

/** As autovacuum does in time: plans are made from what it finds. */
async function analyse({ place }: ScaleStore): Promise<void> {
  await using server = await openServer(place)
  const tables = await server.rows('select tablename as name from pg_tables where schemaname = $1', [schemaOf(place)])
  for (const { name } of tables) await server.rows(`vacuum analyze "${schemaOf(place)}"."${String(name)}"`)
}

const here = setting()
console.log(`${settingLine(here)}\n`)
const calibrationMs = [calibrate()]
const sizes: Sized[] = []
for (const messages of numbers('n', users)) sizes.push(await sized(messages, users))
for (const messages of numbers('one', 1_000)) sizes.push(await sized(messages, 1))
calibrationMs.push(calibrate())
const plans: Planned[] = []
for (const partitions of numbers('crowd', 1))
  plans.push(
    await onNew(partitions * messagesOfCrowd, partitions, async (store) => {
      await askScale<'fill'>({ kind: 'fill', store })
      await analyse(store)
      return plansOfRecall(store)
    }),
  )
console.log([sizes.length > 0 ? growthTable(sizes) : [], plans.length > 0 ? plansTable(plans) : []].flat().join('\n\n'))
console.log(`\na fixed piece of work took ${calibrationMs.map(figure).join(', ')} CPU-ms before and after: how busy the machine was`)
writeResults('scale', { setting: here, options: { ...options, store: 'postgres' }, calibrationMs, sizes, plans })
