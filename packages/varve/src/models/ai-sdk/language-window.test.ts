import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { Cancelled } from '../../errors/cancelled.ts'
import { type ScriptedModelServer, scriptedModelServer } from '../../testing/scripted-model-server.ts'
import { openAiCompatible } from './language-openai-compatible.ts'
import { probeServer } from './language-window.ts'

let server: ScriptedModelServer | undefined

afterEach(() => server?.close())

const { signal } = new AbortController()

const list = (...data: readonly unknown[]) => ({ object: 'list', data })

const ollama = (show: object) => ({ 'GET /v1/models': list({ id: 'small', object: 'model', owned_by: 'library' }), 'POST /api/show': show })
const details = { family: 'llama', format: 'gguf' }

describe('what each kind of server tells', () => {
  test.each([
    // llama.cpp copies Ollama's show, and lists the context that the model was trained with.
    [
      'llama.cpp',
      {
        'GET /props': { default_generation_settings: { n_ctx: 6144, params: {} }, total_slots: 4 },
        'POST /api/show': { details, model_info: { 'llama.context_length': 40_960 } },
        'GET /v1/models': list({ id: 'small', meta: { n_ctx_train: 40_960 } }),
      },
      6144,
    ],
    [
      'Ollama, asked for as much as a part needs',
      ollama({
        details,
        parameters: 'stop "<|eot|>"\ntemperature 1',
        model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072, 'llama.rope.original_context_length': 8192 },
      }),
      16_384,
    ],
    [
      'Ollama with num_ctx',
      ollama({
        details,
        parameters: 'stop                           "<|eot|>"\nnum_ctx                        16384',
        model_info: { 'llama.context_length': 131_072 },
      }),
      16_384,
    ],
    [
      'Ollama with more num_ctx than the model has',
      ollama({ details, parameters: 'num_ctx 65536', model_info: { 'llama.context_length': 2048 } }),
      2048,
    ],
    ['Ollama with a small model', ollama({ details, model_info: { 'bert.context_length': 512 } }), 512],
    ['Ollama without model_info', ollama({ details, modelfile: 'FROM x' }), 4096],
    ['Ollama’s cloud', ollama({ details, remote_host: 'https://ollama.com', model_info: { 'gptoss.context_length': 131_072 } }), 131_072],
    [
      'LM Studio, loaded',
      {
        'GET /api/v0/models': list(
          { id: 'other', max_context_length: 1 },
          { id: 'small', state: 'loaded', max_context_length: 131_072, loaded_context_length: 10_240 },
        ),
        'GET /props': { error: 'Unexpected endpoint or method. (GET /props)' },
        'POST /api/show': { error: 'Unexpected endpoint' },
        'GET /v1/models': list({ id: 'small' }),
      },
      10_240,
    ],
    ['LM Studio, not loaded', { 'GET /api/v0/models': list({ id: 'small', state: 'not-loaded', max_context_length: 131_072 }) }, 4096],
    ['vLLM', { 'GET /v1/models': list({ id: 'small', object: 'model', owned_by: 'vllm', max_model_len: 32_768 }) }, 32_768],
    ['a list with max_context_length', { 'GET /v1/models': list({ id: 'small', max_context_length: 20_000 }) }, 20_000],
    [
      'OpenRouter',
      {
        'GET /v1/models': list(
          { id: 'small:free', context_length: 1 },
          { id: 'small', context_length: 200_000, top_provider: { context_length: 128_000, is_moderated: false } },
        ),
      },
      128_000,
    ],
    ['Groq', { 'GET /v1/models': list({ id: 'small', context_window: 131_072 }) }, 131_072],
    ['one that lists other models', { 'GET /v1/models': list({ id: 'large', max_model_len: 32_768 }) }, 8192],
    [
      'one that tells nonsense',
      {
        'GET /props': { default_generation_settings: { n_ctx: 0 } },
        'GET /v1/models': list(null, 7, { id: 'small', max_model_len: '32768', context_length: -1 }),
      },
      8192,
    ],
    ['one that answers with pages', { 'GET /props': '<html>', 'GET /v1/models': '<html>' }, 8192],
    ['one whose list is over 1 MiB', { 'GET /v1/models': list({ id: 'small', max_model_len: 32_768 }, 'x'.repeat(1_048_576)) }, 8192],
    ['one that knows chat completions only', {}, 8192],
  ])('%s', async (_, endpoints, window) => {
    server = await scriptedModelServer(() => ({}), { endpoints })
    const model = openAiCompatible({ url: server.url, model: 'small', key: 'k' })
    expect(await model.window(signal)).toBe(window)
    expect(await model.window(signal)).toBe(window)
    expect(server.probes.toSorted()).toEqual(['GET /api/v0/models', 'GET /props', 'GET /v1/models', 'POST /api/show'])
    expect(server.count).toBe(0)
  })
})

test('a window that is configured is not asked for', async () => {
  server = await scriptedModelServer(() => ({}))
  expect(await openAiCompatible({ url: server.url, model: 'small', window: 12_000 }).window(signal)).toBe(12_000)
  expect(server.probes).toEqual([])
})

test('who ask meanwhile wait for the same answer, and one who cancels ends nobody else', async () => {
  server = await scriptedModelServer(() => ({}), { endpoints: { 'GET /props': { default_generation_settings: { n_ctx: 6144 } } } })
  const model = openAiCompatible({ url: server.url, model: 'small' })
  const caller = new AbortController()
  const [cancelled, other] = [model.window(caller.signal), model.window(signal)]
  caller.abort()
  await expect(cancelled).rejects.toBeInstanceOf(Cancelled)
  expect(await other).toBe(6144)
  expect(server.probes).toHaveLength(4)
})

test('a server that is not there yet is asked again', async () => {
  const first = await scriptedModelServer(() => ({}))
  const { url } = first
  await first.close()
  const model = openAiCompatible({ url, model: 'small' })
  expect(await model.window(signal)).toBe(8192)
  const late = createServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 47\r\nconnection: close\r\n\r\n{"default_generation_settings":{"n_ctx": 6144}}'),
  )
  late.listen(Number(new URL(url).port), '127.0.0.1')
  await once(late, 'listening')
  expect(await model.window(signal)).toBe(6144)
  late.close()
})

test.each([
  ['never answers', undefined],
  ['loads its model', 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'],
])('a server that %s tells nothing yet', async (_, answer) => {
  const server = createServer(
    (socket) => void socket.on('error', () => undefined).once('data', () => answer !== undefined && socket.end(answer)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await expect(
    probeServer({ url: `http://127.0.0.1:${port}/v1`, model: 'small', key: undefined, questionDeadlineMs: 200 }),
  ).rejects.toThrow('nobody answers')
  server.close()
})
