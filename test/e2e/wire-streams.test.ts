import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { connect, type RemoteMemory } from '../../packages/varve/src/client/index.ts'
import type { Memory } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { problem, scriptedServer } from '../fixtures/wire/scripted-server.ts'
import { served } from '../fixtures/wire/served.ts'

async function both(): Promise<{ readonly memory: Memory; readonly remote: RemoteMemory }> {
  const memory = await openForTest()
  const { url, close } = await served(memory)
  const remote = connect({ url })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  return { memory, remote }
}

test('an export comes line by line, is what the library writes, and goes back in as it is', async () => {
  const { memory, remote } = await both()
  const words = Array.from({ length: 200 }, (_, place) => ({
    role: 'user' as const,
    content: `Grüße, 海 🛶 ${place}\u2028 ${'x'.repeat(place)}`,
  }))
  await memory.for('ada').append('talk', words)
  const lines = await Array.fromAsync(remote.for('ada').export())
  expect(lines.every((line) => line.endsWith('\n') && JSON.parse(line) !== null)).toBe(true)
  const own = await Array.fromAsync(memory.for('ada').export())
  expect(lines.slice(1, 200)).toEqual(own.slice(1, 200))
  await remote.for('ada').forget({ all: true })
  expect(await remote.for('ada').import(lines, { restoreForgotten: true })).toMatchObject({ state: 'applied', stored: { message: 200 } })
  expect(await remote.for('bo').import(lines.join(''), { accept: true })).toMatchObject({ stored: { message: 200 } })
  expect(await remote.for('cy').import(new TextEncoder().encode(lines.join('')))).toMatchObject({ state: 'waiting' })
})

test('an export that is cut rejects: its lines are not all', async () => {
  const cuts = [
    ['{"kind":"mess', 'destroy'],
    ['{"kind":"message"}\n', 'destroy'],
    ['{"kind":"mess', 'end'],
  ] as const
  for (const [end, how] of cuts) {
    const server = await scriptedServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write(`{"kind":"header"}\n${end}`, () => setImmediate(() => response[how]()))
    })
    const told: string[] = []
    const reading = (async () => {
      for await (const line of connect({ url: server.url }).for('ada').export()) told.push(line)
    })()
    expect(await rejection(reading)).toMatchObject({ code: 'SERVER_UNREACHABLE', isRetryable: true })
    expect(told[0]).toBe('{"kind":"header"}\n')
  }
})

test('a page to sign in is no export', async () => {
  const server = await scriptedServer(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>\n</p>\n'),
  )
  const told = Array.fromAsync(connect({ url: server.url }).for('ada').export())
  expect(await rejection(told)).toMatchObject({ code: 'SERVER_UNREACHABLE' })
})

test('who leaves an export, aborts it or closes the client ends its connection', async () => {
  const closed: Promise<unknown>[] = []
  const server = await scriptedServer((_request, response) => {
    closed.push(once(response, 'close'))
    response.writeHead(200, { 'content-type': 'application/jsonl' })
    response.write('{"kind":"header"}\n')
  })
  for await (const line of connect({ url: server.url }).for('ada').export()) if (line !== '') break
  const aborted = new AbortController()
  const reading = async (remote: RemoteMemory, then: () => void, signal?: AbortSignal) => {
    for await (const line of remote.for('ada').export(signal === undefined ? {} : { signal })) if (line !== '') then()
  }
  const [one, other] = [connect({ url: server.url }), connect({ url: server.url })]
  expect(await rejection(reading(one, () => aborted.abort('enough'), aborted.signal))).toMatchObject({ code: 'CANCELLED', cause: 'enough' })
  expect(await rejection(reading(other, () => void other.close()))).toMatchObject({ code: 'MEMORY_CLOSED' })
  await Promise.all(closed)
  expect(closed).toHaveLength(3)
})

test('the lines of an import are sent as they come, and a fault of theirs is the call’s', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>()
  const server = await scriptedServer((request, response) => {
    request.once('data', () => resolve())
    request.on('end', () => problem(response, 422, { code: 'EXPORT_BROKEN', isRetryable: false }))
    request.on('error', () => undefined)
  })
  const remote = connect({ url: server.url })
  async function* lines(): AsyncGenerator<string, void> {
    yield '{}\n'
    // The next line is made when the first one has arrived.
    await arrived
    yield '{}\n'
  }
  expect(await rejection(remote.for('ada').import(lines()))).toMatchObject({ code: 'EXPORT_BROKEN' })
  async function* broken(): AsyncGenerator<string, void> {
    yield '{}\n'
    throw new RangeError('the disk is gone')
  }
  expect(await rejection(remote.for('ada').import(broken()))).toMatchObject({ name: 'RangeError', message: 'the disk is gone' })
  expect(await rejection(remote.for('ada').import(JSON.parse('7')))).toMatchObject({ code: 'OPTION_INVALID', option: 'lines' })
})

test('an import that is refused at its first line leaves the connection to the next call', async () => {
  const { remote } = await both()
  const ada = remote.for('ada')
  const lines = Array.from({ length: 60 }, (_, place) => `${place === 0 ? 'nonsense' : 'x'.repeat(500)}\n`)
  for (let round = 0; round < 20; round += 1) {
    expect(await rejection(ada.import(lines))).toMatchObject({ code: 'EXPORT_BROKEN', line: 1 })
    expect(await ada.sessions.list({ deadlineMs: 20_000 })).toEqual([])
  }
})

test('a list is read through all of its pages, and says where the next one begins', async () => {
  const { memory, remote } = await both()
  for (let place = 0; place < 7; place += 1) await memory.for('ada').sessions.ensure(`talk ${place}`)
  const ada = remote.for('ada')
  const page = await ada.sessions.list({ limit: 3 })
  expect(page).toHaveLength(3)
  expect(page.cursor).toEqual(expect.any(String))
  const found = await Array.fromAsync(ada.sessions.list({ limit: 3 }))
  expect(found).toEqual(await Array.fromAsync(memory.for('ada').sessions.list()))
  expect((await ada.sessions.list({ limit: 3, cursor: page.cursor })).map(({ id }) => id)).toEqual(found.slice(3, 6).map(({ id }) => id))
})
