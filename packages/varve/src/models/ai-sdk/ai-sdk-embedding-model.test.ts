import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from 'ai/test'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Cancelled } from '../../errors/cancelled.ts'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { aiSdkEmbeddingModel } from './ai-sdk-embedding-model.ts'
import type { AiSdkEmbeddingOptions } from './embedding-options.ts'

interface Request {
  readonly model: string
  readonly input: readonly string[]
  readonly encoding_format: string
}

type Answer = (response: ServerResponse, request: Request) => void

/** A server of the OpenAI wire format that answers each request by its script; the last line serves all further requests. */
class Provider {
  readonly requests: Request[] = []
  readonly #server: Server
  #script: Answer[] = [ok]
  /** Resolves when the n-th request has arrived. */
  #arrived: (() => void)[] = []

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  answers(...script: Answer[]): void {
    this.#script = script
  }

  model(options: AiSdkEmbeddingOptions = {}, maxEmbeddingsPerCall?: number): EmbeddingModel {
    const address = this.#server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const provider = createOpenAICompatible({ name: 'local', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'secret-key' })
    const model = provider.embeddingModel('small-embed')
    if (maxEmbeddingsPerCall !== undefined)
      Object.defineProperty(model, 'maxEmbeddingsPerCall', { value: Promise.resolve(maxEmbeddingsPerCall) })
    return aiSdkEmbeddingModel(model, options)
  }

  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrived.push(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const parsed: Request = JSON.parse(body)
    this.requests.push(parsed)
    const answer = this.#script.length > 1 ? this.#script.shift() : this.#script[0]
    for (const resolve of this.#arrived.splice(0)) resolve()
    answer?.(response, parsed)
  }
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const vectorOf = (text: string) => [text.length, 1, 0]

const embeddings = (response: ServerResponse, vectors: readonly unknown[]) =>
  json(response, 200, {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 7, total_tokens: 7 },
  })

const ok: Answer = (response, { input }) => embeddings(response, input.map(vectorOf))
const refuse =
  (status: number, message: string, headers?: Record<string, string>): Answer =>
  (response) =>
    json(response, status, { error: { message, type: 'x' } }, headers)
const hang: Answer = () => undefined

async function failureOf(call: Promise<unknown>): Promise<ModelFailed> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof ModelFailed) return error
  throw new TypeError(`not a ModelFailed: ${String(error)}`)
}

let provider = new Provider()

beforeEach(async () => {
  provider = new Provider()
  await provider.start()
})

afterEach(() => provider.stop())

describe('what works', () => {
  test('vectors come back in order with length 1, and the identity costs no further request', async () => {
    const model = provider.model()
    const [first, second] = await model.embed(['a', 'four'])
    expect([...(second ?? [])].map((value) => value.toFixed(4))).toEqual(
      [4 / Math.sqrt(17), 1 / Math.sqrt(17), 0].map((value) => value.toFixed(4)),
    )
    expect(first).toBeInstanceOf(Float32Array)
    expect(await model.identity()).toEqual({ name: 'local.embedding:small-embed', dimension: 3, quantisation: 'none' })
    expect(provider.requests).toEqual([{ model: 'small-embed', input: ['a', 'four'], encoding_format: 'float' }])
    expect(model.status()).toMatchObject({ runtime: 'provider', name: 'local.embedding:small-embed', threads: 0, tokens: 7 })
  })

  test('the identity embeds one short text, once, however many ask', async () => {
    const model = provider.model()
    const identities = await Promise.all([model.identity(), model.identity()])
    expect(identities.map(({ dimension }) => dimension)).toEqual([3, 3])
    expect(await model.identity()).toMatchObject({ dimension: 3 })
    expect(provider.requests).toHaveLength(1)
  })

  test('an identity that could not be had is asked for again', async () => {
    provider.answers(refuse(503, 'warming up'), ok)
    const model = provider.model()
    expect(await failureOf(model.identity())).toMatchObject({ isRetryable: true })
    expect(await model.identity()).toMatchObject({ dimension: 3 })
  })

  test('a model of each specification that the AI SDK has', async () => {
    const doEmbed = async ({ values }: { values: string[] }) => ({ embeddings: values.map(vectorOf), warnings: [] })
    const v2 = {
      specificationVersion: 'v2',
      provider: 'mock-provider',
      modelId: 'mock-model-id',
      maxEmbeddingsPerCall: 1,
      supportsParallelCalls: false,
      doEmbed,
    } as const
    for (const object of [v2, new MockEmbeddingModelV3({ doEmbed }), new MockEmbeddingModelV4({ doEmbed })]) {
      const model = aiSdkEmbeddingModel(object)
      expect(await model.embed(['a', 'bb'])).toHaveLength(2)
      expect(await model.identity()).toMatchObject({ name: 'mock-provider:mock-model-id', dimension: 3 })
      expect(model.status().detail).toMatch(object.specificationVersion)
    }
  })

  test('an empty batch makes no request', async () => {
    expect(await provider.model().embed([])).toEqual([])
    expect(provider.requests).toEqual([])
  })

  test.each([
    [2, undefined, [2, 2, 1]],
    [undefined, 3, [3, 2]],
    [2, 3, [2, 2, 1]],
    [Infinity, 16, [5]],
  ])('a model that takes %s of at most %s texts gets requests of %j', async (most, requestTexts, sizes) => {
    const model = provider.model(requestTexts === undefined ? {} : { requestTexts }, most)
    const vectors = await model.embed(['a', 'bb', 'ccc', 'dddd', 'eeeee'])
    expect(provider.requests.map(({ input }) => input.length)).toEqual(sizes)
    expect(vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[1] ?? 1)))).toEqual([1, 2, 3, 4, 5])
  })

  test('one request at a time in the background, and a query does not wait for it', async () => {
    const held: (() => void)[] = []
    provider.answers((response, request) => held.push(() => ok(response, request)), ok)
    const model = provider.model()
    const background = [model.embed(['slow']), model.embed(['next'])]
    await provider.arrival()
    expect(await model.embed(['q'], { priority: 'query' })).toHaveLength(1)
    expect(provider.requests.map(({ input }) => input)).toEqual([['slow'], ['q']])
    expect(model.status().threads).toBe(1)
    for (const release of held) release()
    await Promise.all(background)
    expect(provider.requests.map(({ input }) => input)).toEqual([['slow'], ['q'], ['next']])
  })

  test('where calls must not run in parallel, a query goes before what waits', async () => {
    const held: (() => void)[] = []
    const seen: string[] = []
    const model = aiSdkEmbeddingModel({
      specificationVersion: 'v3',
      provider: 'own',
      modelId: 'one-at-a-time',
      maxEmbeddingsPerCall: 1,
      supportsParallelCalls: Promise.resolve(false),
      doEmbed: async ({ values }) => {
        seen.push(...values)
        if (values[0] === 'first') await new Promise<void>((resolve) => held.push(resolve))
        return { embeddings: values.map(vectorOf) }
      },
    })
    const calls = [model.embed(['first', 'second']), model.embed(['third']), model.embed(['query'], { priority: 'query' })]
    await expect.poll(() => held.length).toBe(1)
    for (const release of held) release()
    await Promise.all(calls)
    expect(seen.slice(0, 2)).toEqual(['first', 'query'])
  })
})

describe('what fails, with one request each', () => {
  test.each([
    [
      '429 with seconds',
      refuse(429, 'slow down', { 'retry-after': '7' }),
      { isRetryable: true, retryAfterMs: 7000 },
      /429\. Try again in 7000 ms/,
    ],
    [
      '429 with milliseconds',
      refuse(429, 'slow down', { 'retry-after-ms': '250', 'retry-after': '7' }),
      { isRetryable: true, retryAfterMs: 250 },
      /429/,
    ],
    [
      '429 with a date',
      refuse(429, 'slow down', { 'retry-after': new Date(61_000).toUTCString() }),
      { isRetryable: true, retryAfterMs: 60_000 },
      /429/,
    ],
    [
      '429 with a date long gone',
      refuse(429, 'slow down', { 'retry-after': new Date(0).toUTCString() }),
      { isRetryable: true, retryAfterMs: 0 },
      /429/,
    ],
    ['429 with nonsense', refuse(429, 'slow down', { 'retry-after': 'soon' }), { isRetryable: true, retryAfterMs: undefined }, /429/],
    ['500', refuse(500, 'a bug'), { isRetryable: true }, /500\. Try again/],
    ['503 without a body', (response: ServerResponse) => response.writeHead(503).end(), { isRetryable: true }, /503/],
    ['400', refuse(400, 'too long'), { isRetryable: false }, /400; .*length of the texts\. The same/],
    ['401', refuse(401, 'no such key'), { isRetryable: false }, /401; check the key\. The same/],
    ['404', refuse(404, 'no such model'), { isRetryable: false }, /404.*check the address and the model/],
    [
      'NaN as JSON null',
      (response: ServerResponse) => embeddings(response, [[1, null, 0]]),
      { isRetryable: true },
      /its answer cannot be read/,
    ],
    [
      'NaN as such',
      (response: ServerResponse) => response.writeHead(200).end('{"data":[{"embedding":[1,NaN]}]}'),
      { isRetryable: true },
      /its answer cannot be read/,
    ],
    ['half a batch', (response: ServerResponse) => embeddings(response, []), { isRetryable: true }, /0 vectors for 1 texts/],
    ['all zero', (response: ServerResponse) => embeddings(response, [[0, 0]]), { isRetryable: true }, /all zero/],
    [
      'base64, though not asked for',
      (response: ServerResponse) => embeddings(response, ['AACAPwAAAAA=']),
      { isRetryable: true },
      /its answer cannot be read/,
    ],
    [
      'prose',
      (response: ServerResponse) => response.writeHead(200).end('<html>Sign in to the Wi-Fi</html>'),
      { isRetryable: true },
      /its answer cannot be read/,
    ],
    [
      'a body that is cut off',
      (response: ServerResponse) => response.writeHead(200, { 'content-length': '9000' }).write('{"data":[{"emb', () => response.destroy()),
      { isRetryable: true },
      /cannot be read|terminated|Cannot connect/,
    ],
    [
      'a connection that is closed',
      (response: ServerResponse) => response.destroy(),
      { isRetryable: true },
      /its call failed \((?:AI_APICallError|E[A-Z]+|UND_ERR_[A-Z]+)\)/,
    ],
  ] as const)('%s', async (_, answer, expected, reason) => {
    provider.answers((response) => void answer(response, { model: '', input: [], encoding_format: '' }))
    const model = provider.model({ clock: { now: () => 1000 } })
    const error = await failureOf(model.embed(['a text that must not leak']))
    expect(error).toMatchObject({ model: 'local.embedding:small-embed', ...expected })
    expect(error.message).toMatch(reason)
    expect(provider.requests).toHaveLength(1)
    expect(model.status().failure).toBe(error.message)
    const { inspect } = await import('node:util')
    expect(inspect(error, { depth: 10 })).not.toMatch(/must not leak|secret-key/)
  })

  test('a server that is not there', async () => {
    const model = provider.model()
    await provider.stop()
    expect(await failureOf(model.embed(['a']))).toMatchObject({ isRetryable: true, reason: 'its call failed (ECONNREFUSED)' })
    await provider.start()
  })

  test('another dimension on the second call', async () => {
    provider.answers(ok, (response) => embeddings(response, [[1, 2, 3, 4]]))
    const model = provider.model()
    await model.embed(['a'])
    expect(await failureOf(model.embed(['b']))).toMatchObject({
      isRetryable: false,
      reason: expect.stringMatching(/4 components where it has 3/),
    })
  })

  test('a failure in the second slice fails the call, and the third is not asked for', async () => {
    provider.answers(ok, refuse(500, 'x'), ok)
    const model = provider.model({ requestTexts: 1 })
    expect(await failureOf(model.embed(['a', 'b', 'c']))).toMatchObject({ isRetryable: true })
    expect(provider.requests).toHaveLength(2)
    expect(await model.embed(['d'])).toHaveLength(1)
    expect(model.status().failure).toBeUndefined()
  })
})

describe('what ends early', () => {
  /** Makes the server hang. Resolves when the client closes the connection. */
  function hanging(): Promise<unknown> {
    return new Promise((resolve) => provider.answers((response) => response.on('close', resolve)))
  }

  test.each([
    ['query', { queryDeadlineMs: 80 }],
    ['background', { backgroundDeadlineMs: 80 }],
  ] as const)('a %s ends by its deadline, with its connection', async (priority, options) => {
    const closed = hanging()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let isEnded = false
    const failure = failureOf(provider.model(options).embed(['a'], { priority })).finally(() => (isEnded = true))
    await provider.arrival()
    await vi.advanceTimersByTimeAsync(79)
    expect(isEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toMatchObject({ isRetryable: true, reason: 'it gave no answer within 80 ms' })
    await closed
    expect(provider.requests).toHaveLength(1)
  })

  test('an answer that stops in its middle ends by the deadline too', async () => {
    provider.answers((response) => void response.writeHead(200).write('{"data":['))
    expect(await failureOf(provider.model({ backgroundDeadlineMs: 80 }).embed(['a']))).toMatchObject({ isRetryable: true })
  })

  test('a model that heeds no signal ends by the deadline, and the next call is made', async () => {
    let calls = 0
    const deaf = aiSdkEmbeddingModel(
      {
        specificationVersion: 'v4',
        provider: 'own',
        modelId: 'deaf',
        maxEmbeddingsPerCall: undefined,
        supportsParallelCalls: true,
        doEmbed: ({ values }) => {
          calls += 1
          return calls === 1 ? new Promise(() => undefined) : Promise.resolve({ embeddings: values.map(vectorOf) })
        },
      },
      { backgroundDeadlineMs: 50 },
    )
    const [first, second] = await Promise.allSettled([deaf.embed(['a']), deaf.embed(['b'])])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'MODEL_FAILED', isRetryable: true } })
    expect(second).toMatchObject({ status: 'fulfilled' })
  })

  test('a signal cancels what is under way, with its connection, and what waits', async () => {
    const closed = hanging()
    const model = provider.model()
    const caller = new AbortController()
    const calls = [model.embed(['a'], { signal: caller.signal }), model.embed(['b'], { signal: caller.signal })]
    await provider.arrival()
    caller.abort()
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(Cancelled)
    await closed
    provider.answers(ok)
    expect(await model.embed(['c'])).toHaveLength(1)
    expect(provider.requests.map(({ input }) => input)).toEqual([['a'], ['c']])
  })

  test('a signal that was aborted before makes no request', async () => {
    await expect(provider.model().embed(['a'], { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(Cancelled)
    expect(provider.requests).toEqual([])
  })

  test('more calls than may wait are refused, and may come again', async () => {
    provider.answers(hang)
    const model = provider.model()
    const calls = Array.from({ length: 258 }, () => model.embed(['a']))
    const outcomes = Promise.allSettled(calls)
    expect(await failureOf(calls.at(-1) ?? Promise.resolve())).toMatchObject({ isRetryable: true, reason: '256 calls wait for it already' })
    await model.close()
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    expect(provider.requests.length).toBeLessThanOrEqual(1)
  })

  test('close ends what is under way and refuses what comes', async () => {
    provider.answers(hang)
    const model = provider.model()
    const calls = [model.embed(['a']), model.embed(['b'])].map(failureOf)
    await provider.arrival()
    await model.close()
    for (const call of calls) expect(await call).toMatchObject({ isRetryable: false, reason: 'it is closed' })
    expect(await failureOf(model.embed(['c']))).toMatchObject({ reason: 'it is closed' })
    await model.close()
  })
})

describe('what is refused', () => {
  test.each([
    ['a string', 'openai/text-embedding-3-small', /received a string, which names a model of the AI SDK's gateway/],
    ['nothing', undefined, /received undefined/],
    ['a provider', createOpenAICompatible({ name: 'x', baseURL: 'http://x' }), /a function/],
    ['a language model', createOpenAICompatible({ name: 'x', baseURL: 'http://x' })('y'), /a language model/],
    [
      'an older or newer model',
      { specificationVersion: 'v1', provider: 'x', modelId: 'y', doEmbed: () => undefined },
      /specificationVersion: .*v2/,
    ],
    ['an object', {}, /doEmbed: is not a function/],
  ])('%s', (_, received, reason) => {
    const make = () => Reflect.apply(aiSdkEmbeddingModel, undefined, [received])
    expect(make).toThrow(InvalidConfiguration)
    expect(make).toThrow(reason)
  })

  test('options that make no sense, and more texts than the limit', async () => {
    expect(() => provider.model({ queryDeadlineMs: 0 })).toThrow(InvalidOption)
    const model = provider.model()
    await expect(model.embed(Array.from({ length: model.limits.texts + 1 }, () => 'a'))).rejects.toBeInstanceOf(InvalidOption)
    expect(provider.requests).toEqual([])
  })
})
