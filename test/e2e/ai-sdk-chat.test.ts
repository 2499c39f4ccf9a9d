import { once } from 'node:events'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AbstractChat, type ChatState, DefaultChatTransport, type UIMessage } from 'ai'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chatServer } from '../../examples/ai-sdk-chat/chat.ts'
import type { ScriptedAnswer, ScriptedRequest } from '../../packages/varve/src/testing/scripted-completion.ts'
import { scriptedModelServer } from '../../packages/varve/src/testing/scripted-model-server.ts'
import { openForTest } from '../fixtures/memory/open.ts'

/** The AI SDK's chat client, as `useChat` holds it, without a page. */
class PlainChat extends AbstractChat<UIMessage> {
  constructor(id: string, api: string) {
    const state: ChatState<UIMessage> = {
      status: 'ready',
      error: undefined,
      messages: [],
      pushMessage: (message) => void state.messages.push(message),
      popMessage: () => void state.messages.pop(),
      replaceMessage: (index, message) => void (state.messages[index] = message),
      snapshot: (thing) => structuredClone(thing),
    }
    super({ id, state, transport: new DefaultChatTransport({ api }) })
  }

  async say(text: string): Promise<string> {
    await this.sendMessage({ text })
    return this.lastWords()
  }

  lastWords(): string {
    return (this.messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  }
}

/** The example's server over a model that answers by a script. */
async function chatting(script: (request: ScriptedRequest) => ScriptedAnswer) {
  const models = await scriptedModelServer(script)
  const memory = await openForTest({ embeddingModel: false })
  const model = createOpenAICompatible({ name: 'scripted', baseURL: models.url })('m')
  const { server, settled } = chatServer(memory, model)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await settled()
    await models.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const ada = memory.for({ project: 'chat', user: 'ada' })
  const kept = async (session: string) => {
    await settled()
    return (await ada.messages(session)).map(({ role, content }) => `${role}: ${content}`)
  }
  return { url, kept, models, chat: (id: string) => new PlainChat(id, `${url}/api/chat`) }
}

test('the example’s chat: a second session knows what the first said', async () => {
  const { chat, kept, models } = await chatting(({ prompt }) => {
    const knows = prompt.includes('allergic to sesame') && prompt.includes('What am I allergic to?')
    return { pieces: knows ? ['To ', 'sesame.'] : ['Good ', 'to ', 'know.'] }
  })
  expect(await chat('monday').say('I am allergic to sesame.')).toBe('Good to know.')
  expect(await kept('monday')).toEqual(['user: I am allergic to sesame.', 'assistant: Good to know.'])
  expect(await chat('tuesday').say('What am I allergic to?')).toBe('To sesame.')
  expect(models.requests[1]?.instructions).toBe('You are a helpful assistant. Answer in a few sentences.')
  expect(models.requests[1]?.prompt).toMatch(
    /^<memory mark="\w+">[\s\S]*I am allergic to sesame\.[\s\S]*<\/memory mark="\w+">\n\nWhat am I allergic to\?$/,
  )
  expect(await kept('tuesday')).toEqual(['user: What am I allergic to?', 'assistant: To sesame.'])
})

test('useChat sends its history each time: only what is new is stored, and a turn made anew adds its reply', async () => {
  let answers = 0
  const { chat, kept } = await chatting(() => ({ text: `Answer ${(answers += 1)}.` }))
  const talk = chat('talk')
  for (const words of ['Hello.', 'And now?', 'And then?']) await talk.say(words)
  const before = ['Hello.', 'And now?', 'And then?'].flatMap((words, at) => [`user: ${words}`, `assistant: Answer ${at + 1}.`])
  expect(await kept('talk')).toEqual(before)
  await talk.regenerate()
  expect(talk.messages).toHaveLength(6)
  expect(await kept('talk')).toEqual([...before, 'assistant: Answer 4.'])
  // The very first turn too.
  const fresh = chat('fresh')
  await fresh.say('Hi.')
  await fresh.regenerate()
  expect(await kept('fresh')).toEqual(['user: Hi.', 'assistant: Answer 5.', 'assistant: Answer 6.'])
})

test('a reply that the person stops is kept as far as it was told', async () => {
  const { chat, kept, models } = await chatting(() => ({ pieces: ['It opens ', 'at ten '], hangs: true }))
  const talk = chat('talk')
  const said = talk.say('When?')
  await expect.poll(() => talk.lastWords(), { timeout: 20_000 }).toBe('It opens at ten ')
  await talk.stop()
  await said
  await expect.poll(() => models.abandoned, { timeout: 20_000 }).toBe(1)
  await expect.poll(() => kept('talk'), { timeout: 20_000 }).toEqual(['user: When?', 'assistant: It opens at ten '])
})

test('a model that fails keeps the person’s words, and the page loads', async () => {
  // The SDK prints the provider's error.
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined)
  onTestFinished(() => printed.mockRestore())
  const { chat, kept, url } = await chatting(() => ({ status: 400, text: 'no such model' }))
  const talk = chat('talk')
  await talk.say('Are you there?')
  expect(talk.status).toBe('error')
  expect(await kept('talk')).toEqual(['user: Are you there?'])
  expect(await (await fetch(url)).text()).toContain('<h1>A chat with memory</h1>')
})
