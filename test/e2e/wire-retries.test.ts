import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { connect, type RemoteMemory } from '../../packages/varve/src/client/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { json, problem, scriptedServer } from '../fixtures/wire/scripted-server.ts'
import { served } from '../fixtures/wire/served.ts'

const silent = { logger: { warn: () => undefined } }
const line = { role: 'user', content: 'the ferry leaves at nine' } as const

function connected(url: string, options: { readonly retries?: number; readonly timeoutMs?: number } = {}): RemoteMemory {
  return connect({ url, ...silent, ...options })
}

test('a write whose answer is lost is sent again with the same key, and is done once', async () => {
  const memory = await openForTest()
  const { url, close } = await served(memory)
  const agent = new Agent()
  // Passes requests on, and cuts the first connection once the server has answered.
  const front = await scriptedServer((request, response, number) => {
    const { method, headers, url: path } = request
    const passed = httpRequest(`${url}${path}`, { method, headers: { ...headers, host: new URL(url).host }, agent }, (answer) => {
      if (number === 0) answer.resume().on('end', () => response.destroy())
      else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers))
    })
    request.pipe(passed)
  })
  const remote = connected(front.url)
  const { messages } = await remote.for('ada').append('talk', line)
  expect(messages).toMatchObject([{ seq: 1, duplicate: false }])
  expect(await memory.for('ada').messages('talk')).toHaveLength(1)
  const keys = front.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toEqual([expect.stringMatching(/^\d+(?:-\d+){3}$/), keys[0]])
  await remote.for('ada').append('talk', line)
  expect(front.requests[2]?.headers['idempotency-key']).not.toBe(keys[0])
  agent.destroy()
  await close(1_000)
})

test('a busy server is asked again no sooner than it says, and no more often than `retries` says', async () => {
  const times: number[] = []
  const server = await scriptedServer((_request, response) => {
    times.push(performance.now())
    problem(response, 429, { code: 'RATE_LIMITED', title: 'RateLimited', facts: { retryAfterMs: 1_000 } }, { 'retry-after': '1' })
  })
  const error = await rejection(connected(server.url, { retries: 1 }).for('ada').profile())
  expect(error).toMatchObject({ code: 'RATE_LIMITED', name: 'RateLimited', isRetryable: true, retryAfterMs: 1_000 })
  expect(times).toHaveLength(2)
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950)
  await rejection(connected(server.url, { retries: 0 }).for('ada').profile())
  expect(times).toHaveLength(3)
  // It would have to wait for longer than anyone waits for the answer.
  await rejection(connected(server.url, { timeoutMs: 500 }).for('ada').profile())
  expect(times).toHaveLength(4)
})

test('only what may pass is asked again: no refusal, no failure that stays, and no import', async () => {
  const answers = [
    { status: 404, code: 'NOT_FOUND', isRetryable: false },
    { status: 503, code: 'APPEND_INCOMPLETE', isRetryable: false },
    { status: 500, code: 'STORE_DAMAGED', isRetryable: false },
    { status: 409, code: 'STALE_REVISION', isRetryable: true },
  ]
  for (const { status, ...told } of answers) {
    const server = await scriptedServer((_request, response) => problem(response, status, told))
    expect(await rejection(connected(server.url).for('ada').append('talk', line)), told.code).toMatchObject({ code: told.code })
    expect(server.requests, told.code).toHaveLength(1)
  }
  const away = await scriptedServer((request, response) => void request.resume().on('end', () => problem(response, 503, {})))
  expect(await rejection(connected(away.url).for('ada').import('{}\n'))).toMatchObject({ code: 'STORE_BUSY' })
  expect(away.requests).toHaveLength(1)
  const closing = await scriptedServer((_request, response, number) =>
    number === 0 ? problem(response, 503, { code: 'MEMORY_CLOSED', isRetryable: false }) : json(response, { ok: true }),
  )
  expect(await connected(closing.url).for('ada').profile()).toEqual({ ok: true })
})

test('an abort ends the wait for another attempt at once', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = await scriptedServer((_request, response) => {
    problem(response, 503, {}, { 'retry-after': '20' })
    response.on('close', resolve)
  })
  const aborted = new AbortController()
  const began = performance.now()
  const failed = rejection(connected(server.url).for('ada').append('talk', line, { signal: aborted.signal }))
  await asked
  aborted.abort('enough')
  expect(await failed).toMatchObject({ code: 'CANCELLED', operation: 'append', cause: 'enough' })
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('an abort and a deadline close the connection of a server that hangs', async () => {
  const closed: Promise<unknown>[] = []
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = await scriptedServer((_request, response) => {
    closed.push(once(response, 'close'))
    resolve()
  })
  const ada = connected(server.url).for('ada')
  expect(await rejection(ada.profile({ deadlineMs: 50 }))).toMatchObject({ code: 'DEADLINE_EXCEEDED', deadlineMs: 50, isRetryable: true })
  expect(await rejection(connected(server.url, { timeoutMs: 50 }).for('ada').profile())).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  await asked
  const aborted = new AbortController()
  const failed = rejection(ada.profile({ signal: aborted.signal }))
  aborted.abort()
  expect(await failed).toMatchObject({ code: 'CANCELLED' })
  await Promise.all(closed)
})

test('an append that waits for another one keeps its deadline and its signal, is not sent, and lets none pass the first', async () => {
  const { promise: first, resolve: answerFirst } = Promise.withResolvers<void>()
  const server = await scriptedServer(async (_request, response, number) => {
    if (number === 0) await first
    json(response, { messages: [], number })
  })
  const ada = connected(server.url).for('ada')
  const slow = ada.append('talk', line)
  expect(await rejection(ada.append('talk', line, { deadlineMs: 30 }))).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  const aborted = new AbortController()
  const failed = rejection(ada.append('talk', line, { signal: aborted.signal }))
  aborted.abort()
  expect(await failed).toMatchObject({ code: 'CANCELLED' })
  const last = ada.append('talk', line)
  expect(await ada.append('other talk', line)).toMatchObject({ number: 1 })
  answerFirst()
  expect(await slow).toMatchObject({ number: 0 })
  expect(await last).toMatchObject({ number: 2 })
  expect(server.requests).toHaveLength(3)
})

test('messages that are appended without waiting keep their order, and close() waits for them', async () => {
  const memory = await openForTest()
  const { url, close } = await served(memory)
  const remote = connected(url)
  const ada = remote.for('ada')
  const appended = Array.from({ length: 30 }, (_, place) => ada.append('talk', { role: 'user', content: `word ${place}` }))
  await remote.close()
  await Promise.all(appended)
  const said = await memory.for('ada').messages('talk', { limit: 100 })
  expect(said.map(({ content }) => content)).toEqual(Array.from({ length: 30 }, (_, place) => `word ${place}`))
  expect(await rejection(ada.profile())).toMatchObject({ code: 'MEMORY_CLOSED' })
  await close(1_000)
})
