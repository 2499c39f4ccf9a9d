import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { typedIn } from '../fixtures/cli/typed.ts'

const { home, store, varve } = typedIn('notes')
const folder = join(home, 'files')

/** Gives the data of a command that must succeed. */
async function data(...args: string[]) {
  const { code, stdout } = await varve([...args, '--json'])
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

const talk = [
  { role: 'system', content: 'You help with a boat.' },
  { role: 'user', content: 'Fix the bilge pump of the ferry, it runs dry at 3 litres.' },
  { role: 'assistant', content: 'I decided to replace the float switch with a sensor.' },
  { role: 'user', content: 'Never solder near the tank.' },
  { role: 'assistant', content: 'Noted: crimping only.' },
] as const

/** The same file in this process, to look at the state that the commands left. */
let memory: Memory

beforeAll(async () => {
  memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  await memory.for({}).append('monday', talk.slice(1))
})

afterAll(async () => {
  await memory.close()
  rmSync(home, { recursive: true })
})

test('there are none at first, and it is said what switches them on', async () => {
  expect(await varve(['notes'])).toEqual({
    code: 0,
    stdout: '',
    stderr:
      `No notes. The layer is off in this project (notes on <session> switches it on for a session).\nNext: varve settings ` +
      `set layers.notes on --store ${store}\n`,
  })
  expect(await data('notes', 'list')).toEqual({ notes: [] })
})

test('a session switches its notes on and off by itself, and due says why nothing is written', async () => {
  expect((await varve(['notes', 'on', 'monday'])).stdout).toBe('Notes of monday are on.\n')
  expect(await data('notes', 'due', 'monday')).toEqual(await memory.for({}).notes.due('monday'))
  expect((await varve(['notes', 'due', 'monday'])).stdout).toMatch(
    /^Not due: the session is too short for notes\. \d+ tokens and 0 tool calls are not in them yet\.\nNotes are on for this session/,
  )
  expect((await varve(['sessions'])).stdout).toMatch(/4 messages {2}monday {2}\[notes on\]\n$/)
  expect(await data('notes', 'default', 'monday')).not.toHaveProperty('layers')
})

test('settings say when notes are due, and upkeep then writes them and says so', async () => {
  expect(await data('settings', 'set', 'notes.firstTokens', '20')).toMatchObject({ settings: { notes: { firstTokens: 20 } } })
  expect((await varve(['settings', 'set', 'layers.notes', 'on'])).stdout).toMatch(
    /layers\.notes +on\n[^]*notes\.firstTokens +20\n *notes\.growthTokens +5000 \(default\)/,
  )
  expect((await varve(['upkeep', 'status'])).stdout).toContain('Pages to write: notes of 1 session.\n')
  expect((await varve(['upkeep', '--all'])).stdout).toContain(' brought notes up to date 1 time, finished')
  expect((await varve(['notes'])).stdout).toMatch(/^.* {2}monday\n {3}[\d,]+ characters, revision 2, up to #4, .* by extractive\n$/)
})

test('notes are shown, updated, edited, compared and restored', async () => {
  const { stdout, stderr } = await varve(['notes', 'show', 'monday'])
  expect(stdout).toBe((await memory.for({}).notes.get('monday'))?.content)
  expect(stdout).toContain('- user: Never solder near the tank.\n')
  expect(stderr).toMatch(/^[\d,]+ characters, revision 2, up to #4, .* by extractive\n$/)
  expect((await varve(['notes', 'update', 'monday'])).stdout).toMatch(/^Notes of monday: .*revision 2, up to #4/)
  expect((await varve(['notes', 'edit', 'monday', '--revision', '2'], '# Title\n\nThe bilge pump\n')).stdout).toMatch(
    /^Notes of monday: 24 characters, revision 3, up to #4, .* by person\n$/,
  )
  expect(await data('notes', 'get', 'monday')).toEqual({ notes: await memory.for({}).notes.get('monday') })
  expect((await varve(['notes', 'diff', 'monday', '3'])).stdout).toMatch(
    /^revision 3 {2}.* by person, from monday #1 to #4\n[^]*\n {3}\+The bilge pump\n/,
  )
  expect(await data('notes', 'restore', 'monday', '2')).toMatchObject({ notes: { revision: 4, content: stdout } })
  expect(await data('notes', 'revisions', 'monday')).toEqual({ revisions: await memory.for({}).notes.revisions('monday') })
  expect((await varve(['notes', 'edit', 'monday', '--revision', '2'], 'x')).stderr).toMatch(
    /^varve: "notes of monday" is at revision 4 by now.*\nNext: varve notes show monday --store /,
  )
})

test('with --notes-directory, or its variable, a page is a file, and what is edited there is taken in', async () => {
  const { notes } = await data('notes', 'update', 'monday', '--notes-directory', folder)
  writeFileSync(notes.path, `${readFileSync(notes.path, 'utf8')}\nBy hand.\n`)
  expect((await varve(['notes', 'show', 'monday'], '', { VARVE_NOTES_DIRECTORY: folder })).stdout).toMatch(/\nBy hand\.\n$/)
  expect((await varve(['recall', 'tank', '--notes-directory', folder])).code).toBe(0)
})

test('compact keeps the shape, puts notes in the place of what they cover, and says what was kept', async () => {
  const path = join(home, 'conversation.json')
  writeFileSync(path, JSON.stringify(talk))
  const whole = await varve(['compact', path, '--session', 'monday', '--max-tokens', '10000'])
  expect(JSON.parse(whole.stdout)).toEqual(await memory.for({}).compact([...talk], { session: 'monday', maxTokens: 10_000 }))
  expect(whole.stderr).toMatch(/^\d of 5 messages kept, [\d,]+ tokens of at most 10,000(?:, with notes in the place of the others)?\n$/)
  const cut = await varve(['compact', '--session', 'never', '--max-tokens', '40', '--json'], JSON.stringify(talk))
  expect(JSON.parse(cut.stdout)).toEqual({ messages: [talk[0], talk[3], talk[4]], kept: 3, tokens: 32, notes: false })
})

test('delete shows what would go, and with --yes they stay deleted', async () => {
  expect(await varve(['notes', 'delete', 'monday'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('monday\n'),
    stderr: expect.stringMatching(/Nothing was done yet.*\nNext: varve notes delete monday --store .* --yes\n$/s),
  })
  expect(await data('notes', 'delete', 'monday', '--yes')).toMatchObject({ done: true, counts: { notes: 1 }, physical: 'done' })
  expect((await memory.for({}).sessions.get('monday')).layers).toEqual({ notes: false })
})

test.each([
  ['notes that are not there', ['notes', 'show', 'monday'], 1, 'no notes "monday" here', 'varve notes update monday'],
  ['a session that is not there', ['notes', 'show', 'never'], 1, 'no session "never" here', 'varve sessions'],
  ['an empty session', ['notes', 'update', 'quiet'], 1, 'has no message', 'varve sessions'],
  ['a page that says nothing', ['notes', 'edit', 'monday'], 2, 'stdin is empty', 'varve notes edit --help'],
  ['a setting out of range', ['settings', 'set', 'notes.toolCalls', '0'], 2, 'notes.toolCalls', 'varve settings --help'],
  [
    'a budget that nothing fits',
    ['compact', 'conversation.json', '--session', 'monday', '--max-tokens', '9'],
    2,
    'may have 9',
    'varve compact --help',
  ],
  ['what is no JSON', ['compact', '--session', 'monday', '--max-tokens', '9'], 2, 'stdin is not JSON', 'varve compact --help'],
])('%s: refused, with what to do', async (_what, args, code, message, next) => {
  await memory.for({}).sessions.ensure('quiet')
  const refused = await varve(args)
  expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  expect(refused.stderr).toMatch(new RegExp(`\nNext: ${next}(?: --store .*)?\n$`))
})
