import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { restBounds } from '../../packages/varve/src/server/rest-of-body.ts'
import { type Served, served } from '../fixtures/server/serve.ts'

// A request that is answered before its body has come: refused, or a GET whose body nobody wants.

const mostBytes = 1_000

let server: Served
let reader: string
let limited: string

beforeAll(async () => {
  server = await served({}, { maxBodyBytes: mostBytes })
  const { keys } = server.memory
  reader = (await keys.create({ project: 'acme', user: 'ada', access: 'read' })).key
  limited = (await keys.create({ project: 'acme', user: 'ada', access: 'read', perMinute: 1 })).key
  // Its one request of a minute.
  await fetch(`${server.url}/v1/projects/acme/users/ada/profile`, { headers: { authorization: `Bearer ${limited}` } })
  return () => server.close()
})

interface Connection {
  readonly socket: Socket
  text(): string
}

async function connected(): Promise<Connection> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return { socket, text: () => text }
}

const path = '/v1/projects/acme/users/ada'
const slow: readonly (readonly [status: number, head: string, key?: 'reader' | 'limited'])[] = [
  [401, `POST ${path}/recall`],
  [403, `POST ${path}/forget`, 'reader'],
  [404, 'POST /v1/nowhere', 'reader'],
  [405, `DELETE ${path}/recall`, 'reader'],
  [413, `POST ${path}/recall`, 'reader'],
  [421, 'POST /healthz'],
  [429, `POST ${path}/recall`, 'limited'],
  [401, 'POST /v1/chat/completions'],
  [200, `GET ${path}/profile`, 'reader'],
  [200, 'GET /healthz'],
]

test('a slow body without an end holds the connection of an answered request for seconds, not minutes', { timeout: 60_000 }, async () => {
  const keys = { reader, limited }
  const held = slow.flatMap(([status, head, key]) =>
    ['content-length: 500000000', 'transfer-encoding: chunked'].map(async (length) => {
      const { socket, text } = await connected()
      const host = status === 421 ? 'evil.example' : '127.0.0.1'
      const by = key === undefined ? '' : `authorization: Bearer ${keys[key]}\r\n`
      socket.write(`${head} HTTP/1.1\r\nhost: ${host}\r\n${by}content-type: application/json\r\n${length}\r\n\r\n`)
      // Without a length a body is read until it is too long.
      if (status === 413 && length.startsWith('transfer')) socket.write(`1000\r\n${'x'.repeat(0x1000)}\r\n`)
      await once(socket, 'data')
      const answered = performance.now()
      const dripping = setInterval(() => socket.write(length.startsWith('transfer') ? '1\r\nx\r\n' : 'x'), 100)
      if (!socket.closed) await once(socket, 'close')
      clearInterval(dripping)
      expect(text(), head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(performance.now() - answered, head).toBeLessThan(restBounds.ms * 4)
    }),
  )
  await Promise.all(held)
})

test('a body that is too long even to be dropped is cut', async () => {
  const { socket } = await connected()
  socket.write(`POST ${path}/recall HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000000\r\n\r\n`)
  await once(socket, 'data')
  const piece = Buffer.alloc(1024 * 1024)
  let sent = 0
  while (!socket.destroyed && sent < 500) {
    sent += 1
    const taken = Promise.withResolvers<void>()
    socket.write(piece, () => taken.resolve())
    await taken.promise
  }
  // Some MiB are on their way when it is cut, in the buffers of both ends.
  expect(sent * piece.length).toBeGreaterThanOrEqual(restBounds.bytes)
  expect(sent).toBeLessThan(500)
})

test('a client that sends all of a refused body before it reads gets its answer, and its connection goes on', async () => {
  const { socket, text } = await connected()
  const body = 24 * 1024 * 1024
  const pieces = 12
  socket.pause()
  socket.write(`POST ${path}/recall HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body}\r\n\r\n`)
  for (let at = 0; at < pieces; at += 1) {
    await pause(100)
    if (!socket.write(Buffer.alloc(body / pieces))) await once(socket, 'drain')
  }
  socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  socket.resume()
  await expect.poll(text).toMatch(/^HTTP\/1\.1 401 .*HTTP\/1\.1 200 /s)
})

test('a caller that leaves within its body is no fault of the server', async () => {
  const lines: string[] = []
  const own = await served({}, { log: 'requests', logSink: { write: (line) => lines.push(line) } })
  onTestFinished(() => own.close())
  const { key } = await own.memory.keys.create({ access: 'admin' })
  const port = Number(new URL(own.url).port)
  for (const route of ['/projects/acme/users/ada/recall', '/projects/acme/users/ada/import', '/chat/completions']) {
    const socket = connect(port, '127.0.0.1')
    const type = route.endsWith('import') ? 'application/jsonl' : 'application/json'
    socket.write(`POST /v1${route} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`)
    socket.write(`content-type: ${type}\r\ncontent-length: 90\r\nexpect: 100-continue\r\n\r\n`)
    // The server asks for the body, and so reads it.
    await once(socket, 'data')
    socket.write('{"qu', () => socket.resetAndDestroy())
  }
  await expect.poll(() => lines.map((line) => Number(Object(JSON.parse(line)).status))).toEqual([499, 499, 499])
})
