import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { cutoffs } from '../talk/quality.ts'
import { isServer, openServer } from '../server/server.ts'
import { readArguments, stop, wholeNumber } from '../shared/arguments.ts'
import { setting, settingLine, writeResults } from '../shared/results.ts'
import { withScratch } from '../shared/scratch.ts'
import { figure, share, table } from '../shared/table.ts'
import { Endpoint } from './endpoint.ts'
import { childEnvironment } from './environment.ts'
import { type OnServer, serverSystemNamed, serverSystems, type ServerShare } from './on-server-list.ts'

const about = `Memories on one PostgreSQL server, with the extension pgvector: the same turns of LoCoMo appended one at a time, the same
questions, no language model, one MiniLM for all, which is served on loopback. Each has a database and a process of its own. CPU in ms
of one call: the process + the endpoint + the server. Systems: ${serverSystems.map(({ name }) => name).join(', ')}.`

const options = readArguments(
  'peers -- server',
  about,
  {
    data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere but to the server, which forgets it.' },
    store: { value: 'address', text: 'postgres://…, of a role that may make databases and extensions.' },
    only: { value: 'name,name', text: 'These systems. Default: all.', default: '' },
    conversations: { value: 'n', text: 'The first conversations of the file.', default: '10' },
  },
  process.argv.slice(3),
)
const conversations = wholeNumber('conversations', options.conversations, 1, 10)
const chosen = options.only === '' ? serverSystems : options.only.split(',').map(serverSystemNamed)
if (!isServer(options.store)) stop('--store must be postgres://…')
const data = resolve(options.data)

async function measuredOf(name: string, endpoint: string, scratch: string): Promise<OnServer> {
  await using server = await openServer(options.store)
  const database = `varve_bench_${name.replaceAll('-', '_')}`
  const address = new URL(options.store)
  address.pathname = `/${database}`
  address.search = ''
  const folder = join(scratch, name)
  mkdirSync(folder)
  const out = join(scratch, `${name}.json`)
  await server.rows(`drop database if exists ${database} with (force)`)
  await server.rows(`create database ${database}`)
  try {
    const child = join(import.meta.dirname, 'on-server-child.ts')
    await promisify(execFile)(process.execPath, [child, name, data, folder, endpoint, address.toString(), String(conversations), out], {
      ...{ cwd: folder, env: childEnvironment(folder), maxBuffer: 2 ** 26 },
    })
    const read: OnServer = JSON.parse(readFileSync(out, 'utf8'))
    return read
  } finally {
    await server.rows(`drop database if exists ${database} with (force)`)
  }
}

const shown = ({ own, endpoint, server }: ServerShare): string => [own, endpoint, server].map(figure).join(' + ')

function rowOf(label: string, { append, recall, storedBytes, turns, quality }: OnServer): string[] {
  const at = cutoffs.indexOf(10)
  return [
    label,
    ...[figure(append.p50Ms), shown(append), figure(recall.p50Ms), shown(recall), figure(storedBytes / turns)],
    ...[share(quality.any[at] ?? Number.NaN), share(quality.fraction[at] ?? Number.NaN)],
  ]
}

const here = setting()
console.log(`${settingLine(here)}\n`)
const found: Record<string, OnServer> = {}
await withScratch('', async (scratch) => {
  using endpoint = await Endpoint.start('native')
  for (const { name } of chosen) {
    console.log(`${new Date().toISOString()} ${name}`)
    try {
      found[name] = await measuredOf(name, endpoint.url, scratch)
    } catch (error) {
      // A peer that does not run leaves the others comparable.
      console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
})
const head = ['system', 'append p50, ms', 'CPU, ms', 'recall p50, ms', 'CPU, ms', 'stored bytes/turn', 'any@10', 'fraction@10']
const rows = chosen.flatMap(({ name, label }) => (found[name] === undefined ? [] : [rowOf(label, found[name])]))
const [first] = Object.values(found)
console.log(`\n${table(head, rows)}\n\n${first?.turns ?? 0} turns, ${first?.questions ?? 0} questions`)
writeResults('peers-server', { setting: here, conversations, found })
