import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerEnv } from './app.ts'
import { type Listening, listenAt } from './listen.ts'

const graceMs = 20_000

async function listening(app: Hono<ServerEnv>): Promise<Listening> {
  return await listenAt(app, { host: '127.0.0.1', port: 0 })
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
