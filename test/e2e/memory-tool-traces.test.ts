import { expect, test } from 'vitest'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

/** One step of an agent: a call without a word, and its result. */
function step(place: number): MessageInput[] {
  const toolCallId = `call ${place}`
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'look', input: { page: place } }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'look', output: { type: 'text', value: `nothing ${place}` } }] },
  ]
}

const talk: MessageInput[] = [
  { role: 'user', content: 'Is the kiosk open?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look it up.' },
      { type: 'tool-call', toolCallId: 'first', toolName: 'hours', input: { place: 'kiosk' } },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'first', toolName: 'hours', output: { type: 'text', value: 'ten' } }] },
  ...Array.from({ length: 40 }, (_, place) => step(place)).flat(),
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'last', content: 'a result in a user’s turn' }] },
  { role: 'assistant', content: 'It opens at ten.' },
]

test('without tools a page holds words alone, however many calls stand between them', async () => {
  const ada = shared.user()
  await ada.append('chat', talk)
  const said = async (options: { limit?: number; before?: number }) =>
    (await ada.messages('chat', { ...options, tools: false })).map(({ content }) => content)
  const all = ['Is the kiosk open?', 'Let me look it up.\n\nhours({"place":"kiosk"})', 'It opens at ten.']
  expect(await said({})).toEqual(all)
  expect(await said({ limit: 2 })).toEqual(all.slice(1))
  expect(await said({ limit: 1, before: 80 })).toEqual(all.slice(1, 2))
  // Nothing is left out where tools are shown: each result stands behind its call.
  expect(await ada.messages('chat', { limit: 1_000 })).toHaveLength(talk.length)
})

test('the recent turns of a context are words, not calls', async () => {
  const ada = shared.user()
  await ada.append('chat', talk)
  const { sections } = await ada.context({
    session: 'chat',
    query: 'and on Sunday?',
    tiers: { recent: { limit: 3 }, details: { limit: 0 } },
  })
  const recent =
    sections
      .find(({ tier }) => tier === 'recent')
      ?.text.split('\n')
      .slice(1) ?? []
  expect(recent.map((line) => line.replace(/^[\d: -]+/, ''))).toEqual([
    'user: Is the kiosk open?',
    'assistant: Let me look it up.',
    'assistant: It opens at ten.',
  ])
})
