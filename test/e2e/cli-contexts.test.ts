import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('contexts')
const store = join(home, 'shown.db')
const ids: string[] = []

function varve(...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  return typedHere([...args, '--store', store, '--user', 'ada'], { env, cwd: home })
}

beforeAll(async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 9))
  const options = { store, clock, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false } as const
  await using memory = await openMemory(options)
  const ada = memory.for({ user: 'ada' })
  const said = await ada.append('winter', { role: 'user', content: 'The kiosk opens on the 16th.', name: 'Nando' })
  clock.advance(60_000)
  ids.push((await ada.context({ query: 'kiosk', session: 'winter' })).id)
  clock.advance(60_000)
  await ada.append('winter', { role: 'user', content: 'And the bakery?' })
  clock.advance(60_000)
  ids.push((await ada.context({ query: 'bakery', session: 'winter' })).id)
  await ada.forget({ messages: [said.messages[0]?.id ?? ''] })
})

afterAll(() => rmSync(home, { recursive: true }))

test('varve contexts lists them, shows one again with a mark for what is gone, and says why two differ', async () => {
  const [first = '', second = ''] = ids
  const { stdout } = await varve('contexts')
  expect(stdout.split('\n')[0]).toMatch(
    new RegExp(`^${second}  2026-01-05 09:03  \\d+ of 4,000 tokens, 2 items, 1 forgotten since  winter$`),
  )
  expect(stdout.split('\n')[1]).toContain(first)
  expect((await varve('contexts', 'show', second)).stdout).toContain(
    '   [gone since: message]\n   2026-01-05 09:02 user: And the bakery?\n',
  )
  const compared = (await varve('contexts', 'compare', first, second)).stdout
  expect(compared).toContain('two questions\n\nrecent  0 stayed, 2 came in, 1 fell out, 0 changed\n')
  expect(compared).toContain('   + 2026-01-05 09:02 user: And the bakery?  stored after the other\n')
  const { context }: { context: { id: string; isSame: boolean } } = JSON.parse((await varve('contexts', 'show', first, '--json')).stdout)
  expect(context).toMatchObject({ id: first, isSame: false, forgotten: 1 })
  expect(await varve('contexts', 'show', 'none')).toMatchObject({ code: 1, stdout: '' })
  expect(await varve('contexts', '--session', 'spring')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('No context'),
  })
})
