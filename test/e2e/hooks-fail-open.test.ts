import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, realpathSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { builtProgram } from '../built.ts'
import { end, eventJson, preCompact, prompt, sessionOfHooks, start, stop } from '../fixtures/hooks/claude-code.ts'
import { assistant, user } from '../fixtures/importers/transcript.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')

interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly home: string
  readonly store?: string
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Called with the process when stdin was not closed. */
  readonly held?: (child: ReturnType<typeof spawn>) => void
}

/** Runs the hook as Claude Code does: a process of its own, the event on stdin. */
function hook(input: string | Buffer, { home, store = join(home, 'varve.db'), flags = [], env = {}, held }: RunOptions): Promise<Run> {
  const args = [main, 'hook', 'claude-code', '--store', store, '--project', 'kiosk', '--user', 'ada', '--no-upkeep', ...flags]
  const child = spawn(process.execPath, args, { cwd: home, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env } })
  const { promise, resolve } = Promise.withResolvers<Run>()
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (data) => (stdout += data))
  child.stderr.on('data', (data) => (stderr += data))
  child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  child.stdin.on('error', () => undefined)
  child.stdin.write(input)
  if (held === undefined) child.stdin.end()
  else held(child)
  return promise
}

const silent = { code: 0, signal: null, stdout: '', stderr: '' }
const waits = ['--deadline-ms', '60000']
const question = prompt('Which file parses the ferry timetable?')

async function opened(name: string) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), `varve-hook-${name}-`))
  const store = join(home, 'varve.db')
  const memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false, isolation: 'silent' })
  await memory
    .for({ project: 'kiosk', user: 'ada' })
    .append('earlier', { role: 'user', content: 'The ferry timetable is parsed by src/ferry.ts.' })
  await memory.close()
  const lines = [user(1, 'Close at nine.'), assistant(2, 'Closed.')].map((line) => JSON.stringify({ ...line, sessionId: sessionOfHooks }))
  writeFileSync(join(home, 'session.jsonl'), `${lines.join('\n')}\n`)
  return { home, store }
}

/** Runs a context's hook and a capture's, and tells why each did nothing. */
async function bothSilent(options: RunOptions, why: RegExp): Promise<void> {
  for (const event of [question, start('startup'), stop('Closed.'), preCompact, end]) {
    const run = await hook(eventJson(event, options.home), { ...options, flags: waits, env: { ...options.env, VARVE_HOOK_DEBUG: '1' } })
    expect(run, event.hook_event_name).toMatchObject({ code: 0, signal: null, stdout: '' })
    expect(run.stderr, event.hook_event_name).toMatch(why)
  }
  expect(await hook(eventJson(question, options.home), { ...options, flags: waits })).toEqual(silent)
}

test('a hook in order answers on stdout, and nothing stands on stderr', async () => {
  const { home, store } = await opened('order')
  const asked = await hook(eventJson(question, home), { home, flags: waits })
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(asked.stdout)).toMatchObject({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit' } })
  expect(asked.stdout).toContain('src/ferry.ts')
  expect(await hook(eventJson(stop('Closed.'), home), { home })).toEqual(silent)
  await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false })
  expect(await memory.for({ project: 'kiosk', user: 'ada' }).messages(sessionOfHooks)).toHaveLength(2)
})

test('a late answer is not written', async () => {
  const { home } = await opened('late')
  const run = await hook(eventJson(question, home), { home, flags: ['--deadline-ms', '1'], env: { VARVE_HOOK_DEBUG: '1' } })
  expect(run).toEqual({ ...silent, stderr: 'varve hook: DEADLINE_EXCEEDED\n' })
  expect(await hook(eventJson(question, home), { home, flags: ['--deadline-ms', '1'] })).toEqual(silent)
})

test('what is no event is answered with nothing', async () => {
  const { home } = await opened('input')
  const whole = eventJson(question, home)
  const inputs = [
    '',
    ' ',
    '{',
    whole.slice(0, -9),
    'null',
    '[]',
    '7',
    '{}',
    '{"hook_event_name":"Stop"}',
    '[['.repeat(200_000),
    Buffer.from([0xff, 0xfe, 0x00]),
  ]
  for (const input of inputs) expect(await hook(input, { home })).toEqual(silent)
  for (const event of ['PreToolUse', 'PostCompact', 'Notification', 'Later', '__proto__'])
    expect(await hook(eventJson({ hook_event_name: event }, home), { home })).toEqual(silent)
  const odd = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', transcript_path: 7, cwd: null, last_assistant_message: { a: 1 } })
  expect(await hook(odd, { home })).toEqual(silent)
  // Over 16 MiB.
  expect(await hook(eventJson(prompt('x'.repeat(17 * 1024 * 1024)), home), { home })).toEqual(silent)
})

test('without a store a prompt makes none; a capture does', async () => {
  const { home } = await opened('absent')
  const store = join(home, 'new', 'varve.db')
  expect(await hook(eventJson(question, home), { home, store, flags: waits })).toEqual(silent)
  expect(existsSync(store)).toBe(false)
  expect(await hook(eventJson(stop(), home), { home, store })).toEqual(silent)
  expect(existsSync(store)).toBe(true)
})

test('a damaged store, a foreign file, a folder and a newer schema are silent', async () => {
  const { home, store } = await opened('damaged')
  const newer = join(home, 'newer.db')
  writeFileSync(newer, readFileSync(store))
  const other = new Database(newer)
  other.exec("INSERT INTO schema_migration VALUES (999, 'later', 'x', 0)")
  other.close()
  const foreign = join(home, 'foreign.db')
  writeFileSync(foreign, 'This is a letter, and no store.\n'.repeat(500))
  const folder = join(home, 'folder.db')
  mkdirSync(folder)
  const damaged = join(home, 'damaged.db')
  writeFileSync(damaged, readFileSync(store))
  truncateSync(damaged, 8_192)
  for (const file of [foreign, folder]) await bothSilent({ home, store: file }, /^varve hook: STORE_FOREIGN\n$/)
  await bothSilent({ home, store: damaged }, /^varve hook: STORE_DAMAGED\n$/)
  await bothSilent({ home, store: newer }, /^varve hook: SCHEMA_TOO_NEW\n$/)
})

test('a locked store is silent', async () => {
  const { home, store } = await opened('locked')
  const other = new Database(store)
  other.exec('BEGIN EXCLUSIVE')
  onTestFinished(() => void other.close())
  const run = await hook(eventJson(stop('Closed.'), home), { home })
  expect(run).toEqual(silent)
  const asked = await hook(eventJson(question, home), { home, flags: waits })
  expect(asked).toMatchObject({ code: 0, stderr: '' })
})

test('wrong names, wrong variables and a folder that is gone are silent', async () => {
  const { home } = await opened('names')
  for (const flags of [
    ['--user', '..'],
    ['--project', '~'],
    ['--user', 'x'.repeat(300)],
    ['--store', 'mysql://x'],
    ['--deadline-ms', 'x'],
  ])
    expect(await hook(eventJson(stop('Closed.'), home), { home, flags })).toEqual(silent)
  for (const env of [{ VARVE_MODEL: 'm' }, { VARVE_SIGNING_KEY: '/nowhere.pem' }, { VARVE_EMBEDDINGS: 'x' }, { NODE_ENV: 'x' }])
    expect(await hook(eventJson(stop('Closed.'), home), { home, env })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const args = [main, 'hook', 'claude-code', '--store', join(home, 'varve.db')]
  const child = spawn(process.execPath, args, { cwd: home, env: { HOME: home } })
  child.stdin.end(eventJson({ ...stop('Closed.'), cwd: join(home, 'gone') }, home))
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
})

test('a home in which no folder can be made is silent', async () => {
  const { home } = await opened('unwritable')
  for (const event of [stop('Closed.'), preCompact, end])
    expect(await hook(eventJson(event, home), { home, store: join(home, 'session.jsonl', 'varve.db') })).toEqual(silent)
})

test.skipIf(!existsSync('/dev/full'))('a full disk under stdout and under the store is silent', async () => {
  const { home } = await opened('full')
  expect(await hook(eventJson(stop('Closed.'), home), { home, store: '/dev/full/varve.db' })).toEqual(silent)
  const whose = `--store "${join(home, 'varve.db')}" --project kiosk --user ada`
  const line = `"${process.execPath}" "${main}" hook claude-code ${whose} --deadline-ms 60000`
  const child = spawn('bash', ['-c', `${line} > /dev/full`], { cwd: home, env: { HOME: home, PATH: process.env['PATH'] ?? '' } })
  child.stdin.end(eventJson(question, home))
  let stderr = ''
  child.stderr.on('data', (data) => (stderr += data))
  expect([await new Promise((resolve) => child.on('close', resolve)), stderr]).toEqual([0, ''])
})

test('a transcript that is absent, a folder, or no JSON is silent', async () => {
  const { home } = await opened('transcript')
  const garbage = join(home, 'garbage.jsonl')
  writeFileSync(garbage, `\0\xff{]\n{"uuid":"x"\n`.repeat(1_000))
  for (const path of [join(home, 'none.jsonl'), home, garbage, '/dev/zero', ''])
    expect(await hook(eventJson({ ...end, transcript_path: path }, home), { home })).toEqual(silent)
})

/** The kernel's log: a file by its kind, which only root may read, and in which a reader waits for the next line. */
const waitsForLines = '/proc/kmsg'

test.skipIf(!isOpenable(waitsForLines))('a file that waits for its writer holds up neither a hook nor its end', async () => {
  const { home } = await opened('waits')
  for (const event of [stop('Closed.'), preCompact, end, question]) {
    const run = hook(eventJson({ ...event, transcript_path: waitsForLines }, home), { home, held: (child) => endedWithTest(child) })
    expect(await run).toMatchObject({ code: 0, signal: null, stderr: '' })
  }
})

test('a transcript that becomes a pipe while it is read holds up neither a hook nor its end', async () => {
  const { home } = await opened('pipe')
  const path = join(home, 'swapped.jsonl')
  const [file, pipe] = [join(home, 'session.jsonl'), join(home, 'pipe')]
  execFileSync('mkfifo', [pipe])
  const script = `const fs = require('node:fs'); const [, path, ...names] = process.argv
    for (let t = 0; ; t = 1 - t) { fs.linkSync(names[t], path + t); fs.renameSync(path + t, path) }`
  const swaps = spawn(process.execPath, ['-e', script, path, file, pipe], { stdio: 'ignore' })
  onTestFinished(() => void swaps.kill('SIGKILL'))
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve))
  for (let round = 0; round < 8; round += 1) {
    const run = hook(eventJson({ ...end, transcript_path: path }, home), { home, held: (child) => endedWithTest(child) })
    expect(await run).toMatchObject({ code: 0, signal: null, stdout: '', stderr: '' })
  }
  expect(swaps.exitCode).toBeNull()
})

function isOpenable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Closes stdin, and leaves no hung process behind. */
function endedWithTest(child: ReturnType<typeof spawn>): void {
  child.stdin?.end()
  onTestFinished(() => void child.kill('SIGKILL'))
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s while it works ends it with 0', async (signal) => {
  const { home } = await opened(signal)
  const fifo = join(home, 'waits.jsonl')
  writeFileSync(fifo, readFileSync(join(home, 'session.jsonl')))
  // The words never come into the transcript: the hook waits for them, and tells that it began by the stored turn.
  const event = eventJson({ ...stop('Never written.'), transcript_path: fifo }, home)
  const run = await hook(event, {
    home,
    env: { VARVE_HOOK_DEBUG: '1' },
    held: (child) => {
      child.stdin?.end()
      void firstTurn(home).then(() => child.kill(signal))
    },
  })
  expect(run).toEqual({ ...silent, stderr: `varve hook: ${signal}\n` })
})

async function firstTurn(home: string): Promise<void> {
  await using memory = await openMemory({ store: join(home, 'varve.db'), upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  while ((await ada.messages(sessionOfHooks)).length < 2) await new Promise((resolve) => setImmediate(resolve))
}

test('a stdin that is never closed is given up', async () => {
  const { home } = await opened('held')
  const run = await hook('{', { home, env: { VARVE_HOOK_DEBUG: '1' }, held: () => undefined })
  expect(run).toEqual({ ...silent, stderr: 'varve hook: INPUT_LATE\n' })
})
