import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { assert, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { newHome } from '../fixtures/cli/in-process.ts'
import { end, eventJson, type HookAnswer, preCompact, sessionOfHooks, start } from '../fixtures/hooks/claude-code.ts'
import { openedStore } from '../fixtures/hooks/opened.ts'
import { assistant, user } from '../fixtures/importers/transcript.ts'
import { servedForTest } from '../fixtures/server/serve.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')
const next = { session_id: '22222222-0000-4000-8000-000000000000' }
const asked = 'Please always run the tests of the pier before you commit.'

/** Runs a hook as a process of its own, and gives its answer. */
async function hook(home: string, event: Parameters<typeof eventJson>[0], flags: readonly string[], env: object = {}) {
  const args = [main, 'hook', 'claude-code', '--deadline-ms', '60000', '--project', 'kiosk', ...flags]
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, VARVE_EMBEDDINGS: 'off', ...env },
  })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  child.stdin.end(eventJson(event, home))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code).toBe(0)
  const answer: HookAnswer | undefined = said === '' ? undefined : JSON.parse(said)
  return answer?.hookSpecificOutput.additionalContext ?? ''
}

/** Talk of now: old talk that was never read is due at once. */
function said(home: string, words = asked): void {
  const timestamp = new Date().toISOString()
  const lines = [user(1, words), assistant(2, [{ type: 'text', text: 'I will.' }])]
  writeFileSync(
    join(home, 'session.jsonl'),
    lines.map((line) => `${JSON.stringify({ ...line, timestamp, sessionId: sessionOfHooks })}\n`).join(''),
  )
}

test.each([
  ['a user', ['--user', 'ada']],
  ['the anonymous user', []],
])('what %s asked for in a session is known at the start of the next', async (name, whose) => {
  const home = newHome(`session-end-${name.length}`)
  const store = join(home, 'varve.db')
  said(home)
  const flags = ['--store', store, ...whose]
  await hook(home, end, flags)
  // The upkeep is a process of its own, which ends by itself.
  const { memory } = await openedStore(store)
  const handle = memory.for({ project: 'kiosk', ...(whose.length === 0 ? {} : { user: 'ada' }) })
  await expect.poll(() => handle.instructions.list(), { timeout: 60_000 }).toHaveLength(1)
  expect(await hook(home, start('startup', next), flags)).toMatch(/Asked for by the user.*\n.*tests of the pier/)
})

/** The number of the process that works on a store after a session. */
function upkeepOf(store: string): number | undefined {
  const lines = globSync('/proc/[0-9]*/cmdline').map((file) => {
    try {
      return { file, line: readFileSync(file, 'utf8') }
    } catch {
      return { file, line: '' }
    }
  })
  const found = lines.find(({ line }) => line.includes('\0upkeep\0') && line.includes(store))
  return found === undefined ? undefined : Number(found.file.split('/')[2])
}

test.runIf(process.platform === 'linux')('the work after a session gives way to the prompts of the next', async () => {
  const home = newHome('session-end-priority')
  const store = join(home, 'varve.db')
  said(home)
  await hook(home, end, ['--store', store])
  const upkeep = upkeepOf(store)
  assert(upkeep !== undefined)
  expect(getPriority(upkeep)).toBe(constants.priority.PRIORITY_LOW)
  await expect.poll(() => upkeepOf(store), { timeout: 60_000 }).toBeUndefined()
})

test('a server reads the session that ended as well, unless --no-upkeep says otherwise', async () => {
  const home = newHome('session-end-served')
  said(home)
  const { memory, url } = await servedForTest()
  const { key } = await memory.keys.create({ project: 'kiosk', user: 'ada' })
  const flags = ['--url', url, '--user', 'ada']
  await hook(home, end, [...flags, '--no-upkeep'], { VARVE_KEY: key })
  expect(await memory.for({ project: 'kiosk', user: 'ada' }).instructions.list()).toEqual([])
  await hook(home, end, flags, { VARVE_KEY: key })
  expect(await hook(home, start('startup', next), flags, { VARVE_KEY: key })).toMatch(/Asked for by the user.*\n.*tests of the pier/)
})

test('the end of a session of which nothing is stored does the rest of the work', async () => {
  const home = newHome('session-end-empty')
  const store = join(home, 'varve.db')
  const { ada: old } = await openedStore(store)
  await old.append('old', { role: 'user', content: asked, at: Date.now() - 86_400_000 })
  await hook(home, end, ['--store', store, '--user', 'ada'])
  await expect.poll(() => old.instructions.list(), { timeout: 60_000 }).toHaveLength(1)
})

test.each(['a store', 'a server'])('after a compaction %s knows what was asked for and corrected in the session', async (name) => {
  const home = newHome(`session-compacts-${name.length}`)
  const store = join(home, 'varve.db')
  const served = name === 'a server' ? await servedForTest() : undefined
  const { memory } = served ?? (await openedStore(store))
  const ada = memory.for({ project: 'kiosk', user: 'ada' })
  await ada.append('old', { role: 'user', content: 'I live in Ulm.', at: Date.now() - 86_400_000 })
  await ada.distil('old')
  const env = served === undefined ? {} : { VARVE_KEY: (await memory.keys.create({ project: 'kiosk', user: 'ada' })).key }
  const flags = ['--user', 'ada', ...(served === undefined ? ['--store', store] : ['--url', served.url])]
  expect(await hook(home, start('startup'), flags, env)).toMatch(/Ulm/)
  said(home, 'I live in Passau now, no longer in Ulm. From now on always answer in Esperanto.')
  await hook(home, preCompact, flags, env)
  const told = async () => (await ada.context({ query: 'Where were we?' })).text
  await expect.poll(told, { timeout: 60_000 }).toMatch(/Esperanto[^]*lives in Passau/)
  const text = await hook(home, start('compact'), flags, env)
  expect(text).toMatch(/Asked for by the user.*\n.*Esperanto/)
  expect(text).toMatch(/What is known.*\n(?:About ada:\n)?- lives in Passau/)
  expect(text).not.toContain('- lives in Ulm')
})
