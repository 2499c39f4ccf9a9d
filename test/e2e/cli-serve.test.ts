import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { send } from '../fixtures/server/serve.ts'
import { type ServeProcess, serveProcess } from '../fixtures/server/serve-process.ts'

const { varve, store, home } = typedIn('serve')

const placeOf = (name: string): string => join(home, name)

/** Starts a server of a store of its own. It ends with the test. */
function started(name: string, options: Parameters<typeof serveProcess>[1] = {}): ServeProcess {
  const server = serveProcess(placeOf(name), options)
  onTestFinished(async () => {
    server.process.kill('SIGKILL')
    await server.ended
  })
  return server
}

/** Waits until stdout has this. */
async function told(server: ServeProcess, wanted: string): Promise<string> {
  while (!server.stdout().includes(wanted)) await once(server.process.stdout, 'data')
  return server.stdout()
}

async function ended(server: ServeProcess): Promise<number | null> {
  server.process.kill('SIGTERM')
  return (await server.ended).code
}

test('the first start shows where, what and a key once; what it says to paste works', async () => {
  const began = performance.now()
  const server = started('first.db', { args: ['--port', '0'] })
  const banner = await told(server, 'connect({')
  console.log(`serve: the banner after ${Math.round(performance.now() - began)} ms`)
  const [, url = ''] = /at +(http:\/\/127\.0\.0\.1:\d+) /.exec(banner) ?? []
  const [, key = ''] = /key +(varve_\S+)/.exec(banner) ?? []
  expect(banner).toContain(`Varve serves ${placeOf('first.db')}\n`)
  const [, path = '', bearer = '', body = ''] = /curl \S+?(\/v1\S+) .*?Bearer (\S+)'.*?-d '(.+?)'/s.exec(banner) ?? []
  expect(bearer).toBe(key)
  expect(await send(url, 'POST', path, { key, body })).toMatchObject({ status: 200 })
  expect(await ended(server)).toBe(0)

  const again = started('first.db', { args: ['--port', '0', '--host', '::1'] })
  const later = await told(again, 'connect({')
  expect(later).not.toMatch(/varve_[0-9a-f]{32}/)
  expect(later).toContain('varve keys create --store')
  const [, other = ''] = /at +(http:\/\/\[::1\]:\d+) /.exec(later) ?? []
  const found = await send(other, 'POST', '/v1/projects/default/users/ada/recall', { key, body: { query: 'spare key' } })
  expect(found.text).toContain('hangs in the shed')
  expect(await ended(again)).toBe(0)
  expect(again.stderr()).toBe('Ends: requests under way are answered.\n')
})

test('two Ctrl-C end it at once, one after the requests under way; and no key stands in a line or a log', async () => {
  const secret = ['sk', 'made-up', '7f3a91'].join('-')
  const server = started('twice.db', { env: { VARVE_OPENAI_URL: 'http://127.0.0.1:9', VARVE_OPENAI_KEY: secret } })
  const { url = '', key = '' } = (await server.started) ?? {}
  expect(readFileSync(`/proc/${server.process.pid}/cmdline`, 'utf8')).not.toMatch(/varve_[0-9a-f]|made-up/)
  const failed = await send(url, 'POST', '/v1/chat/completions', {
    key,
    body: { model: 'any', messages: [{ role: 'user', content: 'Hello.' }] },
  })
  expect(failed.status).toBe(502)
  const upload = request(`${url}/v1/projects/default/users/ada/sessions/s/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': 100, expect: '100-continue' },
  })
  upload.on('error', () => undefined)
  upload.flushHeaders()
  await once(upload, 'continue')
  server.process.kill('SIGINT')
  await once(server.process.stderr, 'data')
  expect(server.process.exitCode).toBeNull()
  server.process.kill('SIGINT')
  expect(await server.ended).toEqual({ code: null, signal: 'SIGINT' })
  expect(server.stdout().trim().split('\n')).toHaveLength(1)
  expect(JSON.parse(server.stdout())).toEqual({ url, store: placeOf('twice.db'), key })
  expect(`${failed.text}${server.stdout().replace(key, '')}${server.stderr()}`).not.toMatch(/made-up|varve_[0-9a-f]/)
})

describe('a server that may not start', () => {
  test('elsewhere than on this machine needs a key, and makes nothing', async () => {
    const refused = await varve(['serve', '--host', '0.0.0.0'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('this store has no key')
    expect(refused.stderr).toContain(`varve keys create --any-project --access admin --store ${store}`)
    expect(existsSync(store)).toBe(false)
    await (await openMemory({ store: `sqlite:${store}`, upkeep: 'manual', embeddingModel: false })).close()
    expect(await varve(['serve', '--host', '0.0.0.0', '--json'])).toMatchObject({ code: 2 })
  })

  test.each([
    ['a URL that is none', ['--openai-url', 'hush-hush.example'], 'openaiUrl: must be an address'],
    ['a URL with a password', ['--openai-url', 'https://me:hush-hush@api.example/v1'], 'a key stands in VARVE_OPENAI_KEY'],
    ['a URL of another kind', ['--anthropic-url', 'file:///hush-hush'], 'anthropicUrl: must be an address'],
    ['a host with a port', ['--allow-host', 'hush-hush.example:80'], 'a name has no scheme, no port'],
    ['an origin without a scheme', ['--allow-origin', 'hush-hush.example'], 'such as https://app.example'],
    ['a port that there cannot be', ['--port', '65536'], '--port'],
  ])('%s is refused, and no key is made that nobody saw', async (_, flags, says) => {
    const refused = await varve(['serve', '--port', '0', ...flags])
    expect(refused.code).toBeGreaterThan(0)
    expect(refused.stderr).toContain(says)
    expect(refused.stderr).not.toContain('hush-hush')
    expect(JSON.parse((await varve(['keys', 'list', '--json'])).stdout).keys).toEqual([])
  })

  test('a port in use is told, and no key is made', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const refused = await varve(['serve', '--port', String(port)])
    other.close()
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`the address 127.0.0.1:${port} cannot be used (EADDRINUSE)`)
    expect(readdirSync(home).filter((name) => name.startsWith('serve.db'))).toEqual(['serve.db'])
    expect(JSON.parse((await varve(['keys', 'list', '--json'])).stdout).keys).toEqual([])
  })

  test('a store of a newer schema, and a file that is no store, are left as they are', async () => {
    const newer = new Database(store)
    newer.exec("INSERT INTO schema_migration VALUES (99, 'later', 'x', 0)")
    newer.close()
    const refused = await varve(['serve', '--json'])
    expect(refused.code).toBe(1)
    expect(refused.stdout + refused.stderr).toContain('SCHEMA_TOO_NEW')
    writeFileSync(store, 'a letter and no store')
    expect((await varve(['serve', '--json'])).code).toBe(1)
    expect(readFileSync(store, 'utf8')).toBe('a letter and no store')
  })
})
