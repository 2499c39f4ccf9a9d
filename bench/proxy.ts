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
const base = { firstMs: median(of('direct', 'firstMs')), pieceMs: median(of('direct', 'pieceMs')), cpuMs: median(of('direct', 'cpuMs')) }
const lines = ways.flatMap(({ name }) => [
  lineOf(name, 'first byte', 'ms', [median(of(name, 'firstMs'))]),
  lineOf(name, 'first byte, p95', 'ms', [percentile(of(name, 'firstMs'), 0.95)]),
  lineOf(name, 'a piece', 'ms', [median(of(name, 'pieceMs'))]),
  lineOf(name, 'CPU of a call', 'ms', [median(of(name, 'cpuMs'))]),
  ...(name === 'direct'
    ? []
    : [
        lineOf(name, 'added to the first byte', 'ms', [median(of(name, 'firstMs')) - base.firstMs]),
        lineOf(name, 'added to a piece', 'ms', [median(of(name, 'pieceMs')) - base.pieceMs], { atMost: 0.5 }),
        lineOf(name, 'CPU of the proxy for a piece', 'ms', [(median(of(name, 'cpuMs')) - base.cpuMs) / pieces]),
        lineOf(name, 'CPU against direct', 'times', [median(of(name, 'cpuMs')) / base.cpuMs]),
      ]),
])
console.log(linesTable(lines))
console.log(`\n${JSON.stringify(proxy.counters())}`)
writeResults('proxy', { setting: here, options, lines })

server.close()
upstream.closeAllConnections()
upstream.close()
await memory.close()

function addressOf(address: ReturnType<typeof upstream.address>): string {
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}
