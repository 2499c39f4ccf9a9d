import { expect, test, vi } from 'vitest'
import { connect, type RemoteUserMemory, VarveError as RemoteError } from '../../packages/varve/src/client/index.ts'
import { VarveError } from '../../packages/varve/src/index.ts'
import { listeningLogger, rejection } from '../fixtures/memory/open.ts'
import { json, problem, scriptedServer } from '../fixtures/wire/scripted-server.ts'

/** A port at which nothing listens: one that a server had. */
async function nowhere(): Promise<string> {
  const { createServer } = await import('node:http')
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<string>()
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`))
  })
  return promise
}

/** The calls that an agent makes while a person waits. */
async function questionsOf(ada: RemoteUserMemory): Promise<Readonly<Record<string, unknown>>> {
  return {
    recall: await ada.recall('ferry'),
    gists: await ada.gists.recall('ferry'),
    facts: await ada.facts.recall('ferry'),
    bank: await ada.bank.search('ferry'),
    documents: await ada.documents.recollect('ferry'),
    context: await ada.context({ query: 'ferry' }),
    compact: await ada.compact([{ role: 'user', content: 'hello' }], { session: 'talk', maxTokens: 100 }),
  }
}

const unanswered = (operation: string) => ({ hits: [], degraded: [expect.stringMatching(new RegExp(`^${operation} failed: `))] })

const open = {
  recall: unanswered('recall'),
  gists: unanswered('recall'),
  facts: unanswered('facts'),
  bank: unanswered('recall'),
  documents: [],
  context: {
    id: expect.any(String),
    text: '',
    tokens: 0,
    sections: [],
    omitted: [],
    degraded: [expect.stringMatching(/^context failed: /)],
  },
  compact: [{ role: 'user', content: 'hello' }],
}

test('questions are answered with nothing when no server is there, one warning a code; writes reject', async () => {
  const logger = listeningLogger()
  const ada = connect({ url: await nowhere(), logger }).for('ada')
  expect(await questionsOf(ada)).toEqual(open)
  expect(logger.warnings).toEqual([expect.stringContaining('could not be reached: no answer (ECONNREFUSED)')])
  const error = await rejection(
    connect({ url: await nowhere(), retries: 0 })
      .for('ada')
      .append('talk', { role: 'user', content: 'x' }),
  )
  expect(error).toMatchObject({
    code: 'SERVER_UNREACHABLE',
    name: 'ServerUnreachable',
    isRetryable: true,
    reason: 'no answer (ECONNREFUSED)',
  })
  expect(VarveError.is(error)).toBe(true)
  expect(RemoteError.is(error)).toBe(true)
})

test('questions are answered with nothing when the server fails, is busy, or something before it answers', async () => {
  const failures: ((response: Parameters<typeof problem>[0]) => void)[] = [
    (response) => problem(response, 500, { code: 'STORE_DAMAGED', isRetryable: false }),
    (response) => problem(response, 503, {}),
    (response) => problem(response, 429, { code: 'RATE_LIMITED' }),
    (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please sign in</h1>'),
    (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"hits":', () => response.destroy()),
  ]
  for (const fail of failures) {
    const server = await scriptedServer((_request, response) => fail(response))
    const ada = connect({ url: server.url, retries: 0, logger: listeningLogger() }).for('ada')
    expect(await ada.recall('ferry')).toEqual(open.recall)
    expect(await ada.context({ query: 'ferry' })).toEqual(open.context)
  }
})

test('a question waits for no more than its deadline, and for 5 seconds by default', async () => {
  const server = await scriptedServer(() => undefined)
  const ada = connect({ url: server.url, logger: listeningLogger() }).for('ada')
  expect(await ada.recall('ferry', { deadlineMs: 30 })).toEqual(open.recall)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = ada.context({ query: 'ferry' })
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  expect(await asked).toEqual(open.context)
})

test('questions reject where the caller has to know: a wrong option, a key, a limit, an abort', async () => {
  for (const [status, code] of [
    [400, 'OPTION_INVALID'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [409, 'ISOLATION_WARNING'],
    [422, 'LIMIT_EXCEEDED'],
  ] as const) {
    const server = await scriptedServer((_request, response) => problem(response, status, { code, isRetryable: false }))
    expect(await rejection(connect({ url: server.url }).for('ada').recall('ferry')), code).toMatchObject({ code })
  }
  const signal = AbortSignal.abort()
  expect(
    await rejection(
      connect({ url: await nowhere() })
        .for('ada')
        .recall('ferry', { signal }),
    ),
  ).toMatchObject({ code: 'CANCELLED' })
})

test('a conversation is cut without the server: the system’s words and the newest turns stay, and no result loses its call', async () => {
  const ada = connect({ url: await nowhere(), retries: 0, logger: listeningLogger() }).for('ada')
  const turns = Array.from({ length: 40 }, (_, place) => [
    { role: 'user', content: `question ${place} `.repeat(10) },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: `c${place}`, toolName: 'look', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${place}`, toolName: 'look', output: { type: 'text', value: 'yes' } }] },
  ]).flat()
  const system = { role: 'system', content: 'Be brief.' }
  const kept = await ada.compact([system, ...turns], { session: 'talk', maxTokens: 500 })
  expect(kept[0]).toBe(system)
  expect(kept.at(-1)).toBe(turns.at(-1))
  expect(kept[1]).toMatchObject({ role: 'user' })
  expect(kept.length).toBeGreaterThan(10)
  expect(kept.length).toBeLessThan(60)
  const tiny = await ada.compact([system, ...turns], { session: 'talk', maxTokens: 1 })
  expect(tiny).toEqual([system, ...turns.slice(-3)])
  expect(ada.shouldCompact(turns, { window: 2_000 })).toBe(true)
  expect(ada.shouldCompact(turns, { window: 20_000 })).toBe(false)
  expect(() => ada.shouldCompact(turns, { window: 0 })).toThrow(/window must be/)
})

test('a compacted conversation has the host’s own objects', async () => {
  const server = await scriptedServer((_request, response) =>
    json(response, {
      items: [
        { role: 'user', content: 'notes' },
        { role: 'user', content: 'b' },
      ],
      places: [null, 1],
      tokens: 9,
    }),
  )
  const messages = [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ] as const
  const kept = await connect({ url: server.url }).for('ada').compact(messages, { session: 'talk', maxTokens: 10 })
  expect(kept).toEqual([{ role: 'user', content: 'notes' }, messages[1]])
  expect(kept[1]).toBe(messages[1])
})
