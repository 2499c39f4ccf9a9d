import { spawn } from 'node:child_process'
import { createReadStream, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { builtProgram } from '../built.ts'
import { newHome } from '../fixtures/cli/in-process.ts'
import { eventJson, prompt, sessionOfHooks, stop } from '../fixtures/hooks/claude-code.ts'
import { assistant, call, user } from '../fixtures/importers/transcript.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')
const huge = 100 * 1024 * 1024

/** The most memory of a hook, whatever it is given: of its own it takes some 100 MB. */
const mostMegabytes = 350

/** Runs a hook as Claude Code does. Tells what it said, how it ended, and its peak of memory. */
async function hook(home: string, input: string | NodeJS.ReadableStream) {
  const probe = join(home, 'probe.mjs')
  const peak = join(home, 'peak')
  // What the process itself took at most: `maxRSS` counts the process that started it too.
  writeFileSync(
    probe,
    `import { readFileSync, writeFileSync } from 'node:fs'\n` +
      `process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, readFileSync('/proc/self/status', 'utf8')))\n`,
  )
  const flags = ['--store', join(home, 'varve.db'), '--project', 'kiosk', '--user', 'ada', '--no-upkeep', '--deadline-ms', '60000']
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off', NODE_OPTIONS: `--import ${probe}` }
  const child = spawn(process.execPath, [main, 'hook', 'claude-code', ...flags], { cwd: home, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
  child.stdin.on('error', () => undefined)
  if (typeof input === 'string') child.stdin.end(input)
  else input.pipe(child.stdin)
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(peak, 'utf8'))?.[1]) / 1024).toBeLessThan(mostMegabytes)
  return { code, said }
}

async function stored(home: string): Promise<readonly string[]> {
  const memory = await openMemory({ store: join(home, 'varve.db'), upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  onTestFinished(() => memory.close())
  return (await memory.for({ project: 'kiosk', user: 'ada' }).messages(sessionOfHooks)).map(({ content }) => content)
}

const line = (one: object): string => `${JSON.stringify({ ...one, sessionId: sessionOfHooks })}\n`
const silent = { code: 0, said: '' }

test('100 MB on stdin, of JSON or not, are silent', async () => {
  const home = newHome('huge-stdin')
  const file = join(home, 'stdin')
  for (const begin of ['', '{"hook_event_name":"Stop","session_id":"s","prompt":"']) {
    writeFileSync(file, begin)
    truncateSync(file, huge)
    expect(await hook(home, createReadStream(file))).toEqual(silent)
  }
  // Below the bound of stdin, and one word.
  expect(await hook(home, eventJson(prompt('x'.repeat(15 * 1024 * 1024)), home))).toEqual(silent)
})

test('of a transcript with a line of 100 MB, and one cut off, the other lines are stored', async () => {
  const home = newHome('huge-line')
  const file = openSync(join(home, 'session.jsonl'), 'w')
  writeSync(file, line(user(1, 'The first words.')))
  writeSync(file, '{"uuid":"big","x":"')
  for (let place = 0; place < huge; place += 1_048_576) writeSync(file, 'y'.repeat(1_048_576))
  writeSync(file, `"}\n${line(user(2, 'The last words.'))}{"uuid":"cut`)
  for (let round = 0; round < 2; round += 1) expect(await hook(home, eventJson(stop(), home))).toEqual(silent)
  expect(await stored(home)).toEqual(['The first words.', 'The last words.'])
})

test('a transcript of 100 MB of bytes, and lines that are nested deeply, are silent and stop no other line', async () => {
  const home = newHome('huge-bytes')
  const path = join(home, 'session.jsonl')
  writeFileSync(path, '\xff\0"uuid":"')
  truncateSync(path, huge)
  expect(await hook(home, eventJson(stop(), home))).toEqual(silent)
  const deep = line(assistant(2, [call('t1', 'Write', { a: 0 })])).replace('{"a":0}', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
  expect(deep.length).toBeGreaterThan(400_000)
  writeFileSync(path, `${line(user(1, 'The first words.'))}${deep}${line(user(3, 'The last words.'))}`)
  expect(await hook(home, eventJson(stop(), home))).toEqual(silent)
  expect((await stored(home)).filter((words) => words.startsWith('The'))).toEqual(['The first words.', 'The last words.'])
})
