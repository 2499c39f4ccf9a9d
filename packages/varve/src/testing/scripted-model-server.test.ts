import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedAnswer } from './scripted-completion.ts'
import { type ScriptedModelServer, scriptedModelServer } from './scripted-model-server.ts'

let server: ScriptedModelServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function asked(
  answer: ScriptedAnswer | (() => never),
  body: unknown = { model: 'small', messages: [{ role: 'user', content: 'hello' }] },
): Promise<Response> {
  server = await scriptedModelServer(() => (typeof answer === 'function' ? answer() : answer))
  return fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
}

const content = async (response: Response): Promise<unknown> => {
  const body: { choices: { message: { content: string } }[] } = JSON.parse(await response.text())
  return body.choices[0]?.message.content
}

test('an object, a text, one that waits', async () => {
  expect(await content(await asked({ object: { a: 1 } }))).toBe('{"a":1}')
  await server?.close()
  expect(await content(await asked({ text: 'hello', delayMs: 1 }))).toBe('hello')
})

test('a status with headers and a message', async () => {
  const response = await asked({ status: 429, headers: { 'retry-after': '7' }, text: 'slow down' })
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    429,
    '7',
    { error: { message: 'slow down', type: 'scripted' } },
  ])
})

test('half of a body', async () => {
  await expect((await asked({ object: { a: 1 }, isCut: true })).text()).rejects.toBeInstanceOf(TypeError)
  await expect.poll(() => server?.abandoned).toBe(1)
  const cut = await asked({ pieces: ['It ', 'opens ', 'at ten.'], isCut: true }, { model: 'small', messages: [], stream: true })
  await expect(cut.text()).rejects.toThrow('terminated')
})

test('nothing, until the server closes', async () => {
  const hanging = asked({ hangs: true })
  await expect.poll(() => server?.count).toBe(1)
  await Promise.all([expect(hanging).rejects.toBeInstanceOf(TypeError), server?.close()])
})

test('400 for a script that throws, and for what is no chat completion; 413 and 404', async () => {
  const failed = await asked(() => {
    throw new RangeError('no such line')
  })
  expect([failed.status, await failed.text()]).toEqual([400, expect.stringContaining('the script failed: no such line')])
  await server?.close()
  expect((await asked({}, { model: 'small' })).status).toBe(400)
  await server?.close()
  expect((await asked({}, 'x'.repeat(8_388_608))).status).toBe(413)
  expect((await fetch(`${server?.url}/models`)).status).toBe(404)
  expect(server).toMatchObject({ count: 1, requests: [], probes: ['GET /v1/models'] })
})

test('an answer in pieces, for a request that streams: whole, one that goes on for ever, and one that is cut', async () => {
  const streamed = async (answer: ScriptedAnswer, isLeft = false): Promise<readonly string[]> => {
    server = await scriptedModelServer(() => answer)
    const controller = new AbortController()
    const model = createOpenAICompatible({ name: 'local', baseURL: server.url })('m')
    const { textStream } = streamText({ model, prompt: 'Hello.', abortSignal: controller.signal, maxRetries: 0, onError: () => undefined })
    const pieces: string[] = []
    for await (const piece of textStream) {
      pieces.push(piece)
      if (isLeft && pieces.length === 2) controller.abort()
    }
    await server.close()
    return pieces
  }
  expect(await streamed({ pieces: ['It ', 'opens ', 'at ten.'] })).toEqual(['It ', 'opens ', 'at ten.'])
  expect(await streamed({ text: 'At ten.' })).toEqual(['At ten.'])
  expect(await streamed({ pieces: ['It ', 'opens '], hangs: true }, true)).toEqual(['It ', 'opens '])
  await expect.poll(() => server?.abandoned).toBe(1)
  const cut = await asked({ pieces: ['It ', 'opens ', 'at ten.'], isCut: true }, { model: 'small', messages: [], stream: true })
  await expect(cut.text()).rejects.toThrow('terminated')
})
