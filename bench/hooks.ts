// Measures the hook of a prompt as Claude Code runs it: wall time of whole processes, from start to end, and CPU time.
//
// Usage: npm run bench:hooks -- [--messages 10000] [--runs 30] [--vectors] [--data FILE]. Measures packages/varve/dist (npm run
// build). Run it where nothing else runs: it counts real time. With --vectors the store has vectors: the server that is asked finds
// by meaning too, and a hook by words as before, since it never loads the model. To make them takes minutes. With --data the store
// has the conversations of a file of LoCoMo or BEAM but the last one, whose turns are the prompts, and the questions on the others.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { openMemory as OpenMemoryOf } from '../packages/varve/src/memory/memory.ts'
import type { UserMemory } from '../packages/varve/src/memory/user-memory.ts'
import { readTalkFile } from './talk/talk-file.ts'

type OpenMemory = typeof OpenMemoryOf

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '30' },
    vectors: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
})
const [messages, runs] = [Number(values.messages), Number(values.runs)]
const dist = join(import.meta.dirname, '..', 'packages', 'varve', 'dist')
const command = join(dist, 'cli', 'main.js')
if (!existsSync(command)) throw new RangeError(`${command} is not there: run npm run build first`)
const { openMemory }: { openMemory: OpenMemory } = await import(join(dist, 'index.js'))

const folder = mkdtempSync(join(tmpdir(), 'varve-hooks-'))
const store = join(folder, 'varve.db')
/** The most milliseconds that a prompt may wait. */
const mostMs = 300

/** A sequence of numbers from 0 to 1, the same each time. */
let state = 7
const next = (): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return state / 0x7fffffff
}
const syllables = ['ka', 'lo', 'mi', 'ter', 'ban', 'su', 'ri', 'pol', 'ne', 'dra', 'go', 'fen', 'ul', 'ist', 'mar']
/** A few thousand words, of which some are frequent, as in talk. */
const word = (): string => {
  const rank = Math.floor(3_000 * next() ** 3)
  return [rank % 15, Math.floor(rank / 15) % 15, Math.floor(rank / 225)].map((place) => syllables[place] ?? '').join('')
}
const sentence = (): string => `${Array.from({ length: 30 }, word).join(' ')}.`
/** Prompts of one kind. */
interface Prompts {
  readonly name: string
  readonly texts: readonly string[]
}

/** Fills the store, and gives the prompts to ask. */
async function fill(): Promise<readonly Prompts[]> {
  const memory = await openMemory({
    store,
    upkeep: 'manual',
    ...(values.vectors ? {} : { embeddingModel: false }),
    languageModel: false,
    isolation: 'silent',
    engine: 'inline',
  })
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  const prompts = values.data === undefined ? await fillMade(ada) : await fillTalk(ada, values.data)
  await memory.upkeep.run({ maxSeconds: 3_000 })
  await memory.close()
  return prompts
}

/** Makes messages. A prompt that fits nothing gets no answer, so it asks for six words of one of them. */
async function fillMade(ada: UserMemory): Promise<readonly Prompts[]> {
  for (let from = 0; from < messages; from += 100)
    await ada.append(
      `session-${from / 100}`,
      Array.from({ length: 100 }, (_, place) => ({ role: place % 2 === 0 ? 'user' : 'assistant', content: sentence() })),
    )
  const said = Array.from({ length: 6 }, word)
  const [first, last] = [said.slice(0, 3).join(' '), said.slice(3).join(' ')]
  await ada.append('session-said', { role: 'user', content: `We put the ${first} there, of the ${last}.` })
  return [{ name: '', texts: [`Where did we put the ${first} of the ${last}?`] }]
}

async function fillTalk(ada: UserMemory, file: string): Promise<readonly Prompts[]> {
  const { conversations } = readTalkFile(file)
  const [stored, last] = [conversations.slice(0, -1), conversations.at(-1)]
  for (const { place, sessions } of stored)
    for (const { id, turns } of sessions)
      await ada.append(
        `${place}-${id}`,
        turns.map(({ role, text }) => ({ role, content: text })),
      )
  const turns = (last?.sessions ?? []).flatMap((session) => session.turns.filter(({ role }) => role === 'user').map(({ text }) => text))
  const ofLength = (least: number, most: number): string[] => turns.filter(({ length }) => length >= least && length < most)
  return [
    { name: ', < 150 characters', texts: ofLength(1, 150) },
    { name: ', < 600 characters', texts: ofLength(150, 600) },
    { name: ', longer', texts: ofLength(600, Infinity) },
    { name: ', questions', texts: stored.flatMap(({ questions }) => questions.map(({ text }) => text)) },
  ].filter(({ texts }) => texts.length > 0)
}

interface Ran {
  readonly ms: number
  readonly cpuMs: number
  readonly answered: boolean
}

interface Server {
  readonly url: string
  readonly key: string
}

/** Tells how long Node takes for an empty script, in ms: the speed of the machine, which changes by the hour. */
function emptyMs(): number {
  const begin = performance.now()
  spawnSync(process.execPath, ['-e', ''])
  return performance.now() - begin
}

/** Runs a hook once. `cache` is the folder of compiled code: a new one for a cold start. */
function hook(event: object, cache: string, server?: Server): Ran {
  const input = JSON.stringify({ session_id: 'now', transcript_path: join(folder, 'now.jsonl'), cwd: folder, ...event })
  const place = server === undefined ? ['--store', store] : ['--url', server.url]
  const whose = [...place, '--project', 'kiosk', '--user', 'ada']
  const args = [command, 'hook', 'claude-code', ...whose, '--deadline-ms', '60000', '--no-upkeep']
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, NODE_COMPILE_CACHE: cache, VARVE_KEY: server?.key ?? '' }
  const line = `TIMEFORMAT='%R %U %S'; time "$0" "$@"`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line, process.execPath, ...args], { input, env, encoding: 'utf8' })
  if (status !== 0) throw new RangeError(`the hook ended with ${status}: ${stderr}`)
  const [real = 0, user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return { ms: real * 1_000, cpuMs: (user + system) * 1_000, answered: stdout !== '' }
}

/** Starts `varve serve` on the store. The first start of a store makes a key and shows it. */
async function serving(): Promise<Server & { readonly child: ChildProcess }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...(values.vectors ? {} : { VARVE_EMBEDDINGS: 'off' }) }
  const child = spawn(process.execPath, [command, 'serve', '--store', store, '--port', '0', '--json'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  })
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    const { url, key }: Partial<Server> = said.endsWith('\n') ? JSON.parse(said) : {}
    if (url !== undefined && key !== undefined) return { url, key, child }
  }
  throw new RangeError(`varve serve ended and said: ${said}`)
}

function report(name: string, most: number, ran: readonly Ran[]): void {
  const at = (of: (one: Ran) => number, share: number): number =>
    ran.map(of).toSorted((a, b) => a - b)[Math.ceil(share * ran.length) - 1] ?? 0
  const shown = [at((one) => one.ms, 0.5), at((one) => one.ms, 0.95), at((one) => one.cpuMs, 0.5)].map((ms) => ms.toFixed(0).padStart(6))
  const met = at((one) => one.ms, 0.95) <= most
  const answered = ran.filter((one) => one.answered).length
  console.log(`${name.padEnd(56)}${shown.join('')}   ${answered}/${ran.length} answered   <= ${most}  ${met ? 'met' : 'MISSED'}`)
}

try {
  const kinds = await fill()
  /** The prompt of a run: texts from all places of its kind, in turn. */
  const promptOf =
    ({ texts }: Prompts) =>
    (run: number): object => {
      const prompt = texts[Math.floor((run * texts.length) / runs) % texts.length]
      return { hook_event_name: 'UserPromptSubmit', prompt, source: 'user' }
    }
  const start = { hook_event_name: 'SessionStart', source: 'startup' }
  const stop = { hook_event_name: 'Stop', stop_hook_active: false }
  const warm = join(folder, 'cache')
  const times = (of: (run: number) => Ran): Ran[] => Array.from({ length: runs }, (_, run) => of(run))
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? '?'}, load ${loadavg()[0]?.toFixed(1)}`
  const stored = values.data === undefined ? `${messages} messages` : 'talk'
  console.log(`${stored}${values.vectors ? ' with vectors' : ''}, ${machine}, Node ${process.versions.node}`)
  const empty = Array.from({ length: runs }, emptyMs).toSorted((a, b) => a - b)
  console.log(`An empty script of Node takes ${empty[Math.floor(runs / 2)]?.toFixed(0)} ms`)
  console.log(`${runs} runs each, whole processes, ms                      p50   p95   CPU`)
  for (const [place, kind] of kinds.entries()) {
    const [prompt, { name }] = [promptOf(kind), kind]
    report(
      `prompt, code not compiled yet (cold)${name}`,
      mostMs,
      times((run) => hook(prompt(run), join(folder, `cold-${place}-${run}`))),
    )
    report(
      `prompt, after the first start (cold)${name}`,
      mostMs,
      times((run) => {
        hook(start, join(folder, `started-${place}-${run}`))
        return hook(prompt(run), join(folder, `started-${place}-${run}`))
      }),
    )
    times((run) => hook(prompt(run), warm))
    report(
      `prompt (warm)${name}`,
      mostMs,
      times((run) => hook(prompt(run), warm)),
    )
  }
  report(
    'session start (warm)',
    2_000,
    times(() => hook(start, warm)),
  )
  const { child, ...server } = await serving()
  try {
    for (const kind of kinds) {
      const prompt = promptOf(kind)
      times((run) => hook(prompt(run), warm, server))
      report(
        `prompt, of a server${values.vectors ? ' with vectors' : ''} (warm)${kind.name}`,
        mostMs,
        times((run) => hook(prompt(run), warm, server)),
      )
    }
  } finally {
    child.kill()
    await once(child, 'exit')
  }
  const line = (place: number): string =>
    JSON.stringify({
      ...{ type: place % 2 === 0 ? 'user' : 'assistant', uuid: `line-${place}`, parentUuid: place === 0 ? null : `line-${place - 1}` },
      ...{ sessionId: 'now', timestamp: new Date(Date.UTC(2026, 6, 8) + place * 1_000).toISOString() },
      message: { model: 'm', content: place % 2 === 0 ? sentence() : [{ type: 'text', text: `${sentence()} ${'x'.repeat(24_000)}` }] },
    })
  const lines = Array.from({ length: 4_000 }, (_, place) => line(place))
  writeFileSync(join(folder, 'now.jsonl'), `${lines.join('\n')}\n`)
  const bytes = lines.reduce((sum, one) => sum + one.length + 1, 0)
  console.log(`a transcript of ${(bytes / 1e6).toFixed(0)} MB`)
  report('its first capture', 30_000, [hook(stop, warm)])
  report(
    'Stop, later',
    2_000,
    times(() => hook(stop, warm)),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
