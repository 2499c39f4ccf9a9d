import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('instructions')
const store = join(home, 'asked.db')

function varve(...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  return typedHere([...args, '--store', store, '--user', 'ada'], { env, cwd: home })
}

/** Gives the data of a command that must succeed. */
async function data(...args: string[]) {
  const { code, stdout, stderr } = await varve(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  await using memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  const ada = memory.for({ user: 'ada' })
  await ada.append('winter', { role: 'user', name: 'Ada', content: 'Always show the tide in metres.', at: '2026-01-05T09:00:00Z' })
  await ada.distil('winter')
})

afterAll(() => rmSync(home, { recursive: true }))

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

test('instructions are listed with whose words, since when, and the id', async () => {
  const { code, stdout, stderr } = await varve('instructions')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    new RegExp(
      '^Always show the tide in metres\n {3}Ada, since 2026-01-05 09:00, by extractive\n' +
        ` {3}"Always show the tide in metres" = winter #1\n {3}id ${id}\n$`,
    ),
  )
  expect(await data('instructions', 'list')).toMatchObject({ instructions: [{ text: 'Always show the tide in metres', by: 'Ada' }] })
})

test('one is added, edited and withdrawn by the beginning of its id, and then listed as ended', async () => {
  const { instruction } = await data('instructions', 'add', 'Call me Captain.')
  const start = String(instruction.id).slice(0, 13)
  expect((await varve('instructions', 'edit', start, 'Call me Skipper.')).stdout).toMatch(/^Call me Skipper\. {2}\[by hand, edited\]\n/)
  expect((await varve('instructions', 'withdraw', start)).stdout).toMatch(/\n {3}withdrawn, \d{4}-\d\d-\d\d \d\d:\d\d\n/)
  expect((await data('instructions')).instructions).toHaveLength(1)
  expect((await data('instructions', '--ended')).instructions).toMatchObject([{ text: 'Call me Skipper.' }, { by: 'Ada' }])
})

test('a wrong text or id is refused, with the next command', async () => {
  expect(await varve('instructions', 'add', ' ')).toMatchObject({ code: 2, stderr: expect.stringContaining('300 characters') })
  const { code, stderr } = await varve('instructions', 'withdraw', '01890a5d-ac96-774b-bcce-b302099a8057')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/no instruction .*\nNext: varve instructions --ended/) })
})

test('where the layer is off, the list says so', async () => {
  await varve('settings', 'set', 'layers.instructions', 'off')
  expect((await varve('instructions')).stderr).toContain('Next: varve settings set layers.instructions on')
})
