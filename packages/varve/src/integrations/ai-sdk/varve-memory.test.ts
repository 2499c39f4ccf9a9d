import { APICallError, type LanguageModelV4Middleware } from '@ai-sdk/provider'
import { generateText, isStepCount, type LanguageModelMiddleware, type ModelMessage, Output, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { answering, failing, promptOf, streaming, told, toolCalled, usage } from '../../../../../test/fixtures/ai-sdk/scripted-models.ts'
import { sharedMemory } from '../../../../../test/fixtures/memory/shared.ts'
import type { UserMemory } from '../../memory/user-memory.ts'
import { varveMemory } from './varve-memory.ts'

const shared = sharedMemory({ embeddingModel: false })
let users = 0

/** A user of their own, with a past, and the middleware over the shared memory. */
function opened(options: Partial<Parameters<typeof varveMemory>[0]> = {}) {
  users += 1
  const scope = { project: `ai sdk ${users}`, user: `ada ${users}`, session: 'chat' }
  const failures: string[] = []
  const onFailed = (doing: string, reason: string): void => void failures.push(`${doing}: ${reason}`)
  const varve = varveMemory({ memory: shared.memory, deadlineMs: 20_000, onFailed, ...options })
  const ada = shared.memory.for({ project: scope.project, user: scope.user })
  return { varve, ada, scope, failures }
}

async function kept(ada: UserMemory, session = 'chat'): Promise<string[]> {
  return (await ada.messages(session)).map(({ role, content }) => `${role}: ${content}`)
}

const tools = { hours: tool({ inputSchema: z.object({ place: z.string() }), execute: async () => ({ opens: '10:00' }) }) }
const fact = 'The kiosk at the pier sells pea soup on Mondays.'
const question = 'What soup does the kiosk at the pier sell?'

describe('a turn', () => {
  test('generateText: the model reads what was said before, and both sides are stored as they were said', async () => {
    const { varve, ada, scope, failures } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const model = answering(() => 'Pea soup.')
    const { text } = await generateText({ model: varve.model(model, { scope }), prompt: question })
    expect(text).toBe('Pea soup.')
    const read = promptOf(model.doGenerateCalls[0])
    expect(read).toMatch(/^user: <memory mark="[0-9a-f]{16}">[\s\S]*pea soup on Mondays[\s\S]*<\/memory mark="[0-9a-f]{16}">\n\nWhat soup/)
    await varve.settled()
    expect(await kept(ada)).toEqual([`user: ${question}`, 'assistant: Pea soup.'])
    expect(failures).toEqual([])
  })

  test('the middleware alone does the same by the scope in providerOptions, which the provider does not see', async () => {
    const { varve, ada, scope } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const model = streaming(told('Pea ', 'soup.'))
    const wrapped = wrapLanguageModel({ model, middleware: varve.middleware })
    const result = streamText({ model: wrapped, prompt: question, providerOptions: { varve: scope, other: { a: 1 } } })
    expect(await result.text).toBe('Pea soup.')
    await varve.settled()
    expect(await kept(ada)).toEqual([`user: ${question}`, 'assistant: Pea soup.'])
    expect(promptOf(model.doStreamCalls[0])).toContain('pea soup on Mondays')
    expect(model.doStreamCalls[0]?.providerOptions).toEqual({ other: { a: 1 } })
  })

  test('a tool loop asks memory once, shows the same bytes in each step, and stores each message once', async () => {
    const { varve, ada, scope } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const asked = vi.spyOn(Object.getPrototypeOf(ada), 'context')
    const model = answering((_, number) => (number < 4 ? { toolName: 'hours', input: { place: `kiosk ${number}` } } : 'At ten.'))
    await generateText({ model: varve.model(model, { scope }), tools, stopWhen: isStepCount(9), prompt: question })
    await varve.settled()
    expect(asked).toHaveBeenCalledTimes(1)
    asked.mockRestore()
    const fences = model.doGenerateCalls.map((call) => /<memory[\s\S]*<\/memory mark="\w+">/.exec(promptOf(call))?.[0])
    expect(fences).toHaveLength(4)
    expect(new Set(fences).size).toBe(1)
    expect(fences[0]).toContain('pea soup on Mondays')
    const step = (number: number) => [`assistant: hours({"place":"kiosk ${number}"})`, 'tool: hours: {"opens":"10:00"}']
    expect(await kept(ada)).toEqual([`user: ${question}`, ...step(1), ...step(2), ...step(3), 'assistant: At ten.'])
  })

  test('in a tool loop, what was forgotten since the first step is not shown in the next', async () => {
    const { varve, ada, scope } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const forgetting = { wipe: tool({ inputSchema: z.object({}), execute: async () => ada.forget({ session: 'past' }) }) }
    const model = answering((_, number) => (number === 1 ? { toolName: 'wipe', input: {} } : 'Gone.'))
    await generateText({ model: varve.model(model, { scope }), tools: forgetting, stopWhen: isStepCount(3), prompt: question })
    expect(promptOf(model.doGenerateCalls[0])).toContain('pea soup on Mondays')
    expect(promptOf(model.doGenerateCalls[1])).not.toMatch(/pea soup on Mondays|gone since/)
  })

  test('a tool loop that was shown nothing is shown nothing: memory is asked once there too', async () => {
    const { varve, ada, scope } = opened()
    const asked = vi.spyOn(Object.getPrototypeOf(ada), 'context')
    const model = answering((_, number) => (number < 3 ? { toolName: 'hours', input: { place: 'kiosk' } } : 'At ten.'))
    await generateText({ model: varve.model(model, { scope }), tools, stopWhen: isStepCount(9), prompt: question })
    await varve.settled()
    expect(asked).toHaveBeenCalledTimes(1)
    asked.mockRestore()
    expect(model.doGenerateCalls.map(promptOf).join()).not.toContain('<memory')
  })

  test('streamText with tools: calls, results and words, each once', async () => {
    const { varve, ada, scope } = opened()
    const model = streaming(toolCalled('hours', { place: 'kiosk' }), told('It opens ', 'at ten.'))
    const result = streamText({ model: varve.model(model, { scope }), tools, stopWhen: isStepCount(5), prompt: 'When does it open?' })
    expect(await result.text).toBe('It opens at ten.')
    await varve.settled()
    const steps = ['assistant: hours({"place":"kiosk"})', 'tool: hours: {"opens":"10:00"}', 'assistant: It opens at ten.']
    expect(await kept(ada)).toEqual(['user: When does it open?', ...steps])
  })

  test('structured output is stored as its JSON, and memory does not stand in its way', async () => {
    const { varve, ada, scope } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const model = answering(() => '{"soup":"pea"}')
    const output = Output.object({ schema: z.object({ soup: z.string() }) })
    const result = await generateText({ model: varve.model(model, { scope }), output, prompt: question })
    expect(result.output).toEqual({ soup: 'pea' })
    await varve.settled()
    expect(await kept(ada)).toEqual([`user: ${question}`, 'assistant: {"soup":"pea"}'])
  })

  test('pictures and files are named, thoughts are left out, and a turn of a picture alone is stored', async () => {
    const { varve, ada, scope } = opened()
    const file = { type: 'file' as const, mediaType: 'image/png', filename: 'pier.png', data: new Uint8Array(200_000) }
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [
          { type: 'reasoning', text: 'hidden thought' },
          { type: 'text', text: 'A pier.' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
        ],
        finishReason: { unified: 'stop', raw: undefined },
        ...{ usage, warnings: [] },
      }),
    })
    const messages: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, file] }]
    await generateText({ model: varve.model(model, { scope }), messages })
    await generateText({ model: varve.model(model, { scope }), messages: [{ role: 'user', content: [file] }] })
    await varve.settled()
    const answer = 'assistant: A pier.\n\n[file image/png]'
    expect(await kept(ada)).toEqual(['user: What is this?\n\n[file pier.png]', answer, 'user: [file pier.png]', answer])
    expect(JSON.stringify(await ada.messages('chat'))).not.toMatch(/hidden thought|AAAA/)
  })

  test('models of the specifications v3 and v4 keep theirs, and the AI SDK takes them', async () => {
    const { varve, ada, scope } = opened()
    const v3 = new MockLanguageModelV3({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Three.' }],
        finishReason: { unified: 'stop', raw: undefined },
        ...{ usage, warnings: [] },
      }),
    })
    const wrapped = varve.model(v3, { scope })
    expect([wrapped.specificationVersion, wrapped.provider, wrapped.modelId]).toEqual(['v3', v3.provider, v3.modelId])
    expect((await generateText({ model: wrapped, prompt: 'Which?' })).text).toBe('Three.')
    await varve.settled()
    expect(await kept(ada)).toEqual(['user: Which?', 'assistant: Three.'])
    // The types of the AI SDK and of its providers take the middleware as it is.
    const asTyped: readonly [LanguageModelMiddleware, LanguageModelV4Middleware] = [varve.middleware, varve.middleware]
    expect(asTyped).toHaveLength(2)
  })
})

describe('an answer that does not come to its end', () => {
  const asked = 'user: When does it open?'

  test('stopped by the host, keeps the words so far', async () => {
    const { varve, ada, scope } = opened()
    const controller = new AbortController()
    // The SDK reads some pieces ahead of the host.
    const model = streaming(told('It opens ', ...Array.from({ length: 50 }, () => 'at ten, '), 'on most days.'))
    const result = streamText({ model: varve.model(model, { scope }), prompt: 'When does it open?', abortSignal: controller.signal })
    for await (const words of result.textStream) if (words.includes('opens')) controller.abort()
    await varve.settled()
    const stored = await kept(ada)
    expect(stored[0]).toBe(asked)
    expect(stored[1]).toMatch(/^assistant: It opens /)
    expect(stored[1]).not.toContain('days')
  })

  test('stopped by a host that reads no further, keeps the words so far', async () => {
    const { varve, ada, scope } = opened()
    const stopping = new AbortController()
    const model = varve.model(streaming(told('It opens ', 'at ten, ', 'on most days.')), { scope })
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'When does it open?' }] }]
    const { stream } = await model.doStream({ prompt, abortSignal: stopping.signal })
    const reader = stream.getReader()
    for (let piece = 0; piece < 2; piece += 1) await reader.read()
    stopping.abort()
    await varve.settled()
    expect(await kept(ada)).toEqual([asked, 'assistant: It opens '])
  })

  test('left by its reader, keeps the words so far', async () => {
    const { varve, ada, scope } = opened()
    const model = varve.model(streaming(told('It opens ', 'at ten, ', 'on most days.')), { scope })
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'When does it open?' }] }] })
    const reader = stream.getReader()
    for (let piece = 0; piece < 2; piece += 1) await reader.read()
    await reader.cancel('enough')
    await varve.settled()
    expect(await kept(ada)).toEqual([asked, 'assistant: It opens '])
  })

  test('failing in its midst, keeps the words so far, and the host gets the error', async () => {
    const { varve, ada, scope } = opened()
    const errors: unknown[] = []
    const result = streamText({
      model: varve.model(streaming(failing('It opens ')), { scope }),
      prompt: 'When does it open?',
      onError: ({ error }) => void errors.push(error),
    })
    await result.consumeStream()
    await varve.settled()
    expect(await kept(ada)).toEqual([asked, 'assistant: It opens '])
    expect(errors).toEqual([new Error('the provider fell over')])
  })

  test('whose provider refuses, keeps the person’s words once, however often the SDK tries; the next try is the same turn', async () => {
    const { varve, ada, scope } = opened()
    let calls = 0
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        calls += 1
        throw new APICallError({ message: 'busy', url: 'http://x', requestBodyValues: {}, statusCode: 503, isRetryable: true })
      },
    })
    const failed = generateText({ model: varve.model(model, { scope }), prompt: 'When does it open?', maxRetries: 1 })
    await expect(failed).rejects.toThrow('busy')
    expect(calls).toBe(2)
    await varve.settled()
    expect(await kept(ada)).toEqual([asked])
    await generateText({
      model: varve.model(
        answering(() => 'At ten.'),
        { scope },
      ),
      prompt: 'When does it open?',
    })
    await varve.settled()
    expect(await kept(ada)).toEqual([asked, 'assistant: At ten.'])
    // Answered, it is asked again as a turn of its own.
    await generateText({
      model: varve.model(
        answering(() => 'At ten!'),
        { scope },
      ),
      prompt: 'When does it open?',
    })
    await varve.settled()
    expect(await kept(ada)).toEqual([asked, 'assistant: At ten.', asked, 'assistant: At ten!'])
  })
})

describe('a conversation that its host sends again', () => {
  const say = (role: 'user' | 'assistant', content: string): ModelMessage => ({ role, content })

  test('only what is new is stored, and its own turns are not told a second time', async () => {
    const { varve, ada, scope } = opened()
    await ada.append('past', { role: 'user', content: fact })
    const messages: ModelMessage[] = []
    const model = answering((_, number) => `Answer ${number} about the soup.`)
    for (let at = 1; at <= 4; at += 1) {
      messages.push(say('user', `Question ${at} about the soup of the kiosk?`))
      const { text } = await generateText({ model: varve.model(model, { scope }), messages })
      messages.push(say('assistant', text))
      await varve.settled()
    }
    expect(await kept(ada)).toEqual(messages.map(({ role, content }) => `${role}: ${String(content)}`))
    const last = promptOf(model.doGenerateCalls.at(-1))
    expect(last.match(/Question 1 about/g)).toHaveLength(1)
    expect(last).toContain('pea soup on Mondays')
  })

  test('a turn that is made anew adds its reply alone, the first turn too where the host keeps the history', async () => {
    const { varve, ada, scope } = opened()
    const hosts = { ...scope, history: 'host' as const }
    const ask = async (messages: ModelMessage[], answer: string) => {
      await generateText({
        model: varve.model(
          answering(() => answer),
          { scope: hosts },
        ),
        messages,
      })
      await varve.settled()
    }
    await ask([say('user', 'Hello.')], 'Hi.')
    await ask([say('user', 'Hello.')], 'Good day.')
    const history = [say('user', 'Hello.'), say('assistant', 'Good day.'), say('user', 'A soup?')]
    await ask(history, 'Pea.')
    await ask(history, 'Bean.')
    expect(await kept(ada)).toEqual([
      ...['user: Hello.', 'assistant: Hi.', 'assistant: Good day.'],
      ...['user: A soup?', 'assistant: Pea.', 'assistant: Bean.'],
    ])
  })

  test('without history, “yes” said twice is stored twice, and memory tells the turns before', async () => {
    const { varve, ada, scope } = opened()
    const model = answering((_, number) => `Answer ${number}.`)
    for (let turn = 0; turn < 2; turn += 1) {
      await generateText({ model: varve.model(model, { scope }), prompt: 'Yes.' })
      await varve.settled()
    }
    expect(await kept(ada)).toEqual(['user: Yes.', 'assistant: Answer 1.', 'user: Yes.', 'assistant: Answer 2.'])
    expect(promptOf(model.doGenerateCalls[1])).toContain('Answer 1.')
  })

  test('a turn with a name stores nothing twice, whichever process is asked again', async () => {
    const { varve, ada, scope } = opened()
    const other = varveMemory({ memory: shared.memory })
    for (const one of [varve, other]) {
      const model = one.model(
        answering(() => 'At ten.'),
        { scope },
      )
      await generateText({ model, prompt: 'When?', providerOptions: { varve: { turn: 'request 7' } } })
      await one.settled()
    }
    expect(await kept(ada)).toEqual(['user: When?', 'assistant: At ten.'])
  })

  test('words that the host puts into the assistant’s mouth are stored with the reply that goes on from them', async () => {
    const { varve, ada, scope } = opened()
    const messages = [say('user', 'When?'), say('assistant', 'It opens at')]
    await generateText({
      model: varve.model(
        answering(() => ' ten.'),
        { scope },
      ),
      messages,
    })
    await varve.settled()
    expect(await kept(ada)).toEqual(['user: When?', 'assistant: It opens at ten.'])
  })
})
