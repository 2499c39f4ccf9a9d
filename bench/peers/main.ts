import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { quality } from '../talk/quality.ts'
import { readArguments, stop, wholeNumber } from '../shared/arguments.ts'
import { setting, settingLine, writeResults } from '../shared/results.ts'
import { withScratch } from '../shared/scratch.ts'
import { origins } from '../speed/product.ts'
import { Endpoint } from './endpoint.ts'
import { childEnvironment, originVariable } from './environment.ts'
import { killed } from './kill.ts'
import { earlierLines, type Line, versionsOf } from './lines.ts'
import { type Listed, systems } from './list.ts'
import type { Measured } from './measure.ts'
import { markdownReport, report } from './report.ts'

const about = `Varve beside other memories: the same conversations (LoCoMo), the same questions, and one MiniLM for all, which is
served on loopback. Each system has a process of its own; CPU time is of all its threads, and the endpoint's stands beside it.
Systems: ${systems.map(({ name }) => name).join(', ')}.`

const options = readArguments('peers', about, {
  data: { value: 'file', text: 'locomo10.json. It is read, and nothing of it is written anywhere.' },
  only: { value: 'name,name', text: 'These systems; the others keep the figures of earlier runs. Default: all.', default: '' },
  kills: { value: 'n', text: 'How often what keeps its data on disk is killed; 0 keeps what an earlier run found.', default: '20' },
  runtime: { value: 'runtime', text: 'native or wasm: what runs the model at the endpoint.', default: 'native' },
  print: { value: 'format', text: 'table, or markdown as in docs/reference/peers.md.', default: 'table' },
  from: { value: 'origin', text: 'source, or built for the Varve that `npm run build` left.', default: 'source' },
})
/** The first conversations of the file: Varve's ranking may be tuned on them, as in bench:locomo. */
const workingConversations = 5

const kills = wholeNumber('kills', options.kills, 0, 1_000)
if (!['table', 'markdown'].includes(options.print)) stop(`--print must be table or markdown, received ${options.print}`)
if (!['native', 'wasm'].includes(options.runtime)) stop(`--runtime must be native or wasm, received ${options.runtime}`)
if (!origins.some((origin) => origin === options.from)) stop(`--from must be source or built, received ${options.from}`)
process.env[originVariable] = options.from
const chosen =
  options.only === ''
    ? systems
    : options.only
        .split(',')
        .map((name) => systems.find((system) => system.name === name) ?? stop(`--only has no system ${name}. See --help.`))
const data = resolve(options.data)

async function lineOf(system: Listed, endpoint: string, earlier: Line | undefined, scratch: string): Promise<Line> {
  const folder = (kind: string): string => {
    const path = join(scratch, `${system.name}-${kind}`)
    mkdirSync(path)
    return path
  }
  const { asked, diskBytes, ...measured } = await measuredApart(
    system.name,
    folder('measured'),
    endpoint,
    join(scratch, `${system.name}.json`),
  )
  const tried =
    system.kills === 'measured' && kills > 0 ? await killed(system.name, kills, { folder: folder('killed'), endpoint }) : undefined
  const keepsNothing = system.kills === 'keeps nothing on disk'
  return {
    name: system.name,
    label: system.label,
    finds: system.finds,
    versions: versionsOf(system),
    date: new Date().toISOString(),
    quality: quality(asked),
    reportingHalf: quality(asked.filter(({ conversation }) => conversation >= workingConversations)),
    ...measured,
    ...(keepsNothing ? {} : { bytesPerMessage: diskBytes / measured.turns }),
    kills: tried ?? (system.kills === 'measured' ? (earlier?.kills ?? 'not tried') : system.kills),
  }
}

async function measuredApart(name: string, folder: string, endpoint: string, out: string): Promise<Measured> {
  const child = join(import.meta.dirname, 'measure-child.ts')
  await promisify(execFile)(process.execPath, ['--expose-gc', child, name, data, folder, endpoint, out], {
    cwd: folder,
    env: childEnvironment(folder),
    maxBuffer: 2 ** 26,
  })
  return JSON.parse(readFileSync(out, 'utf8'))
}

/** Writes the results after every system, so that an interrupted run keeps them. */
function write(fresh: ReadonlyMap<string, Line>): readonly Line[] {
  const kept = new Map([...earlierLines().map((line) => [line.name, line] as const), ...fresh])
  const lines = systems.flatMap(({ name }) => kept.get(name) ?? [])
  writeResults('peers', { setting: here, runtime: options.runtime, from: options.from, lines })
  return lines
}

const here = setting()
console.log(`${settingLine(here)}\n`)
const fresh = new Map<string, Line>()
await withScratch('', async (scratch) => {
  using endpoint = await Endpoint.start(options.runtime)
  for (const system of chosen) {
    console.log(`${new Date().toISOString()} ${system.label}`)
    try {
      fresh.set(
        system.name,
        await lineOf(
          system,
          endpoint.url,
          earlierLines().find(({ name }) => name === system.name),
          scratch,
        ),
      )
      write(fresh)
    } catch (error) {
      // A peer that does not run leaves the others comparable.
      console.error(`${system.name} failed: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
})
const lines = write(fresh)
console.log(
  `\n${options.print === 'markdown' ? markdownReport(lines) : report(lines)}\n\n${lines[0]?.quality.n ?? 0} questions, ` +
    `${lines[0]?.turns ?? 0} messages. a + b: CPU of the system's own process and of the embedding endpoint's.`,
)
const calls = lines.filter(({ refused }) => refused > 0)
console.log(
  calls.length === 0
    ? 'No system asked for a language model.'
    : `Asked for a language model: ${calls.map(({ label, refused }) => `${label} ${refused} times`).join(', ')}`,
)
