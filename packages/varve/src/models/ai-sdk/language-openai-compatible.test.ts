import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Cancelled } from '../../errors/cancelled.ts'
import { InvalidConfiguration } from '../../errors/invalid-configuration.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { ScriptedAnswer } from '../../testing/scripted-completion.ts'
import {
  type ModelScript,
  type ScriptedModelServer,
  scriptedModelServer,
  type ScriptedServerOptions,
} from '../../testing/scripted-model-server.ts'
import type { CallEnd, CallMeter, LanguageModel, ModelRequest } from '../language-model.ts'
import { type OpenAiCompatibleOptions, openAiCompatible } from './language-openai-compatible.ts'

const schema = { type: 'object', properties: { gist: { type: 'string' } }, required: ['gist'] }
const late: ScriptedAnswer = { object: { gist: 'late' } }

let server: ScriptedModelServer | undefined

afterEach(async () => {
  vi.unstubAllGlobals()
  await server?.close()
})

/** Starts a server that plays the answers in order, the last one for all further requests. */
async function serving(answers: readonly ScriptedAnswer[], options?: ScriptedServerOptions): Promise<ScriptedModelServer> {
  const script: ModelScript = ({ number }) => answers[Math.min(number, answers.length) - 1] ?? {}
  server = await scriptedModelServer(script, options)
  return server
}

const modelOf = ({ url }: ScriptedModelServer, options: Partial<OpenAiCompatibleOptions> = {}): LanguageModel =>
  openAiCompatible({ url, model: 'small', key: 'secret-key', firstPauseMs: 1, ...options })

function asked(changes: Partial<ModelRequest> = {}): { readonly ends: CallEnd[]; readonly request: ModelRequest } {
  const ends: CallEnd[] = []
  const meter: CallMeter = { begin: async () => async (end) => void ends.push(end) }
  const fixed = {
    instructions: 'Write a gist.',
    prompt: 'a text that must not leak',
    schema,
    schemaName: 'gist',
    maxOutputTokens: 200,
    deadlineMs: 5000,
    signal: new AbortController().signal,
  }
  return { ends, request: { ...fixed, meter, ...changes } }
}

async function failureOf(call: Promise<unknown>): Promise<ModelFailed> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ModelFailed) return error
  throw new TypeError(`not a ModelFailed: ${String(error)}`)
}

describe('what works', () => {
  test('structured output, with the key, counted as the provider counts', async () => {
    const { url, requests } = await serving([{ ...late, reasoning: 'hm', tokens: { input: 40, output: 6 } }])
    const model = openAiCompatible({ url: `${url}/`, model: ' small ', key: 'secret-key\n' })
    const { ends, request } = asked()
    expect(await model.ask(request)).toEqual({ object: { gist: 'late' }, finish: 'stop' })
    expect(model.name).toBe('openai-compatible:small')
    expect(requests).toMatchObject([
      {
        model: 'small',
        instructions: 'Write a gist.',
        isStructured: true,
        schemaName: 'gist',
        schema,
        temperature: 0.2,
        maxTokens: 200,
        authorization: 'Bearer secret-key',
      },
    ])
    expect(ends).toEqual([{ outcome: 'answered', inputTokens: 40, outputTokens: 6, cacheReadTokens: 0, ms: expect.any(Number) }])
  })

  test.each([
    ['response_format is refused with 400', { status: 400, text: 'This response_format type is unavailable now' }, 'refused'],
    [
      'json_schema is refused with 422',
      { status: 422, body: { detail: [{ loc: ['body', 'response_format', 'json_schema'], msg: 'extra fields not permitted' }] } },
      'refused',
    ],
    ['a grammar that cannot be made', { status: 500, text: 'Failed to parse grammar' }, 'unavailable'],
    ['prose', { text: 'The ferry is late, I gather.' }, 'unreadable'],
    ['JSON in a fence, made without the schema', { text: '```json\n{"summary": "late"}\n```' }, 'unreadable'],
  ] as const)('%s: the schema goes into the prompt, and the next call begins there', async (_, refusal, outcome) => {
    const started = await serving([refusal, { text: "Sure!\n```json\n{'gist': 'late',}\n```\nAnything else?" }])
    const model = modelOf(started)
    const { ends, request } = asked()
    expect(await model.ask(request)).toEqual({ object: { gist: 'late' }, finish: 'stop' })
    expect(await model.ask(request)).toEqual({ object: { gist: 'late' }, finish: 'stop' })
    expect(started.requests.map(({ isStructured }) => isStructured)).toEqual([true, false, false])
    expect(started.requests.map(({ instructions }) => instructions.includes(JSON.stringify(schema)))).toEqual([false, true, true])
    expect(ends.map((end) => end.outcome)).toEqual([outcome, 'answered', 'answered'])
  })

  test('a temperature that is refused is left out, and structured output kept', async () => {
    const started = await serving([{ status: 400, text: "Unsupported value: 'temperature' does not support 0.2 with this model" }, late])
    const model = modelOf(started)
    const { ends, request } = asked()
    await model.ask(request)
    await model.ask(request)
    expect(started.requests.map(({ temperature, isStructured }) => [temperature, isStructured])).toEqual([
      [0.2, true],
      [undefined, true],
      [undefined, true],
    ])
    expect(ends.map(({ outcome }) => outcome)).toEqual(['refused', 'answered', 'answered'])
  })

  test('an error that gives the request back makes the model no less able', async () => {
    const started = await serving([
      { status: 400, text: 'prompt is too long: {"temperature":0.2,"response_format":{}}' },
      { status: 400, text: 'too long, temperature: 0.2' },
      { status: 400, text: 'too long, temperature: none' },
      late,
    ])
    const model = modelOf(started)
    expect(await failureOf(model.ask(asked().request))).toMatchObject({ isRetryable: false })
    await model.ask(asked().request)
    expect(started.count).toBe(4)
    expect(started.requests.at(-1)).toMatchObject({ isStructured: true, temperature: 0.2 })
  })

  test.each([
    ['429 with a short retry-after', { status: 429, headers: { 'retry-after-ms': '5' }, text: 'slow down' }, 'limited'],
    ['500', { status: 500, text: 'a bug' }, 'unavailable'],
    ['a body that is cut off', { ...late, isCut: true }, 'unavailable'],
  ] as const)('%s is tried again, as often as twice', async (_, passing, outcome) => {
    const started = await serving([passing, passing, late])
    const { ends, request } = asked()
    expect(await modelOf(started).ask(request)).toMatchObject({ object: { gist: 'late' } })
    expect(ends.map((end) => end.outcome)).toEqual([outcome, outcome, 'answered'])
  })

  test('OpenAI itself gets the name that its newer models take for the most tokens', async () => {
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
      bodies.push(JSON.parse(body))
      return Response.json({ choices: [{ message: { role: 'assistant', content: '{"gist":"late"}' }, finish_reason: 'stop' }] })
    })
    await openAiCompatible({ url: 'https://api.openai.com/v1', model: 'gpt-5-mini' }).ask(asked().request)
    // The second is for the whole answer: this one does not come in pieces.
    expect(bodies).toEqual([
      expect.objectContaining({ max_completion_tokens: 200, stream: true }),
      expect.objectContaining({ max_completion_tokens: 200 }),
    ])
    expect(JSON.stringify(bodies)).not.toContain('max_tokens')
  })

  test('an answer comes in pieces, with its tokens; a server that refuses pieces is asked for the whole from then on', async () => {
    const started = await serving([{ status: 400, text: 'stream_options is not supported' }, late])
    const model = modelOf(started)
    const { ends, request } = asked()
    for (let at = 0; at < 2; at += 1) expect(await model.ask(request)).toMatchObject({ object: { gist: 'late' } })
    expect(started.requests.map(({ isStreamed }) => isStreamed)).toEqual([true, false, false])
    expect(ends.map(({ outcome }) => outcome)).toEqual(['refused', 'answered', 'answered'])
    const streaming = await serving([{ ...late, tokens: { input: 30, output: 5 }, pieces: ['{"gist":', ' "late"}'] }])
    const { ends: counted, request: again } = asked()
    expect(await modelOf(streaming).ask(again)).toEqual({ object: { gist: 'late' }, finish: 'stop' })
    expect(counted).toMatchObject([{ outcome: 'answered', inputTokens: 30, outputTokens: 5 }])
  })

  test('a retry-after that fits the deadline is waited for', async () => {
    const started = await serving([{ status: 429, headers: { 'retry-after-ms': '120' }, text: 'slow down' }, late])
    const waits: { readonly ms: number; readonly requests: number }[] = []
    const pause = vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => void waits.push({ ms, requests: started.count }))
    syncBuiltinESMExports()
    onTestFinished(() => (pause.mockRestore(), syncBuiltinESMExports()))
    await modelOf(started, { firstPauseMs: 0 }).ask(asked().request)
    expect(waits).toEqual([{ ms: 120, requests: 1 }])
    expect(started.count).toBe(2)
  })
})

describe('what fails', () => {
  test.each([
    ['401', { status: 401, text: 'no such key' }, ['refused'], { isRetryable: false }, /401; check the key/],
    ['404', { status: 404, text: 'no such model' }, ['refused'], { isRetryable: false }, /404; check the address and the model/],
    ['500 three times', { status: 500, text: 'a bug' }, ['unavailable', 'unavailable', 'unavailable'], { isRetryable: true }, /500/],
    [
      '429 with a long retry-after',
      { status: 429, headers: { 'retry-after': '60' }, text: 'slow down' },
      ['limited'],
      { isRetryable: true, retryAfterMs: 60_000 },
      /429/,
    ],
    [
      '429 three times',
      { status: 429, headers: { 'retry-after-ms': '1' }, text: 'slow down' },
      ['limited', 'limited', 'limited'],
      { isRetryable: true, retryAfterMs: 1 },
      /429/,
    ],
    [
      'a body that is cut off three times',
      { ...late, isCut: true },
      ['unavailable', 'unavailable', 'unavailable'],
      { isRetryable: true },
      /cannot be read|call failed/,
    ],
    ['1 MB', { text: `{"gist": "${'x'.repeat(1_000_000)}"}` }, ['unreadable'], { isRetryable: true }, /1000012 bytes/],
    ['3 MB', { text: `{"gist": "${'x'.repeat(3_000_000)}"}` }, ['unreadable'], { isRetryable: true }, /cannot be read/],
    ['wrong types', { body: { choices: 'none' } }, ['unreadable', 'unreadable'], { isRetryable: true }, /cannot be read/],
    ['no choices', { body: { choices: [] } }, ['unreadable', 'unreadable'], { isRetryable: true }, /cannot be read/],
    ['a page', { body: '<html>Sign in to the Wi-Fi</html>' }, ['unreadable', 'unreadable'], { isRetryable: true }, /cannot be read/],
  ] as const)('%s', async (_, answer, outcomes, facts, reason) => {
    const started = await serving([answer])
    const { ends, request } = asked()
    const error = await failureOf(modelOf(started).ask(request))
    expect(error).toMatchObject({ model: 'openai-compatible:small', reason: expect.stringMatching(reason), ...facts })
    expect(ends.map(({ outcome }) => outcome)).toEqual(outcomes)
    expect(started.count).toBe(outcomes.length)
    expect(inspect(error, { depth: 10 })).not.toMatch(/must not leak|secret-key|no such|a bug|slow down|Sign in/)
  })

  test('a server that is not there', async () => {
    const started = await serving([late])
    await started.close()
    const { ends, request } = asked()
    expect(await failureOf(modelOf(started).ask(request))).toMatchObject({ isRetryable: true, reason: 'its call failed (ECONNREFUSED)' })
    expect(ends.map(({ outcome }) => outcome)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  })

  test('a server that hangs, by the deadline, with its connection', async () => {
    const started = await serving([{ hangs: true }])
    const { ends, request } = asked({ deadlineMs: 1_000 })
    expect(await failureOf(modelOf(started).ask(request))).toMatchObject({ reason: 'it gave no answer within 1000 ms' })
    expect(ends.map(({ outcome }) => outcome)).toEqual(['late'])
    await expect.poll(() => started.abandoned).toBe(1)
  })

  test('a caller who cancels closes the connection', async () => {
    const caller = new AbortController()
    const started = await scriptedModelServer(() => (setImmediate(() => caller.abort()), { hangs: true }))
    server = started
    const { ends, request } = asked({ signal: caller.signal })
    await expect(modelOf(started).ask(request)).rejects.toBeInstanceOf(Cancelled)
    expect(ends.map(({ outcome }) => outcome)).toEqual(['cancelled'])
    await expect.poll(() => started.abandoned).toBe(1)
  })
})

test.each([
  ['no address', { url: 'localhost' }, 'VARVE_MODEL_URL'],
  ['another protocol', { url: 'ftp://localhost/v1' }, 'VARVE_MODEL_URL'],
  ['a password in the address', { url: 'http://me:secret-key@localhost/v1' }, 'VARVE_MODEL_URL'],
  ['a question', { url: 'http://localhost/v1?version=1' }, 'VARVE_MODEL_URL'],
  ['no model', { model: ' ' }, 'VARVE_MODEL'],
  ['a key with a line break', { key: 'secret-key\nx' }, 'VARVE_MODEL_KEY'],
])('%s is refused, and no secret is told', (_, changes, setting) => {
  const make = () => openAiCompatible({ url: 'http://localhost/v1', model: 'small', ...changes })
  expect(make).toThrow(InvalidConfiguration)
  expect(make).toThrow(expect.objectContaining({ setting, message: expect.not.stringContaining('secret-key') }))
})
