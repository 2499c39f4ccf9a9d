import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerEnv } from './app.ts'
import { connectionBounds, type Listening, listenAt } from './listen.ts'

const graceMs = 20_000

async function listening(app: Hono<ServerEnv>, bounds?: Parameters<typeof listenAt>[1]['bounds']): Promise<Listening> {
  return await listenAt(app, { host: '127.0.0.1', port: 0, ...(bounds === undefined ? {} : { bounds }) })
}

async function connected({ url }: Listening): Promise<{ readonly socket: Socket; readonly answers: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  await once(socket, 'connect')
  return { socket, answers: () => text }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`

test('a connection that becomes idle while the server closes does not hold it up', async () => {
  const app = new Hono<ServerEnv>()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  app.get('/slow', async ({ text }) => {
    asked.resolve()
    await answer.promise
    return text('done')
  })
  const server = await listening(app)
  const { socket, answers } = await connected(server)
  socket.write(get('/slow'))
  await asked.promise
  const began = performance.now()
  const closed = server.close(graceMs)
  answer.resolve()
  await closed
  expect(performance.now() - began).toBeLessThan(graceMs / 2)
  if (!socket.closed) await once(socket, 'close')
  expect(answers()).toMatch(/^HTTP\/1\.1 200 .*done$/s)
})

test('a request that is on its way when the server closes is answered', async () => {
  const app = new Hono<ServerEnv>()
  app.get('/first', ({ text }) => text('one'))
  app.get('/second', ({ text }) => text('two', 200, { connection: 'close' }))
  const server = await listening(app)
  const { socket, answers } = await connected(server)
  socket.write(get('/first'))
  await once(socket, 'data')
  const other = await connected(server)
  socket.write(get('/second'))
  other.socket.write(get('/second'))
  await server.close(graceMs)
  for (const one of [socket, other.socket]) if (!one.closed) await once(one, 'close')
  expect(answers()).toMatch(/two$/)
  expect(other.answers()).toMatch(/two$/)
})

test('connections that have not sent a whole head hold a closing server up for a second, not until their time is up', async () => {
  const server = await listening(new Hono<ServerEnv>())
  for (const begun of ['', 'GET / HT']) {
    const { socket } = await connected(server)
    socket.on('error', () => undefined)
    if (begun !== '') socket.write(begun)
  }
  const { socket, answers } = await connected(server)
  socket.write(get('/'))
  await once(socket, 'data')
  expect(answers()).toMatch(/^HTTP\/1\.1 404 /)
  socket.write('GET / HT')
  const began = performance.now()
  await server.close(graceMs)
  // Without more ado Node lets them be for 10 to 15 seconds, the bound of a head.
  expect(performance.now() - began).toBeLessThan(6_000)
})

test('a body that never ends is cut when the time of the requests under way is up', async () => {
  const app = new Hono<ServerEnv>()
  const asked = Promise.withResolvers<void>()
  app.post('/body', async ({ req, text }) => {
    asked.resolve()
    return text(await req.text().catch(() => 'cut'))
  })
  const server = await listening(app)
  const { socket } = await connected(server)
  socket.write('POST /body HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nbegun')
  await asked.promise
  await server.close(200)
  if (!socket.closed) await once(socket, 'close')
  expect(server.server.listening).toBe(false)
})

test('a connection that sends its request too slowly is ended, in its head as in its body', async () => {
  const app = new Hono<ServerEnv>()
  app.post('/body', async ({ req, text }) => text(await req.text().catch(() => 'cut')))
  const server = await listening(app, { ...connectionBounds, headersMs: 100, requestMs: 300 })
  const began = performance.now()
  for (const begun of [
    '',
    'GET / HT',
    'GET / HTTP/1.1\r\nHost: a\r\nX: ',
    'POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbeg',
  ]) {
    const { socket, answers } = await connected(server)
    socket.on('error', () => undefined)
    socket.write(begun)
    // One byte at a time keeps no connection.
    const dripping = setInterval(() => socket.write(begun.startsWith('POST') ? '' : 'x'), 20)
    if (!socket.closed) await once(socket, 'close')
    clearInterval(dripping)
    expect(answers(), begun).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/)
  }
  expect(performance.now() - began).toBeLessThan(20_000)
  await server.close(graceMs)
})

test('a head over its bound is refused', async () => {
  const server = await listening(new Hono<ServerEnv>())
  const { socket, answers } = await connected(server)
  socket.on('error', () => undefined)
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(connectionBounds.headerBytes)}\r\n\r\n`)
  if (!socket.closed) await once(socket, 'close')
  expect(answers()).toMatch(/^HTTP\/1\.1 431 /)
  await server.close(graceMs)
})

test('a connection goes on after the time for the rest of a body that was answered before it came', async () => {
  const app = new Hono<ServerEnv>()
  app.get('/', ({ text }) => text('one'))
  const bounds = { ...connectionBounds, restMs: 200 }
  const server = await listening(app, bounds)
  const { socket, answers } = await connected(server)
  socket.write('POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n')
  await once(socket, 'data')
  socket.write('words')
  const began = performance.now()
  while (performance.now() - began < 3 * bounds.restMs) {
    socket.write(get('/'))
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    expect(socket.closed).toBe(false)
  }
  expect(answers()).toMatch(/^HTTP\/1\.1 404 .*one$/s)
  await server.close(graceMs)
})
