import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { newHome, type Outcome, typedHere } from '../fixtures/cli/in-process.ts'

const home = newHome('pending-forget')
const store = join(home, 'asked.db')

function varve(...args: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, VARVE_EMBEDDINGS: 'off' }
  return typedHere([...args, '--store', store, '--user', 'ada'], { env, cwd: home })
}

beforeAll(async () => {
  await using memory = await openMemory({ store, upkeep: 'manual', isolation: 'silent', languageModel: false, embeddingModel: false })
  const ada = memory.for({ user: 'ada' })
  const said = ['I live in Oslo.', 'I drive a Skoda.', 'Forget where I live.', 'Forget what I said about my Skoda.']
  for (const [place, content] of said.entries()) await ada.append('winter', { role: 'user', content, at: `2026-01-05T09:0${place}:00Z` })
  await ada.distil('winter')
})

afterAll(() => rmSync(home, { recursive: true }))

async function ids(): Promise<string[]> {
  const { stdout } = await varve('pending-forget', 'list', '--json')
  const listed: { requests: { id: string }[] } = JSON.parse(stdout)
  return listed.requests.map(({ id }) => id)
}

test('requests are listed, and confirmed with --yes alone', async () => {
  expect((await varve('pending-forget')).stdout).toMatch(
    /^Skoda\n {3}"Forget what I said about my Skoda\." = winter, 2026-01-05 09:03; 2 messages, 1 fact\n {3}id [\da-f-]{36}\n\nlive\n/,
  )
  const [skoda = ''] = await ids()
  const shown = await varve('pending-forget', 'confirm', skoda)
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('Would erase 2 messages. Nothing was done yet.') })
  expect(await ids()).toHaveLength(2)
  expect((await varve('pending-forget', 'confirm', skoda, '--yes')).stdout).toMatch(/^Forgotten: 2 messages/)
  expect(await varve('pending-forget', 'confirm', skoda, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no pending forget .*\nNext: varve pending-forget/),
  })
})

test('one is dismissed', async () => {
  const [home = ''] = await ids()
  expect((await varve('pending-forget', 'dismiss', home)).stdout).toBe(`Dismissed: ${home}.\n`)
  expect(await varve('pending-forget')).toMatchObject({ code: 0, stderr: expect.stringContaining('No request to forget waits here.') })
})
