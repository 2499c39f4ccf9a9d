import { convertToModelMessages, type ModelMessage, modelMessageSchema, type UIMessage, validateUIMessages } from 'ai'
import { expect, test } from 'vitest'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()

const uiMessages: UIMessage[] = [
  {
    id: 'ui-1',
    role: 'user',
    parts: [
      { type: 'text', text: 'When does the ferry leave?' },
      { type: 'file', mediaType: 'image/png', filename: 'pier.png', url: 'data:image/png;base64,AA==' },
    ],
  },
  {
    id: 'ui-2',
    role: 'assistant',
    metadata: { model: 'small' },
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'hidden thought about timetables' },
      { type: 'tool-timetable', toolCallId: 'c1', state: 'output-available', input: { pier: 'north' }, output: { leaves: '09:00' } },
      {
        type: 'dynamic-tool',
        toolName: 'weather',
        toolCallId: 'c2',
        state: 'output-error',
        input: { day: 'monday' },
        errorText: 'no barometer',
      },
      { type: 'text', text: 'It leaves at nine from the north pier.' },
    ],
  },
]

test('UIMessages are appended as they are: text is searched, tools are told by name, and parts come back unchanged', async () => {
  const ada = shared.user()
  const { messages } = await ada.append('chat', uiMessages)
  expect(messages.map(({ externalId }) => externalId)).toEqual(['ui-1', 'ui-2'])
  const [question, answer] = await ada.messages('chat')
  expect(question).toMatchObject({
    role: 'user',
    origin: 'person',
    content: 'When does the ferry leave?\n\n[file pier.png]',
    parts: uiMessages[0]?.parts,
  })
  expect(answer).toMatchObject({ role: 'assistant', origin: 'assistant', parts: uiMessages[1]?.parts, metadata: { model: 'small' } })
  expect(answer?.content).toContain('timetable({"pier":"north"}): {"leaves":"09:00"}')
  expect(answer?.content).toContain('weather({"day":"monday"}): failed: no barometer')
  expect(answer?.content).toContain('It leaves at nine from the north pier.')
  expect(answer?.content).not.toContain('hidden thought')
  expect((await ada.recall('north pier')).hits[0]?.externalId).toBe('ui-2')
  expect((await ada.append('chat', uiMessages)).duplicates).toEqual(['ui-1', 'ui-2'])
})

const modelMessages: ModelMessage[] = [
  { role: 'system', content: 'You sell ferry tickets.' },
  { role: 'user', content: 'Is the kiosk open?' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And the café?' },
      { type: 'file', data: 'AA==', mediaType: 'application/pdf', filename: 'menu.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'hours', input: { place: 'kiosk' } },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'hours', output: { type: 'json', value: { opens: '10:00' } } }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c2', toolName: 'hours', output: { type: 'text', value: 'closed on Sundays' } }],
  },
  { role: 'assistant', content: 'It opens at ten.' },
]

test('ModelMessages are appended as they are: strings, content parts, tool calls and results', async () => {
  const ada = shared.user()
  await ada.append('chat', modelMessages)
  const messages = await ada.messages('chat')
  expect(messages.map(({ role, origin, content }) => [role, origin, content])).toEqual([
    ['system', 'system', 'You sell ferry tickets.'],
    ['user', 'person', 'Is the kiosk open?'],
    ['user', 'person', 'And the café?\n\n[file menu.pdf]'],
    ['assistant', 'assistant', 'Let me look.\n\nhours({"place":"kiosk"})'],
    ['tool', 'tool', 'hours: {"opens":"10:00"}'],
    ['tool', 'tool', 'hours: closed on Sundays'],
    ['assistant', 'assistant', 'It opens at ten.'],
  ])
  expect(messages.map(({ parts }) => parts)).toEqual(
    modelMessages.map(({ content }) => (typeof content === 'string' ? undefined : content)),
  )
  expect((await ada.messages('chat', { tools: false })).some(({ role }) => role === 'tool')).toBe(false)
  expect((await ada.recall('closed on Sundays')).hits[0]?.role).toBe('tool')
})

test('a message that is only a picture is kept with its parts; an assistant’s that is only a thought or a step is skipped', async () => {
  const ada = shared.user()
  const wordless: UIMessage[] = [
    { id: 'picture', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }] },
    { id: 'thought', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'reasoning', text: 'hmm' }] },
    { id: 'stopped', role: 'assistant', parts: [] },
  ]
  const { skipped } = await ada.append('chat', [...wordless, ...uiMessages])
  expect(skipped.map(({ index }) => index)).toEqual([1, 2])
  expect((await ada.messages('chat')).map(({ externalId }) => externalId)).toEqual(['picture', 'ui-1', 'ui-2'])
})

test('instructions to a model are kept, and never found', async () => {
  const ada = shared.user()
  await ada.append('chat', modelMessages)
  expect((await ada.recall('sell tickets')).hits).toEqual([])
  expect((await ada.context({ session: 'chat', query: 'tickets' })).text).not.toContain('You sell')
})

test('compacted UIMessages and ModelMessages are still what the AI SDK takes', async () => {
  const ada = shared.user()
  const talk: UIMessage[] = Array.from({ length: 12 }, (_, place) =>
    uiMessages.map((message) => ({ ...message, id: `${message.id} ${place}` })),
  ).flat()
  await ada.append('long chat', talk)
  const after: UIMessage[] = await ada.compact(talk, { session: 'long chat', maxTokens: 2_500 })
  expect(after.length).toBeLessThan(talk.length)
  expect(await validateUIMessages({ messages: after })).toEqual(after)
  const model: ModelMessage[] = await convertToModelMessages(talk)
  const compacted: ModelMessage[] = await ada.compact(model, { session: 'long chat', maxTokens: 2_500 })
  expect(compacted.length).toBeLessThan(model.length)
  expect(modelMessageSchema.array().parse(compacted)).toHaveLength(compacted.length)
  expect(await convertToModelMessages(after)).not.toHaveLength(0)
})
