import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Cancelled } from '../../errors/cancelled.ts'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { CallEnd, CallMeter, ModelRequest } from '../language-model.ts'
import { aiSdkLanguageModel } from './language-model.ts'
import type { AiSdkLanguageModel, GenerateOptions } from './language-model-shape.ts'

const schema = { type: 'object', properties: { gist: { type: 'string' } }, required: ['gist'], additionalProperties: false }

class Ledger implements CallMeter {
  readonly ends: CallEnd[] = []
  begun = 0

  async begin(): Promise<(end: CallEnd) => Promise<void>> {
    this.begun += 1
    return async (end) => void this.ends.push(end)
  }
}

const request = (changes: Partial<ModelRequest> = {}): ModelRequest & { meter: CallMeter } => ({
  instructions: 'Write a gist.',
  prompt: 'The ferry is late.',
  schema,
  schemaName: 'gist',
  maxOutputTokens: 200,
  deadlineMs: 5000,
  signal: new AbortController().signal,
  meter: new Ledger(),
  ...changes,
})

type Version = AiSdkLanguageModel['specificationVersion']

/** Makes a model that plays its results in order; the last one serves all further calls. A result that is a function is called. */
function own(
  results: readonly unknown[],
  specificationVersion: Version = 'v4',
): { readonly calls: GenerateOptions[]; readonly model: AiSdkLanguageModel } {
  const calls: GenerateOptions[] = []
  const doGenerate = async (options: GenerateOptions): Promise<unknown> => {
    calls.push(options)
    const result = results[Math.min(calls.length, results.length) - 1]
    return typeof result === 'function' ? result(options) : result
  }
  return { calls, model: { specificationVersion, provider: 'own', modelId: 'small', doGenerate } }
}

const texts = (text: string, finish = 'stop', warnings: readonly unknown[] = []): Record<string, unknown> => ({
  content: [
    { type: 'reasoning', text: '{"gist": "thought"}' },
    { type: 'text', text },
  ],
  finishReason: { unified: finish, raw: finish },
  usage: { inputTokens: { total: 30 }, outputTokens: { total: 5 } },
  warnings,
})

const good = texts('{"gist": "late"}')

/** Stops the clock: from now on the test moves time. */
function stoppedClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

async function failureOf(call: Promise<unknown>): Promise<ModelFailed> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ModelFailed) return error
  throw new TypeError(`not a ModelFailed: ${String(error)}`)
}

describe('each specification', () => {
  const content = [
    { type: 'text', text: '{"gist": ' },
    { type: 'reasoning', text: 'x' },
    { type: 'text', text: '"late"}' },
  ]
  const v2 = { content, finishReason: 'tool-calls', usage: { inputTokens: 30, outputTokens: undefined, totalTokens: 30 }, warnings: [] }
  const v3 = {
    content,
    finishReason: { unified: 'tool-calls', raw: 'x' },
    usage: { inputTokens: { total: 30 }, outputTokens: { total: undefined } },
    warnings: [],
  }

  test.each([
    ['v2', v2, 'other', 0],
    ['v3', v3, 'other', 0],
    ['v4', { ...texts(''), content }, 'stop', 5],
  ] as const)('%s', async (version, result, finish, outputTokens) => {
    const { calls, model } = own([result], version)
    const meter = new Ledger()
    const writer = aiSdkLanguageModel(model)
    expect(writer.name).toBe('own:small')
    expect(await writer.ask(request({ meter }))).toEqual({ object: { gist: 'late' }, finish })
    expect(meter.ends).toEqual([{ outcome: 'answered', inputTokens: 30, outputTokens, ms: expect.any(Number) }])
    expect(calls).toEqual([
      {
        prompt: [
          { role: 'system', content: 'Write a gist.' },
          { role: 'user', content: [{ type: 'text', text: 'The ferry is late.' }] },
        ],
        maxOutputTokens: 200,
        temperature: 0.2,
        responseFormat: { type: 'json', schema, name: 'gist' },
        abortSignal: expect.any(AbortSignal),
      },
    ])
  })

  test.each([
    ['v2', { inputTokens: 30, outputTokens: 5, cachedInputTokens: 20 }, { cacheReadTokens: 20 }],
    ['v2', { inputTokens: 30, outputTokens: 5 }, {}],
    [
      'v3',
      { inputTokens: { total: 30, noCache: 4, cacheRead: 20, cacheWrite: 6 }, outputTokens: { total: 5 } },
      { cacheReadTokens: 20, cacheWriteTokens: 6 },
    ],
    ['v4', { inputTokens: { total: 30, cacheRead: 0, cacheWrite: undefined }, outputTokens: { total: 5 } }, { cacheReadTokens: 0 }],
    ['v4', { inputTokens: { total: 30, cacheRead: 'many', cacheWrite: -1 }, outputTokens: { total: 5 } }, {}],
  ] as const)('%s: cached tokens are kept as the provider tells them, and left out where it does not', async (version, usage, cached) => {
    const meter = new Ledger()
    await aiSdkLanguageModel(own([{ ...good, finishReason: 'stop', usage }], version).model).ask(request({ meter }))
    expect(meter.ends).toEqual([{ outcome: 'answered', inputTokens: 30, outputTokens: 5, ...cached, ms: expect.any(Number) }])
  })

  test('the AI SDK’s own mocks', async () => {
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
    const doGenerate = async () => ({
      content: [{ type: 'text' as const, text: '{"gist":"x"}' }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    })
    for (const model of [new MockLanguageModelV3({ doGenerate }), new MockLanguageModelV4({ doGenerate })]) {
      expect(await aiSdkLanguageModel(model).ask(request())).toMatchObject({ object: { gist: 'x' } })
    }
  })

  test.each([
    ['v2', { type: 'unsupported-setting', setting: 'responseFormat' }],
    ['v3', { type: 'unsupported', feature: 'responseFormat' }],
  ] as const)('%s warns that it leaves the format out: the schema goes into the prompt from then on', async (version, warning) => {
    const { calls, model } = own([texts('{"any": "shape"}', 'stop', [{ type: 'other', message: 'x' }, warning]), good], version)
    const writer = aiSdkLanguageModel(model)
    expect(await writer.ask(request())).toMatchObject({ object: { gist: 'late' } })
    await writer.ask(request())
    expect(calls.map(({ responseFormat }) => responseFormat !== undefined)).toEqual([true, false, false])
    expect(calls[1]?.prompt[0]?.content).toContain(JSON.stringify(schema))
  })
})

describe('answers that make no sense', () => {
  test.each([
    ['prose, twice', texts('I am sorry, I cannot.'), 2, 'its answer holds no JSON object'],
    ['a list', texts('[1]'), 2, 'its answer holds no JSON object'],
    ['nothing', texts(''), 2, /^its answer is empty \(it finished with "stop"\)$/],
    ['a filtered answer', texts('I cannot', 'content-filter'), 1, 'its content filter ended the answer'],
    ['cut before an object', texts('Well, ', 'length'), 2, 'its answer was cut before it held a JSON object: allow more output tokens'],
    ['more than 256 KiB', texts(`{"gist": "${'é'.repeat(131_072)}"}`), 1, /has 262156 bytes, more than the 262144/],
    ['wrong types', { content: 'text', finishReason: 7, usage: null, warnings: 'x' }, 2, /is empty/],
    ['no result', undefined, 2, /is empty/],
  ] as const)('%s', async (_, result, requests, reason) => {
    const { calls, model } = own([result])
    const meter = new Ledger()
    expect(await failureOf(aiSdkLanguageModel(model).ask(request({ meter })))).toMatchObject({
      isRetryable: true,
      model: 'own:small',
      reason: expect.stringMatching(reason),
    })
    expect(calls).toHaveLength(requests)
    expect(meter.ends.map(({ outcome }) => outcome)).toEqual(Array.from({ length: requests }, () => 'unreadable'))
  })

  test('one prose answer does not end structured output: only an answer without it does', async () => {
    const { calls, model } = own([texts('No.'), texts('No.'), texts('No.'), texts('Sure: {"gist": "late"}'), good])
    const writer = aiSdkLanguageModel(model)
    await failureOf(writer.ask(request()))
    expect(await writer.ask(request())).toMatchObject({ object: { gist: 'late' } })
    await writer.ask(request())
    expect(calls.map(({ responseFormat }) => responseFormat !== undefined)).toEqual([true, false, true, false, false])
  })

  test('structured output that was cut twice is repaired, and says so', async () => {
    const { calls, model } = own([texts('{"gist": "the ferry', 'length')])
    expect(await aiSdkLanguageModel(model).ask(request())).toEqual({ object: { gist: 'the ferry' }, finish: 'length' })
    expect(calls).toHaveLength(2)
  })
})

describe('an answer that was cut', () => {
  const cut = texts('{"gist": "the ferry', 'length')
  const rooms = (calls: readonly GenerateOptions[]): unknown[] => calls.map(({ maxOutputTokens }) => maxOutputTokens)

  test('is asked for once more with four times the room, which stays for the next requests', async () => {
    const { calls, model } = own([cut, good])
    const writer = aiSdkLanguageModel(model)
    expect(await writer.ask(request())).toEqual({ object: { gist: 'late' }, finish: 'stop' })
    await writer.ask(request())
    expect(rooms(calls)).toEqual([200, 800, 800])
  })

  test.each([
    ['with what the window has', 1_300, [200, 500]],
    ['not where the window has less than twice the room', 1_100, [200]],
  ])('%s', async (_, window, expected) => {
    const { calls, model } = own([cut, good])
    await aiSdkLanguageModel(model, { window }).ask(request({ tokens: 800 }))
    expect(rooms(calls)).toEqual(expected)
  })

  test.each([
    ['is cut again', texts('', 'length')],
    ['is refused', () => Promise.reject(Object.assign(new TypeError('no'), { statusCode: 400, message: 'max_tokens is too large' }))],
  ])('serves as it is where the second %s, and the room is as before', async (_, second) => {
    const { calls, model } = own([cut, second, good])
    const writer = aiSdkLanguageModel(model)
    const first = await writer.ask(request())
    expect(first).toMatchObject({ object: { gist: expect.stringMatching(/the ferry|late/) } })
    await writer.ask(request())
    expect(rooms(calls)).toEqual([200, 800, 200])
  })

  test('has its time anew', async () => {
    stoppedClock()
    const slow = (result: unknown) => (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 4_000, result))
    const { model } = own([slow(cut), slow(good)])
    const asked = aiSdkLanguageModel(model).ask(request({ deadlineMs: 5_000 }))
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await asked).toEqual({ object: { gist: 'late' }, finish: 'stop' })
  })
})

describe('a model that reasons', () => {
  const reasoned = { ...good, usage: { inputTokens: { total: 30 }, outputTokens: { total: 90, reasoning: 85 } } }

  test('is asked for low effort from then on', async () => {
    const { calls, model } = own([reasoned])
    const writer = aiSdkLanguageModel(model)
    for (let at = 0; at < 3; at += 1) await writer.ask(request())
    expect(calls.map(({ reasoning }) => reasoning)).toEqual([undefined, 'low', 'low'])
  })

  test('that refuses to be told so is asked as before', async () => {
    const refusal = (): Promise<never> =>
      Promise.reject(Object.assign(new TypeError('no'), { statusCode: 400, message: 'reasoning_effort is not supported' }))
    const { calls, model } = own([reasoned, refusal, reasoned])
    const writer = aiSdkLanguageModel(model)
    for (let at = 0; at < 3; at += 1) await writer.ask(request())
    expect(calls.map(({ reasoning }) => reasoning)).toEqual([undefined, 'low', undefined, undefined])
  })
})

describe('what a failure concerns', () => {
  const status = (statusCode: number) => (): Promise<never> => Promise.reject(Object.assign(new TypeError('no'), { statusCode }))

  test.each([
    ['prose', texts('I am sorry.'), 'request'],
    ['a content filter', texts('', 'content-filter'), 'request'],
    ['400', status(400), 'request'],
    ['403', status(403), 'request'],
    ['413', status(413), 'request'],
    ['401', status(401), 'model'],
    ['402', status(402), 'model'],
    ['404', status(404), 'model'],
    ['429', status(429), 'model'],
    ['503', status(503), 'model'],
    ['no network', () => Promise.reject(Object.assign(new TypeError('no'), { code: 'ECONNREFUSED' })), 'model'],
    ['no answer in time', () => new Promise(() => undefined), 'model'],
  ])('%s', async (_, result, concerns) => {
    const { model } = own([result])
    const failure = await failureOf(aiSdkLanguageModel(model, { firstPauseMs: 0 }).ask(request({ deadlineMs: 200 })))
    expect(failure.concerns).toBe(concerns)
  })
})

describe('the deadline', () => {
  const never = (): Promise<never> => new Promise(() => undefined)

  test('holds when the model heeds no signal, and the request is counted', async () => {
    const { calls, model } = own([never])
    const meter = new Ledger()
    expect(await failureOf(aiSdkLanguageModel(model).ask(request({ deadlineMs: 60, meter })))).toMatchObject({
      isRetryable: true,
      reason: 'it gave no answer within 60 ms',
    })
    expect(calls).toHaveLength(1)
    expect(meter.ends).toMatchObject([{ outcome: 'late', inputTokens: 0 }])
  })

  test('of one request: the next one may be answered', async () => {
    const { model } = own([never, good])
    const meter = new Ledger()
    expect(await aiSdkLanguageModel(model, { requestDeadlineMs: 40, firstPauseMs: 1 }).ask(request({ meter }))).toMatchObject({
      object: { gist: 'late' },
    })
    expect(meter.ends.map(({ outcome }) => outcome)).toEqual(['late', 'answered'])
  })

  test('includes the pauses: what would end after it is not waited for', async () => {
    const { calls, model } = own([() => Promise.reject(Object.assign(new Error('busy'), { statusCode: 503 }))])
    // The clock stands still: any wait would never end.
    stoppedClock()
    expect(await failureOf(aiSdkLanguageModel(model, { firstPauseMs: 30_000 }).ask(request({ deadlineMs: 20_000 })))).toMatchObject({
      isRetryable: true,
    })
    expect(calls).toHaveLength(1)
  })

  test('a meter that takes all the time there was: nothing is sent', async () => {
    const { calls, model } = own([good])
    const ledger = new Ledger()
    stoppedClock()
    const meter: CallMeter = {
      begin: async () => {
        vi.advanceTimersByTime(10)
        return ledger.begin()
      },
    }
    expect(await failureOf(aiSdkLanguageModel(model).ask(request({ deadlineMs: 10, meter })))).toMatchObject({
      reason: 'there was no time left to ask it',
    })
    expect(calls).toHaveLength(0)
    expect(ledger.ends).toMatchObject([{ outcome: 'late' }])
  })
})

describe('the caller', () => {
  test('cancels what is under way; the request is counted as cancelled', async () => {
    const caller = new AbortController()
    const { model } = own([() => new Promise(() => caller.abort())])
    const meter = new Ledger()
    await expect(aiSdkLanguageModel(model).ask(request({ signal: caller.signal, meter }))).rejects.toBeInstanceOf(Cancelled)
    expect(meter.ends).toMatchObject([{ outcome: 'cancelled' }])
  })

  test('cancels a pause', async () => {
    const caller = new AbortController()
    const { model } = own([
      () => Promise.reject(Object.assign(new Error('busy'), { statusCode: 429, responseHeaders: { 'retry-after': '60' } })),
    ])
    const ledger = new Ledger()
    const meter: CallMeter = {
      begin: async () => (await ledger.begin(), async (end) => void (ledger.ends.push(end), setImmediate(() => caller.abort()))),
    }
    await expect(aiSdkLanguageModel(model).ask(request({ signal: caller.signal, meter, deadlineMs: 120_000 }))).rejects.toBeInstanceOf(
      Cancelled,
    )
    expect(ledger.ends).toMatchObject([{ outcome: 'limited' }])
  })

  test('cancelled before: nothing is counted or sent', async () => {
    const { calls, model } = own([good])
    const meter = new Ledger()
    await expect(aiSdkLanguageModel(model).ask(request({ signal: AbortSignal.abort(), meter }))).rejects.toBeInstanceOf(Cancelled)
    expect([calls.length, meter.begun]).toEqual([0, 0])
  })
})

describe('the meter', () => {
  test.each([
    ['an error', new RangeError('ceiling')],
    ['a TypeError', new TypeError('ceiling')],
    ['something else', 'ceiling'],
  ])('what it rejects with ends the call untouched: %s', async (_, thrown) => {
    const { calls, model } = own([good])
    const meter: CallMeter = { begin: () => Promise.reject(thrown) }
    expect(
      await aiSdkLanguageModel(model)
        .ask(request({ meter }))
        .catch((error: unknown) => error),
    ).toBe(thrown)
    expect(calls).toHaveLength(0)
  })

  test('also before a repeated request, and when a request has ended', async () => {
    const full = new RangeError('ceiling')
    const { calls, model } = own([() => Promise.reject(Object.assign(new Error('busy'), { statusCode: 503 }))])
    const ledger = new Ledger()
    const meter: CallMeter = { begin: () => (ledger.begun === 0 ? ledger.begin() : Promise.reject(full)) }
    expect(
      await aiSdkLanguageModel(model, { firstPauseMs: 1 })
        .ask(request({ meter }))
        .catch((error: unknown) => error),
    ).toBe(full)
    expect(calls).toHaveLength(1)
    expect(ledger.ends).toMatchObject([{ outcome: 'unavailable' }])
    const broken: CallMeter = { begin: async () => () => Promise.reject(full) }
    expect(
      await aiSdkLanguageModel(own([good]).model)
        .ask(request({ meter: broken }))
        .catch((error: unknown) => error),
    ).toBe(full)
  })
})

describe('what is refused', () => {
  test.each([
    ['a string', 'openai/gpt-5', /received a string, which names a model of the AI SDK's gateway/],
    ['nothing', undefined, /received undefined/],
    ['a function', () => undefined, /a function/],
    ['an embedding model', { specificationVersion: 'v4', provider: 'x', modelId: 'y', doEmbed: () => undefined }, /an embedding model/],
    [
      'an older or newer model',
      { specificationVersion: 'v1', provider: 'x', modelId: 'y', doGenerate: () => undefined },
      /specificationVersion: .*v2/,
    ],
    ['an object', {}, /doGenerate: is not a function/],
  ])('%s', (_, received, reason) => {
    const make = () => Reflect.apply(aiSdkLanguageModel, undefined, [received])
    expect(make).toThrow(InvalidConfiguration)
    expect(make).toThrow(reason)
  })

  test('options that make no sense', () => {
    for (const options of [{ window: 0 }, { window: 1.5 }, { firstPauseMs: -1 }, { requestDeadlineMs: 0 }, { windows: 1 }])
      expect(() => aiSdkLanguageModel(own([good]).model, options)).toThrow(InvalidOption)
  })

  test('the window is what is configured, or the default', async () => {
    const { signal } = new AbortController()
    expect(await aiSdkLanguageModel(own([good]).model, { window: 32_768 }).window(signal)).toBe(32_768)
    expect(await aiSdkLanguageModel(own([good]).model).window(signal)).toBe(8192)
    await expect(aiSdkLanguageModel(own([good]).model).window(AbortSignal.abort())).rejects.toBeInstanceOf(Cancelled)
  })
})
