import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, home, store } = typedIn('migrate')
const moved = join(home, 'moved.db')

test('a store is moved and told, and the new one has what the old one has', async () => {
  await varve(['append', 'monday', 'The ferry leaves at nine.', '--user', 'ada'])
  await varve(['append', 'tuesday', 'The pier is green.', '--user', 'ada'])
  const { code, stdout, stderr } = await varve(['migrate', '--to', moved])
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/moved\.db: \d+ rows in \d+ tables, with 2 messages\.\nVerified: 1 partition, /),
  ])
  expect(stdout).toContain('and 2 questions.')
  expect(stderr).toContain('VARVE_STORE')
  expect((await varve(['sessions', '--user', 'ada', '--store', moved])).stdout).toContain('tuesday')
  const json = JSON.parse((await varve(['migrate', '--from', moved, '--to', join(home, 'again.db'), '--json'])).stdout)
  expect(json).toMatchObject({ from: moved, messages: 2, questions: 2, resumedAt: 0 })
})

test('what cannot be moved is told with what to do', async () => {
  expect(await varve(['migrate'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') })
  expect(await varve(['migrate', '--to', moved])).toMatchObject({ code: 2, stderr: expect.stringContaining('it has rows in') })
  expect(await varve(['migrate', '--to', store])).toMatchObject({ code: 2, stderr: expect.stringContaining('another place') })
  expect(await varve(['migrate', '--to', 'memory:'])).toMatchObject({ code: 2, stderr: expect.stringContaining('memory:') })
  const missing = await varve(['migrate', '--from', join(home, 'none.db'), '--to', join(home, 'new.db')])
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no store') })
})
