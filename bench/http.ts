import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { abreast } from './http/abreast.ts'
import { byTurns, over } from './http/by-turns.ts'
import type { BenchClient } from './http/client.ts'
import { connectionLines, mostConnections } from './http/connections.ts'
import { namedPeers, peerLines } from './http/peers.ts'
import { type Ask, ServingChild } from './http/serving-child.ts'
import type { Taken } from './http/tasks.ts'
import { readArguments, wholeNumber } from './shared/arguments.ts'
import { Dialogue } from './shared/dialogue.ts'
import { type Line, lineOf, linesTable } from './shared/lines.ts'
import { setting, settingLine, writeResults } from './shared/results.ts'
import { withScratch } from './shared/scratch.ts'

const about = `What HTTP adds, on loopback: the same work in the process that has the memory, and from another process over HTTP, by turns.
The store is a file, its engine runs in threads, and words alone find. CPU time is of the process with the memory; the client's is not
counted, but it takes its part of the cores. Nothing fails when a target is missed.`

const options = readArguments('http', about, {
  appends: { value: 'n', text: 'messages that are appended each way, in each run.', default: '4000' },
  atOnce: { value: 'n', text: 'appends under way at once.', default: '64' },
  messages: { value: 'n', text: 'in the partition that is asked.', default: '10000' },
  questions: { value: 'n', text: 'asked each way, in each run.', default: '300' },
  repeat: { value: 'n', text: 'runs of each measurement.', default: '5' },
  streams: { value: 'n', text: 'idle streams of events.', default: '1000' },
  connections: { value: 'n', text: 'open connections, of which a server takes 10000; 0 leaves them out.', default: '9999' },
  soak: { value: 'seconds', text: 'of mixed load; 0 leaves it out.', default: '300' },
  peer: { value: 'names', text: 'servers of other makers to measure beside it: mastra, langgraph, or all.', default: '' },
  peerMessages: { value: 'n', text: 'with vectors, in the partition that is asked beside another server.', default: '1000' },
})
const appends = wholeNumber('appends', options.appends, 1, 1_000_000)
const atOnce = wholeNumber('atOnce', options.atOnce, 1, 1_000)
const held = wholeNumber('messages', options.messages, 1, 1_000_000)
const asked = wholeNumber('questions', options.questions, 1, 100_000)
const repeat = wholeNumber('repeat', options.repeat, 1, 100)
const streams = wholeNumber('streams', options.streams, 1, 9_000)
const connections = wholeNumber('connections', options.connections, 0, mostConnections - 1)
const soak = wholeNumber('soak', options.soak, 0, 86_400)

const peerMessages = wholeNumber('peerMessages', options.peerMessages, 1, 100_000)
const peers = namedPeers(options.peer)

const path = '/v1/projects/bench/users/ada'
const dialogue = new Dialogue(5)

await withScratch('', async (folder) => {
  const script = join(import.meta.dirname, 'http', 'memory-child.ts')
  await using served = await ServingChild.start(script, [join(folder, 'varve.db')])
  const { client, ask, serving } = served
  const lines = [...(await appendLines(client, ask)), ...(await recallLines(client, ask)), ...(await streamLines(client, ask))]
  // Later requests would wait for the kept connections of the client.
  client.close()
  if (connections > 0) lines.push(...(await connectionLines(serving, () => ask({ do: 'usage' }), connections)))
  if (soak > 0) lines.push(...(await soaking(client, ask)))
  const sizes = { appends, atOnce, asked, repeat, held: peerMessages }
  for (const peer of peers) lines.push(...(await peerLines(peer, folder, sizes)))
  const where = setting()
  console.log(`${settingLine(where)}, ${atOnce} at once, ${held} messages asked\n`)
  console.log(linesTable(lines))
  console.log(`\nanswers by status: ${JSON.stringify(Object.fromEntries(client.told))}`)
  writeResults('http', { setting: where, options, lines })
})

async function appendLines(client: BenchClient, ask: Ask): Promise<Line[]> {
  const send = (message: object, at: number) =>
    client.send('POST', `${path}/sessions/http%20${at % atOnce}/messages`, { messages: message })
  const { here, there } = await byTurns(
    repeat,
    () => ask({ do: 'append', count: appends, atOnce }),
    () => {
      const messages = dialogue.messages(appends)
      return over(ask, () => abreast(messages, atOnce, send))
    },
  )
  const rate = ({ wallMs }: Taken): number => (appends / wallMs) * 1_000
  const ratios = there.map((one, at) => rate(one) / rate(here[at] ?? one))
  return [
    lineOf('append', 'library', '/s', here.map(rate)),
    lineOf('append', 'HTTP', '/s', there.map(rate)),
    lineOf('append', 'HTTP against the library', 'times', ratios, { atLeast: 0.6 }),
    lineOf(
      'append',
      'CPU, library',
      'ms',
      here.map(({ cpuMs }) => cpuMs / appends),
    ),
    lineOf(
      'append',
      'CPU, HTTP',
      'ms',
      there.map(({ cpuMs }) => cpuMs / appends),
    ),
  ]
}

async function recallLines(client: BenchClient, ask: Ask): Promise<Line[]> {
  await ask({ do: 'fill', count: held })
  const questions = dialogue.messages(asked).map((message) => dialogue.question(message))
  const { here, there } = await byTurns(
    repeat,
    () => ask({ do: 'recall', questions }),
    () =>
      over(ask, async () => {
        for (const query of questions) await client.send('POST', `${path}/recall`, { query })
      }),
  )
  const cpu = ({ cpuMs }: Taken): number => cpuMs / asked
  return [
    lineOf('recall', 'CPU, library', 'ms', here.map(cpu)),
    lineOf('recall', 'CPU, HTTP', 'ms', there.map(cpu)),
    lineOf(
      'recall',
      'CPU that HTTP adds',
      'ms',
      there.map((one, at) => cpu(one) - cpu(here[at] ?? one)),
      { atMost: 1 },
    ),
  ]
}

async function streamLines(client: BenchClient, ask: Ask): Promise<Line[]> {
  const quiet = await ask({ do: 'usage' })
  const open = await Promise.all(Array.from({ length: streams }, () => client.open('GET', `${path}/events`)))
  for (const stream of open) stream.on('error', () => undefined).resume()
  await pause(2_000)
  const idle = await over(ask, () => pause(5_000))
  for (const stream of open) stream.destroy()
  return [
    lineOf('events', `memory of ${streams} idle streams`, 'MB', [idle.rssMb - quiet.rssMb], { atMost: 60 }),
    lineOf('events', 'CPU of 5 s of them', 'ms', [idle.cpuMs]),
  ]
}

/** Sends a mix of requests for a while, and tells memory and errors. */
async function soaking(client: BenchClient, ask: Ask) {
  const talk = new Dialogue(9)
  const before = new Map(client.told)
  const until = performance.now() + soak * 1_000
  const memory: number[] = []
  let sent = 0
  const worker = async (own: number): Promise<void> => {
    const at = `/v1/projects/soak/users/user-${own % 8}`
    for (let turn = 0; performance.now() < until; turn += 1) {
      const [message = { role: 'user' as const, content: '' }] = talk.messages(1)
      const session = `${at}/sessions/s${own}-${Math.floor(turn / 20)}`
      await client.send('POST', `${session}/messages`, { messages: message })
      await client.send('POST', `${at}/recall`, { query: talk.question(message) })
      if (turn % 5 === 0) await client.send('POST', `${at}/context`, { query: talk.question(message), maxTokens: 1_000 })
      if (turn % 7 === 0) await client.send('GET', `${at}/sessions?limit=20`)
      // The store does not grow: each session is forgotten after its twenty turns.
      if (turn % 20 === 19) await client.send('POST', `${at}/forget`, { what: { session: `s${own}-${Math.floor(turn / 20)}` } })
      sent += 3
    }
  }
  const began = performance.now()
  const live: number[] = []
  const watching = (async () => {
    while (performance.now() < until) {
      await pause(Math.min(5_000, soak * 200))
      memory.push((await ask({ do: 'usage' })).rssMb)
      // At each third's end.
      if (performance.now() - began > (live.length + 1) * soak * 333) live.push((await ask({ do: 'live' })).heapMb)
    }
  })()
  await Promise.all([...Array.from({ length: 8 }, (_, own) => worker(own)), watching])
  const third = Math.max(1, Math.floor(memory.length / 3))
  const largest = (some: readonly number[]): number => Math.max(...some)
  const errors = [...client.told]
    .filter(([status]) => status === 'none' || status >= 400)
    .reduce((sum, [status, count]) => sum + count - (before.get(status) ?? 0), 0)
  return [
    lineOf('soak', `requests in ${soak} s`, '', [sent]),
    lineOf('soak', 'errors', '', [errors], { atMost: 0 }),
    lineOf('soak', 'memory, second third', 'MB', [largest(memory.slice(third, 2 * third))]),
    lineOf('soak', 'memory, last third', 'MB', [largest(memory.slice(2 * third))]),
    lineOf(
      'soak',
      'memory, last third against the second',
      'times',
      [largest(memory.slice(2 * third)) / largest(memory.slice(third, 2 * third))],
      { atMost: 1.05 },
    ),
    lineOf('soak', 'objects in use, after each third', 'MB', live),
    lineOf('soak', 'objects in use, last third against the second', 'times', [(live[2] ?? 0) / (live[1] ?? 1)], { atMost: 1.05 }),
  ]
}
