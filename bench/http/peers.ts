import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MessageInput } from '../../packages/varve/src/index.ts'
import { Endpoint } from '../peers/endpoint.ts'
import { childEnvironment } from '../peers/environment.ts'
import { stop } from '../shared/arguments.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { type Line, lineOf } from '../shared/lines.ts'
import { abreast } from './abreast.ts'
import { type BothWays, byTurns, over } from './by-turns.ts'
import type { BenchClient } from './client.ts'
import { type PeerRequest, peerRoutes, type PeerRoutes, varveRoutes } from './peer-routes.ts'
import { ServingChild } from './serving-child.ts'
import type { Taken } from './tasks.ts'

export interface PeerSizes {
  readonly appends: number
  readonly atOnce: number
  readonly asked: number
  readonly repeat: number
  /** Messages in the partition that is asked. */
  readonly held: number
}

/** Requests under way at once while a store is filled for questions. */
const fillAtOnce = 16
const installed = join(import.meta.dirname, '..', 'peers', 'node_modules')

/** Reads the names of servers, or ends the process: after a name that is not known, and when their packages are not installed. */
export function namedPeers(names: string): readonly PeerRoutes[] {
  if (names === '') return []
  const known = peerRoutes.map(({ name }) => name).join(', ')
  const chosen = names === 'all' ? peerRoutes : peerRoutes.filter(({ name }) => names.split(',').includes(name))
  if (names !== 'all' && chosen.length !== names.split(',').length) stop(`--peer takes ${known}, or all; received ${names}`)
  if (!existsSync(join(installed, '@mastra', 'hono')))
    stop('The servers of other makers are not installed. Install them with: npm ci --prefix bench/peers')
  return chosen
}

/** Varve's server and another's, each new and in a process of its own, asked for the same by turns. */
export async function peerLines(peer: PeerRoutes, scratch: string, sizes: PeerSizes): Promise<Line[]> {
  const lines = await appendsBeside(peer, join(scratch, `${peer.name}-appends`), sizes)
  if (peer.recall === undefined) return lines
  return [...lines, ...(await recallsBeside(peer, join(scratch, `${peer.name}-recalls`), sizes))]
}

/** Appends without an embedding model. */
async function appendsBeside(peer: PeerRoutes, folder: string, { appends, atOnce, repeat }: PeerSizes): Promise<Line[]> {
  await using own = await Side.start(varveRoutes, folder, '')
  await using other = await Side.start(peer, folder, '')
  const runs = await byTurns(
    repeat,
    () => own.append(appends, atOnce),
    () => other.append(appends, atOnce),
  )
  return linesBeside('append', peer, runs, appends)
}

/** Questions one at a time, with the same embedding model at an endpoint, whose time is not counted. */
async function recallsBeside(peer: PeerRoutes, folder: string, { asked, repeat, held }: PeerSizes): Promise<Line[]> {
  using endpoint = await Endpoint.start('native')
  await using own = await Side.start(varveRoutes, folder, endpoint.url)
  await using other = await Side.start(peer, folder, endpoint.url)
  await own.fill(held)
  await other.fill(held)
  const runs = await byTurns(
    repeat,
    () => own.recall(asked),
    () => other.recall(asked),
  )
  return linesBeside(`recall in ${held} by vectors`, peer, runs, asked)
}

/** Rates, their ratios run by run, and the CPU time and memory of the two that serve. */
function linesBeside(work: string, { label }: PeerRoutes, { here, there }: BothWays, times: number): Line[] {
  const of = `${work}, beside ${label}`
  const rate = ({ wallMs }: Taken): number => (times / wallMs) * 1_000
  const cpu = ({ cpuMs }: Taken): number => cpuMs / times
  const resident = ({ rssMb }: Taken): number => rssMb
  // What else the machine does weighs on both of a pair.
  const ratios = here.map((one, at) => rate(one) / rate(there[at] ?? one))
  return [
    lineOf(of, 'Varve', '/s', here.map(rate)),
    lineOf(of, label, '/s', there.map(rate)),
    lineOf(of, `Varve against ${label}`, 'times', ratios),
    lineOf(of, 'CPU, Varve', 'ms', here.map(cpu)),
    lineOf(of, `CPU, ${label}`, 'ms', there.map(cpu)),
    lineOf(of, 'memory, Varve', 'MB', here.map(resident)),
    lineOf(of, `memory, ${label}`, 'MB', there.map(resident)),
  ]
}

/** A server under test, and what was said to it. */
class Side {
  readonly #child: ServingChild
  readonly #routes: PeerRoutes
  readonly #dialogue = new Dialogue(5)
  readonly #threads = new Set<string>()
  #said: readonly MessageInput[] = []
  #ids = 0

  private constructor(child: ServingChild, routes: PeerRoutes) {
    this.#child = child
    this.#routes = routes
  }

  static async start(routes: PeerRoutes, parent: string, endpoint: string): Promise<Side> {
    const folder = join(parent, routes.name)
    mkdirSync(folder, { recursive: true })
    const script = join(import.meta.dirname, '..', 'peers', 'server-child.ts')
    return new Side(await ServingChild.start(script, [routes.name, folder, endpoint], childEnvironment(folder), folder), routes)
  }

  /** Appends new messages to as many threads as are under way at once. */
  async append(count: number, atOnce: number): Promise<Taken> {
    await this.#makeThreads(atOnce)
    this.#said = this.#dialogue.messages(count)
    return this.#over(() =>
      abreast(this.#said, atOnce, (message, at) => {
        this.#ids += 1
        return this.#send(this.#routes.save(`thread-${at % atOnce}`, message, `message-${this.#ids}`))
      }),
    )
  }

  /** Appends what questions are then about, and waits until it is found. */
  async fill(count: number): Promise<void> {
    await this.append(count, fillAtOnce)
    await this.#child.ask({ do: 'settle' })
    const [first] = this.#said
    const text = String(first?.content)
    if (!(await this.#recall(text)).includes(text)) throw new RangeError(`${this.#routes.name} does not find a message by its own text`)
  }

  /** Asks new questions about what was said, one at a time. */
  recall(count: number): Promise<Taken> {
    const about = Array.from({ length: count }, (_none, at) => this.#said[at % this.#said.length]).filter((one) => one !== undefined)
    const questions = about.map((message) => this.#dialogue.question(message))
    return this.#over(async () => {
      for (const question of questions) await this.#recall(question)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
  }

  /** On new connections: the old ones were idle during the other's turn. */
  #over(send: () => Promise<unknown>): Promise<Taken> {
    this.#child.client.dropIdle()
    return over(this.#child.ask, send)
  }

  async #recall(query: string): Promise<string> {
    const { recall } = this.#routes
    return recall === undefined ? '' : this.#send(recall(query))
  }

  async #makeThreads(count: number): Promise<void> {
    const { thread } = this.#routes
    const names = Array.from({ length: count }, (_none, at) => `thread-${at}`).filter((name) => !this.#threads.has(name))
    for (const name of names) {
      if (thread !== undefined) await this.#send(thread(name))
      this.#threads.add(name)
    }
  }

  /** A request that is refused ends the bench: a rate of refusals says nothing. */
  async #send({ method, path, body }: PeerRequest): Promise<string> {
    const client: BenchClient = this.#child.client
    const answer = await client.send(method, path, body)
    const refused = [...client.told.keys()].find((status) => status === 'none' || status >= 400)
    if (refused !== undefined) throw new RangeError(`${this.#routes.name} answered ${method} with ${refused}: ${answer.slice(0, 200)}`)
    return answer
  }
}
