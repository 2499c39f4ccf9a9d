import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const minute = 60_000
const clock = new ManualClock(Date.UTC(2026, 4, 4, 9))
const shared = sharedMemory({ isolation: 'silent', embeddingModel: false, clock })

/** A message of a role other than the user's. */
interface Said {
  readonly role: 'assistant' | 'tool'
  readonly content: string
}

/** Has somebody say messages, each a minute after the other and in a session of its own. Returns what stands then. */
async function standingAfter(ada: UserMemory, ...messages: readonly (string | Said)[]): Promise<string[]> {
  for (const message of messages) {
    const said = typeof message === 'string' ? ({ role: 'user', content: message } as const) : message
    clock.advance(minute)
    const session = `at-${clock.now()}`
    await ada.append(session, { ...said, at: clock.now() })
    await ada.distil(session)
  }
  return (await ada.instructions.list()).map(({ text }) => text)
}

// requirement: PART-22
test.each<[string, string[], string[]]>([
  ['words that take back end one in other words', ['Always show code in TypeScript.', 'You can stop showing code in TypeScript.'], []],
  [
    'a stop ends an always',
    ['Always add emojis to your answers.', 'Stop adding emojis to your answers.'],
    ['Stop adding emojis to your answers'],
  ],
  ['the same words after an end stand anew', ['Call me Al.', 'Call me Bo.', 'Call me Al.'], ['Call me Al']],
  ['a thing of one value has the last', ['Call me Al', 'Call me Alan'], ['Call me Alan']],
  ['different things both stand', ['Use metric units.', 'Use bullet points.'], ['Use bullet points', 'Use metric units']],
  ['other words for the same are one', ['Always show prices in pounds.', 'Show prices in pounds again.'], ['Show prices in pounds again']],
  [
    'two in a sentence end by themselves',
    ['Always give weights in grams, and keep your answers short.', 'Be more detailed in your answers from now on.'],
    ['Be more detailed in your answers from now on', 'Always give weights in grams'],
  ],
  ['a subject is taken back', ['Use metric units.', 'Answer in French.', 'Forget what I said about French.'], ['Use metric units']],
])('%s', async (_, messages, standing) => {
  expect(await standingAfter(shared.user(), ...messages)).toEqual(standing)
})

test('words that take back are kept with their message: without it, the instruction stands again', async () => {
  const ada = shared.user()
  expect(await standingAfter(ada, 'Always show code in TypeScript.', 'You can stop showing code in TypeScript.')).toEqual([])
  expect(await ada.instructions.list({ ended: true })).toMatchObject([{ endedBy: { text: 'You can stop showing code in TypeScript' } }])
  await ada.forget({ session: `at-${clock.now()}` })
  expect(await standingAfter(ada)).toEqual(['Always show code in TypeScript'])
})

test('words of an assistant, of a tool, and words that are quoted are none', async () => {
  const content = 'Always show code in TypeScript.'
  const ada = shared.user()
  expect(
    await standingAfter(
      ada,
      { role: 'assistant', content },
      { role: 'tool', content },
      `My boss wrote: "${content}"`,
      `> ${content}\n\nWhat do you think of that?`,
      `The guide says: ${content}`,
    ),
  ).toEqual([])
})

test('an instruction is no fact beside it, and a taste stays one', async () => {
  const ada = shared.user()
  await standingAfter(ada, 'Always answer in two sentences.', 'Use metric units.', 'I prefer tea to coffee.')
  const facts = (await ada.facts.list()).map(({ predicate, object }) => [predicate, object])
  expect(facts).toEqual([['prefers', 'tea to coffee']])
  // Without gists: a question that finds nothing opens a conversation with them.
  const { text } = await ada.context({ query: 'what shall I drink', tiers: { gists: { limit: 0 } } })
  expect(text.match(/metric/g)).toHaveLength(1)
})
