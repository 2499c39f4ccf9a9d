import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { openMemory } from '../packages/varve/src/memory/memory.ts'
import { ErasureWatch } from '../packages/varve/src/server/erasure-watch.ts'
import { proxyApp } from '../packages/varve/src/server/proxy/proxy-app.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { lineOf, linesTable } from './shared/lines.ts'
import { below, seeded } from './shared/random.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { median, percentile } from './shared/statistics.ts'
import { figure, table } from './shared/table.ts'
import { measuring } from './shared/usage.ts'

const about = `What the proxy adds to a call, on loopback. An upstream streams pieces in the pace of a model. Client, proxy and
upstream are in one process, so that one clock tells when a piece was sent and when it came. CPU time is of all three, so the
proxy's is the difference.
off: Varve-Memory is off. on: a context is read from a memory, and the turn is stored after the reply.`

const options = readArguments('proxy', about, {
  calls: { value: 'n', text: 'calls of each way, in turns.', default: '40' },
  pieces: { value: 'n', text: 'of a stream.', default: '100' },
  pace: { value: 'ms', text: 'between two pieces.', default: '4' },
  messages: { value: 'n', text: 'that the memory holds.', default: '2000' },
  embeddings: { value: 'on|off', text: 'finds by the embedding model too.', default: 'off' },
})
const calls = wholeNumber('calls', options.calls, 1, 10_000)
const pieces = wholeNumber('pieces', options.pieces, 2, 100_000)
const pace = wholeNumber('pace', options.pace, 1, 10_000)
const held = wholeNumber('messages', options.messages, 0, 100_000)
if (options.embeddings !== 'on' && options.embeddings !== 'off') stop(`--embeddings must be on or off, received ${options.embeddings}`)

/** The times at which the pieces of the running call were sent. One call runs at a time. */
let sentAt: number[] = []

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let piece = 0; piece < pieces; piece += 1) {
    sentAt.push(performance.now())
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `word ${piece} ` } }] })}\n\n`)
    await pause(pace)
  }
  response.end('data: [DONE]\n\n')
}

const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => void stream(response))
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const upstreamUrl = addressOf(upstream.address())

const memory = await openMemory({
  ...{ store: 'memory:', upkeep: 'manual', isolation: 'silent' },
  ...(options.embeddings === 'off' ? { embeddingModel: false } : {}),
})
const ada = memory.for('ada')
const random = seeded(7)
const things = ['kiosk', 'ferry', 'harbour', 'lantern', 'market', 'bakery', 'museum', 'tram']
const said = Array.from({ length: held }, (_, at) => ({
  role: 'user' as const,
  content: `On day ${below(random, 365)} the ${things[below(random, 8)]} near the ${things[at % 8]} opened at ${at % 24}.`,
}))
if (held > 0) await ada.append('past', said)
if (options.embeddings === 'on') await memory.upkeep.run()

const proxy = proxyApp({
  scopeOf: () => ({ project: 'default', user: 'ada', memory: ada, may: { read: true, write: true }, keyId: 'bench' }),
  upstreams: { openai: { url: upstreamUrl } },
  limits: { deadlineMs: 10_000 },
  erasures: await ErasureWatch.start(memory.doorStore()),
  now: Date.now,
})
const server = serve({ fetch: proxy.app.fetch, port: 0, hostname: '127.0.0.1' })
if (!server.listening) await once(server, 'listening')
const proxyUrl = addressOf(server.address())

interface Call {
  readonly firstMs: number
  /** The delay of each piece, from its sending to its arrival. */
  readonly pieceMs: number
  readonly cpuMs: number
}

async function call(url: string, mode: string, at: number): Promise<Call> {
  sentAt = []
  const body = JSON.stringify({
    model: 'm',
    stream: true,
    messages: [{ role: 'user', content: `When does the ${things[at % 8]} open on day ${at}?` }],
  })
  const cost = measuring()
  const start = performance.now()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body,
    headers: { 'varve-memory': mode, 'varve-session': `s${at}` },
  })
  const delays: number[] = []
  let firstMs = 0
  for await (const _ of response.body ?? []) {
    const now = performance.now()
    if (firstMs === 0) firstMs = now - start
    delays.push(now - (sentAt.at(-1) ?? now))
  }
  await proxy.settled()
  return { firstMs, pieceMs: median(delays), cpuMs: cost().cpuMs }
}

const ways = [
  { name: 'direct', url: upstreamUrl, mode: 'off' },
  { name: 'proxied, memory off', url: proxyUrl, mode: 'off' },
  { name: 'proxied, memory on', url: proxyUrl, mode: 'on' },
]
// Everything is loaded and compiled once before it is measured.
for (let at = 0; at < 5; at += 1) for (const { url, mode } of ways) await call(url, mode, -1 - at + 8)
const measured = new Map<string, Call[]>(ways.map(({ name }) => [name, []]))
for (let at = 0; at < calls; at += 1) for (const { name, url, mode } of ways) measured.get(name)?.push(await call(url, mode, at))

const here = setting()
console.log(
  `${settingLine(here)}, embeddings ${options.embeddings}, ${held} messages, ${calls} calls of ${pieces} pieces, one each ${pace} ms\n`,
)
const of = (name: string, what: keyof Call): number[] => (measured.get(name) ?? []).map((one) => one[what])
/** What a way adds to the direct call beside it: each pair ran one after the other. */
const added = (name: string, what: keyof Call): number[] => of(name, what).map((value, at) => value - (of('direct', what)[at] ?? value))
const titles: Record<keyof Call, string> = { firstMs: 'first byte', pieceMs: 'a piece', cpuMs: 'CPU of a call' }
const kinds: readonly (keyof Call)[] = ['firstMs', 'pieceMs', 'cpuMs']
const samples = ways.flatMap(({ name }) =>
  kinds.flatMap((what) => [
    { name, what: titles[what], values: of(name, what) },
    ...(name === 'direct' ? [] : [{ name, what: `added, ${titles[what]}`, values: added(name, what) }]),
  ]),
)
const quarters = [0.25, 0.5, 0.75, 0.95]
const rows = samples.map(({ name, what, values }) => [name, what, ...quarters.map((part) => figure(percentile(values, part)))])
console.log(`${table(['ms', '', 'p25', 'p50', 'p75', 'p95'], rows)}\n`)
const lines = ways
  .filter(({ name }) => name !== 'direct')
  .flatMap(({ name }) => [
    lineOf(name, 'added to the first byte', 'ms', [median(added(name, 'firstMs'))]),
    lineOf(name, 'added to a piece', 'ms', [median(added(name, 'pieceMs'))], { atMost: 0.5 }),
    lineOf(name, 'CPU of the proxy for a piece', 'ms', [median(added(name, 'cpuMs')) / pieces]),
    lineOf(name, 'CPU against direct', 'times', [median(of(name, 'cpuMs')) / median(of('direct', 'cpuMs'))]),
  ])
console.log(linesTable(lines))
console.log(`\n${JSON.stringify(proxy.counters())}`)
writeResults('proxy', { setting: here, options, lines, samples })

server.close()
upstream.closeAllConnections()
upstream.close()
await memory.close()

function addressOf(address: ReturnType<typeof upstream.address>): string {
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
