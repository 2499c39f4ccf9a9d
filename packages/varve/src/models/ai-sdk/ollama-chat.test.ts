import { afterEach, describe, expect, test } from 'vitest'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { ScriptedAnswer } from '../../testing/scripted-completion.ts'
import { type ModelScript, type ScriptedModelServer, scriptedModelServer } from '../../testing/scripted-model-server.ts'
import type { CallEnd, LanguageModel, ModelRequest } from '../language-model.ts'
import { openAiCompatible } from './language-openai-compatible.ts'

let server: ScriptedModelServer | undefined

afterEach(() => server?.close())

const details = { family: 'llama', format: 'gguf' }
const usual = { details, model_info: { 'llama.context_length': 131_072 }, capabilities: ['completion'] }

interface Opened {
  readonly model: LanguageModel
  readonly server: ScriptedModelServer
}

async function opened(script: ModelScript, show: object = usual, options: { model?: string; window?: number } = {}): Promise<Opened> {
  server = await scriptedModelServer(script, { endpoints: { 'POST /api/show': show } })
  return { model: openAiCompatible({ url: server.url, model: 'small', key: 'secret', firstPauseMs: 0, ...options }), server }
}

const ends: CallEnd[] = []
const schema = { type: 'object', properties: { gist: { type: 'string' } }, required: ['gist'] }
const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  instructions: 'Write a gist.',
  prompt: 'The ferry is late.',
  schema,
  schemaName: 'gist',
  maxOutputTokens: 200,
  deadlineMs: 5_000,
  signal: new AbortController().signal,
  meter: { begin: async () => async (end) => void ends.push(end) },
  ...changes,
})

test('asks Ollama’s own chat for the schema and the context size, and reads its lines and counts', async () => {
  const { model, server: asked } = await opened(() => ({ pieces: ['{"gist":', ' "late"}'], tokens: { input: 30, output: 5 } }))
  ends.length = 0
  expect(await model.window(new AbortController().signal)).toBe(16_384)
  expect(await model.ask(request())).toEqual({ object: { gist: 'late' }, finish: 'stop' })
  expect(ends).toEqual([{ outcome: 'answered', inputTokens: 30, outputTokens: 5, ms: expect.any(Number) }])
  expect(asked.requests).toMatchObject([
    {
      instructions: 'Write a gist.',
      prompt: 'The ferry is late.',
      schema,
      authorization: 'Bearer secret',
      body: { model: 'small', stream: true, options: { num_ctx: 16_384, num_predict: 200, temperature: 0.2 } },
    },
  ])
  expect(asked.requests[0]?.body).not.toHaveProperty('think')
})

test.each([
  ['a window that is set', usual, { window: 8_192 }, 8_192],
  ['num_ctx of its Modelfile', { ...usual, parameters: 'num_ctx 32768' }, {}, 32_768],
  ['a small model’s own', { details, model_info: { 'llama.context_length': 2_048 } }, {}, 2_048],
])('the context size is %s', async (_, show, options, expected) => {
  const { model, server: asked } = await opened(() => ({ object: { gist: 'late' } }), show, options)
  await model.ask(request())
  expect(asked.requests[0]?.body).toMatchObject({ options: { num_ctx: expected } })
})

test.each([
  ['qwen3', false],
  ['gpt-oss:20b', 'low'],
])('%s reasons as little as it can', async (model, think) => {
  const { model: thinking, server: asked } = await opened(
    () => ({ reasoning: 'Hm.', object: { gist: 'late' } }),
    { ...usual, capabilities: ['completion', 'thinking'] },
    { model },
  )
  expect(await thinking.ask(request())).toEqual({ object: { gist: 'late' }, finish: 'stop' })
  expect(asked.requests[0]?.body).toMatchObject({ think })
})

test('an answer that was cut is asked for with more room', async () => {
  const { model, server: asked } = await opened(({ number }) =>
    number === 1 ? { text: '{"gist": "la', finish: 'length' } : { object: { gist: 'late' } },
  )
  expect(await model.ask(request())).toEqual({ object: { gist: 'late' }, finish: 'stop' })
  expect(asked.requests.map(({ maxTokens }) => maxTokens)).toEqual([200, 800])
})

describe('what fails', () => {
  test.each<readonly [string, ScriptedAnswer, number, string, string]>([
    ['a model that is not there', { status: 404, text: 'model "small" not found' }, 1, 'it answered 404; check the address', 'model'],
    ['a crash', { status: 500, text: 'llama runner process has terminated' }, 3, 'it answered 500', 'model'],
    ['an answer that breaks off', { object: { gist: 'late' }, isCut: true }, 3, 'its call failed', 'model'],
    ['prose', { text: 'Surely.' }, 2, 'its answer holds no JSON object', 'request'],
  ])('%s', async (_, answer, count, reason, concerns) => {
    const { model, server: asked } = await opened(() => answer)
    const failure = await model.ask(request()).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelFailed)
    expect(failure).toMatchObject({ reason: expect.stringContaining(reason), concerns })
    expect(JSON.stringify(failure)).not.toContain('llama runner')
    expect(asked.count).toBe(count)
  })

  test('an answer that stands still ends at its deadline, and its connection with it', async () => {
    const { model, server: asked } = await opened(() => ({ pieces: ['{"gist":'], hangs: true }))
    await expect(model.ask(request({ deadlineMs: 300 }))).rejects.toMatchObject({ reason: 'it gave no answer within 300 ms' })
    await expect.poll(() => asked.abandoned).toBe(1)
  })
})
