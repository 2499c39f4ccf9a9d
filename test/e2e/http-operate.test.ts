import { renameSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allRoutes } from '../../packages/varve/src/server/routes.ts'
import { temporaryFolder } from '../fault/support/folder.ts'
import { send, type Served, served, servedForTest } from '../fixtures/server/serve.ts'

/** A line of a sample in the text format of Prometheus, and its labels. */
const sample =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|nan)(?: \d+)?$/i
const comment = /^# (?:HELP [a-zA-Z_:][\w:]* [^\n]*|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped))$/

interface Parsed {
  /** Each series, without its value. */
  readonly series: readonly string[]
  readonly labels: readonly (readonly [string, string])[]
}

/** Parses a page of metrics, and fails at the first line that is none. */
function parsed(text: string): Parsed {
  expect(text.endsWith('\n')).toBe(true)
  const typed = new Set<string>()
  const series: string[] = []
  const labels: (readonly [string, string])[] = []
  for (const line of text.trimEnd().split('\n')) {
    if (line === '') continue
    if (line.startsWith('#')) {
      expect(line).toMatch(comment)
      if (line.startsWith('# TYPE ')) typed.add(line.split(' ')[2] ?? '')
      continue
    }
    const [, name = '', inBraces = ''] = sample.exec(line) ?? expect.fail(`no sample: ${line}`)
    expect(
      [...typed].some((known) => name === known || new RegExp(`^${known}_(?:bucket|sum|count)$`).test(name)),
      line,
    ).toBe(true)
    series.push(line.slice(0, line.lastIndexOf(' ')))
    for (const [, label = '', value = ''] of inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels.push([label, value])
  }
  expect(new Set(series).size).toBe(series.length)
  return { series, labels }
}

async function metricsOf({ url }: Served, key: string): Promise<Parsed> {
  const got = await send(url, 'GET', '/metrics', { key })
  expect(got.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return parsed(got.text)
}

describe('metrics', () => {
  test('are lines that a scraper reads, of routes and never of names', async () => {
    const server = await servedForTest()
    const { key } = await server.memory.keys.create({ access: 'admin' })
    const canary = 'CanaryOfTheHarbour'
    const at = `/v1/projects/${canary}/users/${canary}`
    await send(server.url, 'POST', `${at}/sessions/${canary}/messages`, {
      key,
      body: { messages: { role: 'user', content: canary, name: canary } },
    })
    await send(server.url, 'POST', `${at}/recall`, { key, body: { query: canary } })
    await send(server.url, 'GET', `${at}/blocks/${canary}?${canary}=1`, { key })
    await send(server.url, 'GET', `/v1/projects/${canary}/${canary}`, { key, headers: { 'varve-user': canary, 'x-request-id': canary } })
    await send(server.url, 'POST', '/v1/chat/completions', {
      key,
      body: { model: canary, messages: [] },
      headers: { 'varve-session': canary },
    })
    await send(server.url, 'GET', `/v1/turns/${canary}`, { key })
    const { labels, series } = await metricsOf(server, key)
    expect(series.length).toBeGreaterThan(50)
    expect(JSON.stringify([series, labels])).not.toContain(canary)
    const known = new Set(['none', '/healthz', '/readyz', '/metrics', ...allRoutes().map(({ path }) => path)])
    const others = labels.filter(([label, value]) => label === 'route' && !known.has(value)).map(([, value]) => value)
    expect(others.filter((route) => !/^\/(?:v1|docs|openapi)[\w/{}:.-]*$/.test(route))).toEqual([])
  })

  test('grow by no request that meets nothing, whatever its path, its method and its headers', async () => {
    const server = await servedForTest()
    const { key } = await server.memory.keys.create({ access: 'admin' })
    const strange = async (round: number): Promise<void> => {
      for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL', 'SEARCH'])
        for (const path of [
          `/${round}`,
          `/v1/projects/p${round}/nothing`,
          `/metrics/${round}`,
          `/v1//projects/${round}`,
          `/%2e%2e/${round}`,
        ])
          await send(server.url, verb, path, { key })
      await send(server.url, 'GET', '/v1/projects', { headers: { host: `h${round}.example` } })
    }
    await strange(0)
    await metricsOf(server, key)
    // The runtime's own grow by its timers and by the kinds of its garbage collections.
    const own = async (): Promise<readonly string[]> =>
      (await metricsOf(server, key)).series.filter((one) => !one.startsWith('varve_nodejs_'))
    const before = await own()
    for (let round = 1; round < 20; round += 1) await strange(round)
    expect(await own()).toEqual(before)
  })

  test('are for the admin of the whole store alone', async () => {
    const { memory, url } = await servedForTest()
    const keyOf = async (rights: Parameters<typeof memory.keys.create>[0]): Promise<string> => (await memory.keys.create(rights)).key
    expect((await send(url, 'GET', '/metrics')).status).toBe(401)
    for (const rights of [
      { access: 'write' },
      { access: 'read' },
      { access: 'admin', project: 'acme' },
      { project: 'acme', user: 'ada' },
    ] as const)
      expect((await send(url, 'GET', '/metrics', { key: await keyOf(rights) })).status).toBe(403)
    expect((await send(url, 'GET', '/metrics', { key: await keyOf({ access: 'admin' }) })).status).toBe(200)
  })
})

describe('readiness', () => {
  /** Asks until the answer has a status. */
  async function until(url: string, status: number): Promise<object> {
    for (;;) {
      const got = await send(url, 'GET', '/readyz')
      if (got.status === status) return Object(got.json())
    }
  }

  test('is 503 once the store is not there any more, and tells no reason', async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder[Symbol.dispose]())
    const file = folder.file('store.db')
    const server = await served({ store: `sqlite:${file}` }, { file })
    onTestFinished(() => server.close())
    const { key } = await server.memory.keys.create({ access: 'admin' })
    expect(await until(server.url, 200)).toEqual({ ready: true, checks: { store: true, threads: true, model: true } })
    for (const suffix of ['', '-wal', '-shm']) renameSync(`${file}${suffix}`, `${file}.moved${suffix}`)
    writeFileSync(file, 'a letter and no store, which is longer than the head of one would be'.repeat(100))
    expect(await until(server.url, 503)).toMatchObject({ ready: false, checks: { store: false } })
    const { text, status } = await send(server.url, 'GET', '/readyz')
    expect(status).toBe(503)
    expect(text).toMatch(/^\{"ready":false,"checks":\{"store":false,"threads":(?:true|false),"model":(?:true|false)\}\}$/)
    const refused = await send(server.url, 'GET', '/v1/projects', { key: `${key.slice(0, -1)}_` })
    expect(refused.text).not.toContain(folder.path)
    expect(refused.text).not.toContain('SQLITE')
  })

  test('reads the store at most once a second, however many ask', async () => {
    const server = await servedForTest()
    expect(await until(server.url, 200)).toMatchObject({ ready: true })
    const asked = performance.now()
    await until(server.url, 200)
    await server.memory.close()
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await send(server.url, 'GET', '/readyz')).status))
    // Nothing was read: the store is closed, and the last answer still serves.
    if (performance.now() - asked < 900) expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await until(server.url, 503)).toMatchObject({ ready: false })
  })

  test('is 503 while the server closes, for whoever is still connected', async () => {
    const server = await served()
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (piece: Buffer) => (text += piece.toString()))
    const ask = 'GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
    socket.write(ask)
    while (!text.includes('"ready":true')) await once(socket, 'data')
    const closed = server.close()
    socket.write(ask)
    await once(socket, 'close')
    expect(text).toMatch(/HTTP\/1\.1 503 .*"ready":false/s)
    await closed
  })
})
