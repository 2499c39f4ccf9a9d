import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('timeline')
const store = join(home, 'said.db')

function varve(...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  return typedHere([...args, '--store', store, '--user', 'ada'], { env, cwd: home })
}

beforeAll(async () => {
  await using memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  const ada = memory.for({ user: 'ada' })
  await ada.append('winter', [
    { role: 'user', content: 'The kiosk opens on the 16th.', name: 'Nando', at: '2026-01-05T09:00:00Z' },
    { role: 'assistant', content: 'Noted.\u001b[2J', at: '2026-01-07T09:00:00Z' },
  ])
  await ada.append('spring', { role: 'user', content: 'And the bakery?', at: '2026-01-06T10:30:00Z' })
  await ada.append('spring', [
    { role: 'user', origin: 'assistant', thread: 'agent-1', content: 'Find the lighthouse.', at: '2026-03-01T09:00:00Z' },
    { role: 'user', origin: 'tool', content: 'lighthouse.txt', at: '2026-03-01T09:01:00Z' },
  ])
})

afterAll(() => rmSync(home, { recursive: true }))

test('varve timeline shows what was said in a time, over all sessions, and asks no question', async () => {
  expect(await varve('timeline', '--to', '2026-01-06')).toMatchObject({
    code: 0,
    stdout:
      '2026-01-06 10:30  user  spring #1\n   And the bakery?\n\n2026-01-05 09:00  Nando  winter #1\n   The kiosk opens on the 16th.\n',
  })
  const { stdout } = await varve('timeline', '--order', 'oldest', '--limit', '2', '--json')
  const { messages }: { messages: { content: string }[] } = JSON.parse(stdout)
  expect(messages.map(({ content }) => content)).toEqual(['The kiosk opens on the 16th.', 'And the bakery?'])
  expect((await varve('timeline')).stdout).toContain('   Noted.\n')
  expect(await varve('timeline', '--from', '2027-01-01')).toMatchObject({ code: 0, stdout: '', stderr: 'No message of that time.\n' })
  expect(await varve('timeline', '--order', 'upwards')).toMatchObject({ code: 2, stderr: expect.stringContaining('newest, oldest') })
})

// requirement: P4.1
test.each([
  ['timeline', ['timeline', '--from', '2026-03-01'], ['tool', 'assistant']],
  ['sessions show', ['sessions', 'show', 'spring'], ['user', 'assistant', 'tool']],
  [
    'recall',
    ['recall', 'lighthouse', '--neighbours', '1', '--limit', '2'],
    ['tool', 'before, assistant:', 'assistant', 'before, user:', 'after, tool:'],
  ],
])('varve %s names whose words stand in the user’s place', async (_, args, named) => {
  const { stdout } = await varve(...args)
  expect(stdout.match(/(?<=  )(?:user|assistant|tool)(?=  )|(?:before|after), (?:user|assistant|tool):/g)).toEqual(named)
})
