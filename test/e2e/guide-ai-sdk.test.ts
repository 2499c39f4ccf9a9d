import { readFileSync } from 'node:fs'
import { tool, type UIMessage } from 'ai'
import type { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { varveMemory } from '../../packages/varve/src/integrations/ai-sdk/index.ts'
import { answering, failing, promptOf, streaming, told, toolCalled } from '../fixtures/ai-sdk/scripted-models.ts'
import { agentWithMemory } from '../fixtures/guides/ai-sdk/agent.ts'
import { answer } from '../fixtures/guides/ai-sdk/answer.ts'
import { answers } from '../fixtures/guides/ai-sdk/answers.ts'
import { chatReply } from '../fixtures/guides/ai-sdk/chat-reply.ts'
import { stream } from '../fixtures/guides/ai-sdk/stream.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory()
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the blocks of the guide are the code that is run here', () => {
  const blocks = [...read('../../docs/guides/ai-sdk.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const files = ['answers', 'agent', 'answer', 'stream', 'chat-reply'].map((name) =>
    read(`../fixtures/guides/ai-sdk/${name}.ts`).replace("'../../../../packages/varve/src/index.ts'", "'varve'"),
  )
  expect(blocks).toEqual(files)
})

const toolCall = toolCalled('hours', { place: 'kiosk' })
const tools = { hours: tool({ inputSchema: z.object({ place: z.string() }), execute: async () => ({ opens: '10:00' }) }) }

async function kept(ada: UserMemory, session = 'chat'): Promise<string[]> {
  return (await ada.messages(session)).map(({ role, content }) => `${role}: ${content}`)
}

test('the wrapped model: what one session said is known in the next, and both sides are stored', async () => {
  const model = streaming(toolCalled('memory_recall', { query: 'sesame' }), told('No ', 'sesame.'))
  const { answer: ask, settled } = answers(shared.memory, model)
  const ada = shared.memory.for({ project: 'acme', user: 'ada' })
  await ada.append('past', { role: 'user', content: 'Jule is allergic to sesame.' })
  // The first question to a process loads the memory, which may take longer than the guide's code waits.
  await ada.context({ query: 'sesame' })
  expect(await ask('ada', 'chat', 'What is Jule allergic to?', new AbortController().signal).text).toBe('No sesame.')
  await settled()
  expect(promptOf(model.doStreamCalls[0])).toContain('user: Jule is allergic to sesame.')
  expect(await kept(ada)).toEqual(['user: What is Jule allergic to?', 'assistant: No sesame.'])
})

test('one agent for all users, by the middleware alone', async () => {
  const model = answering(() => 'No sesame.')
  const varve = varveMemory({ memory: shared.memory })
  const agent = agentWithMemory(model, varve)
  await agent.generate({ prompt: 'Hello there.', options: { user: 'nando', session: 'chat' } })
  await varve.settled()
  expect(await kept(shared.memory.for({ project: 'acme', user: 'nando' }))).toEqual(['user: Hello there.', 'assistant: No sesame.'])
})

test.each([undefined, null, '', ' '])('a login that is missing is refused, and nobody’s memory is used: %j', async (nobody) => {
  const user: string = Object(nobody).missing ?? nobody
  const model = answering(() => 'No sesame.')
  const varve = varveMemory({ memory: shared.memory })
  await expect(agentWithMemory(model, varve).generate({ prompt: 'Hello.', options: { user, session: 'chat' } })).rejects.toThrow(/user/)
  const { answer } = answers(shared.memory, model)
  expect(() => answer(user, 'chat', 'Hello.', new AbortController().signal)).toThrow(/^user must/)
  expect(model.doGenerateCalls).toEqual([])
  expect(await shared.memory.for({ project: 'acme' }).sessions.list()).toEqual([])
})

test('generateText: the model reads what was said before, and both sides are remembered', async () => {
  const ada = shared.user()
  await ada.append('past', { role: 'user', content: 'Jule is allergic to sesame.' })
  const model = answering(() => 'No sesame, then.')
  expect(await answer(ada, 'chat', 'What is Jule allergic to?', model)).toBe('No sesame, then.')
  const prompt = JSON.stringify(model.doGenerateCalls[0]?.prompt)
  expect(prompt).toContain('user: Jule is allergic to sesame.')
  expect(prompt.match(/What is Jule allergic to/g)).toHaveLength(1)
  expect(await kept(ada)).toEqual(['user: What is Jule allergic to?', 'assistant: No sesame, then.'])
})

describe('streamText', () => {
  const asked = 'user: When does it open?'
  const called = ['assistant: hours({"place":"kiosk"})', 'tool: hours: {"opens":"10:00"}']

  async function streamed(model: MockLanguageModelV4, stopAt?: string): Promise<{ readonly written: string; readonly kept: string[] }> {
    const ada = shared.user()
    const controller = new AbortController()
    let written = ''
    if (stopAt === '') controller.abort()
    const write = (words: string): void => {
      written += words
      if (stopAt !== undefined && written.includes(stopAt)) controller.abort()
    }
    await stream(ada, 'chat', 'When does it open?', { model, tools, signal: controller.signal, write })
    return { written, kept: await kept(ada) }
  }

  test('keeps the tool calls, their results and the words, each once', async () => {
    const { written, kept: after } = await streamed(streaming(toolCall, told('It opens ', 'at ten.')))
    expect(written).toBe('It opens at ten.')
    expect(after).toEqual([asked, ...called, 'assistant: It opens at ten.'])
  })

  test('that is stopped keeps what was said until then, and the steps that had ended', async () => {
    const { kept: after } = await streamed(streaming(toolCall, told('It opens ', 'at ten, ', 'on most days.')), 'opens')
    expect(after.slice(0, 3)).toEqual([asked, ...called])
    expect(after[3]).toMatch(/^assistant: It opens /)
    expect(after).toHaveLength(4)
  })

  test('that is stopped before its first word keeps the user’s line', async () => {
    expect((await streamed(streaming(told('It opens at ten.')), '')).kept).toEqual([asked])
  })

  test('that fails keeps what was said until then, and the caller gets the error', async () => {
    const ada = shared.user()
    const signal = new AbortController().signal
    const failed = stream(ada, 'chat', 'When does it open?', {
      model: streaming(toolCall, failing('It opens ')),
      tools,
      signal,
      write: () => undefined,
    })
    await expect(failed).rejects.toThrow('the provider fell over')
    expect(await kept(ada)).toEqual([asked, ...called, 'assistant: It opens '])
  })
})

describe('a chat of UIMessages', () => {
  const message = (id: string, role: 'user' | 'assistant', text: string): UIMessage => ({ id, role, parts: [{ type: 'text', text }] })
  const messages = [
    message('m1', 'user', 'I like soup.'),
    message('m2', 'assistant', 'Soup it is.'),
    message('m3', 'user', 'Which soup has Jule had?'),
  ]

  async function chatted(model: MockLanguageModelV4, stopAt?: string) {
    const ada = shared.user()
    await ada.append('past', { role: 'user', content: 'Jule had the pea soup.' })
    for (const one of messages.slice(0, 2)) await ada.append('chat', one)
    const controller = new AbortController()
    if (stopAt === '') controller.abort()
    const response = await chatReply(ada, model, { id: 'chat', messages }, controller.signal)
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) if (stopAt !== undefined && decoder.decode(bytes).includes(stopAt)) controller.abort()
    return { ada, kept: await kept(ada), prompt: JSON.stringify(model.doStreamCalls[0]?.prompt) }
  }

  const before = ['user: I like soup.', 'assistant: Soup it is.', 'user: Which soup has Jule had?']

  test('reads its history once, and what other sessions say', async () => {
    const { ada, kept: after, prompt } = await chatted(streaming(told('The pea ', 'soup.')))
    expect(prompt).toContain('user: Jule had the pea soup.')
    expect(prompt.match(/Soup it is/g)).toHaveLength(1)
    expect(after).toEqual([...before, 'assistant: The pea soup.'])
    const ids = (await ada.messages('chat')).map(({ externalId }) => externalId)
    expect(ids.slice(0, 3)).toEqual(['m1', 'm2', 'm3'])
    expect(ids[3]).toMatch(/\w/)
  })

  test('that is stopped keeps what was said until then; before the first word, nothing of the assistant', async () => {
    const stopped = await chatted(streaming(told('The pea ', 'soup, ', 'I think.')), 'The pea')
    expect(stopped.kept).toHaveLength(4)
    expect(stopped.kept[3]).toMatch(/^assistant: The pea /)
    expect((await chatted(streaming(told('The pea soup.')), '')).kept).toEqual(before)
  })
})
