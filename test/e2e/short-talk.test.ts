import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { english, german, romance } from '../fixtures/memory/short-talk.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const byWords = sharedMemory({ embeddingModel: false })

/** Says each memory in a session of its own: none has enough letters to tell its language. */
async function told(said: readonly string[], ada = byWords.user()): Promise<UserMemory> {
  for (const [place, content] of said.entries()) await ada.append(`session ${place}`, { role: 'user', content })
  return ada
}

/** The memory that is found first. */
async function first(ada: UserMemory, question: string): Promise<string | undefined> {
  return (await ada.recall(question)).hits[0]?.text
}

/** Talks, with the least number of their questions that find the memory first. The published German stemmer leaves "wohnt" as it is. */
const talks = { english: [english, 22], german: [german, 6], romance: [romance, 10] } as const

for (const [name, [{ said, asked }, least]] of Object.entries(talks))
  test(`talk too short to tell its language is found in other forms of its words: ${name}`, async () => {
    const ada = await told(said)
    const found: string[] = []
    for (const [question, place] of asked) if ((await first(ada, question)) === said[place]) found.push(question)
    expect(found.length, `found by: ${found.join(' ')}`).toBeGreaterThanOrEqual(least)
  })

test('a first short memory alone is found, and its words are shown in a context', async () => {
  const ada = await told(['He lives there.'])
  expect(await first(ada, 'live')).toBe('He lives there.')
  expect((await ada.context({ query: 'Where did he live?' })).text).toContain('He lives there.')
})

test('what was said before the language was known is found after it', async () => {
  const ada = await told(['He lives there.', 'Bo drives trucks.'])
  await ada.append('long', {
    role: 'user',
    content: 'The weather has been nice these last weeks, and we walked along the river every evening.',
  })
  expect(await first(ada, 'Where did they live?')).toBe('He lives there.')
  expect(await first(ada, 'What is Bo driving?')).toBe('Bo drives trucks.')
  await ada.forget({ session: 'session 0' })
  expect((await ada.recall('live')).hits).toEqual([])
})

test('words of another family are not found by a common beginning', async () => {
  const ada = await told(['Six livers.', 'The news is old.'])
  for (const question of ['live', 'new']) expect((await ada.recall(question)).hits, question).toEqual([])
})
