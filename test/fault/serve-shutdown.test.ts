import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type ServeProcess, serveProcess } from '../fixtures/server/serve-process.ts'
import { seeded } from './support/disk.ts'
import { type Folder, temporaryFolder } from './support/folder.ts'
import { load, sendMessage, type Sent } from './support/http-load.ts'
import { problemsOf } from './support/inspect.ts'
import { counted, scaled, summarise } from './support/scale.ts'

const rounds = scaled(3, 100)
const kills = scaled(2, 30)
const clients = 12
const longestLoadMs = 400
/** An upload is under way when the signal comes, and takes about this long. */
const uploadMs = 400
/** The time in which a server must have ended. Its own bound for requests under way is 25 s. */
const endsInMs = 15_000
/** A request that was sent this long before the signal was with the server. Later ones may have crossed with it. */
const surelyThereMs = 1_000

interface Told {
  readonly problems: readonly string[]
  readonly acknowledged: number
  readonly crossed: number
  readonly ms: number
}

/** Keeps one store through many starts: its key is shown at the first alone. */
class Rounds implements Disposable {
  readonly store: string
  readonly #folder: Folder = temporaryFolder()
  #key = ''

  constructor() {
    this.store = this.#folder.file('served.db')
  }

  async start(): Promise<{ readonly server: ServeProcess; readonly url: string; readonly key: string }> {
    const server = serveProcess(this.store)
    const started = await server.started
    if (started === undefined) expect.fail(`the server did not start: ${server.stderr()}`)
    this.#key = started.key ?? this.#key
    return { server, url: started.url, key: this.#key }
  }

  /** Gives the times that each message is stored, by the id of its client. */
  stored(): ReadonlyMap<string, number> {
    const connection = new Database(this.store, { readonly: true })
    const rows = connection.prepare<[], { content: string }>('SELECT content FROM message').all()
    connection.close()
    return new Map([...Map.groupBy(rows, ({ content }) => content.split(' ')[2] ?? '')].map(([id, found]) => [id, found.length]))
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

const acknowledgedIn = (sent: readonly Sent[]): readonly string[] =>
  sent.filter(({ fate, status }) => fate === 'answered' && status === 200).map(({ id }) => id)

/** Reads a stream of events to its end. Tells how it ended. */
async function streamed(url: string, key: string): Promise<{ readonly opened: Promise<void>; readonly ended: Promise<string> }> {
  const opened = Promise.withResolvers<void>()
  const ended = (async (): Promise<string> => {
    const answer = await fetch(`${url}/v1/projects/acme/events`, { headers: { authorization: `Bearer ${key}` } })
    opened.resolve()
    let text = ''
    for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString()
    return text === '' || text.endsWith('\n\n') ? 'whole' : `cut: ${text.slice(-40)}`
  })()
  ended.catch(() => opened.resolve())
  return { opened: opened.promise, ended: ended.catch((error: unknown) => `broken: ${String(error)}`) }
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return await new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

/** Ends a server under load with SIGTERM, and tells what went wrong. */
async function endUnderLoad(kept: Rounds, round: number, random: () => number): Promise<Told> {
  const { server, url, key } = await kept.start()
  const stream = await streamed(url, key)
  await stream.opened
  await sendMessage({ url, key }, `r${round}-first`)
  const sending = load({ url, key }, clients, `r${round}`)
  await sleep(random() * longestLoadMs)
  const isUnderWay = Promise.withResolvers<void>()
  const pieces = 8
  const pause = (): Promise<void> => {
    isUnderWay.resolve()
    return sleep(uploadMs / pieces)
  }
  const upload = sendMessage({ url, key }, `r${round}-slow`, { pieces, pause })
  await isUnderWay.promise
  const signalled = performance.now()
  server.process.kill('SIGTERM')
  const [sent, slow, { code, signal }] = await Promise.all([sending, upload, server.ended])
  const ms = performance.now() - signalled
  const acknowledged = acknowledgedIn([...sent, slow])
  const stored = kept.stored()
  const ofStream = await stream.ended
  const others = sent.filter(({ status }) => status !== undefined && status !== 200)
  const broken = sent.filter(({ fate }) => fate === 'broken')
  const problems = [
    ...(code === 0 ? [] : [`exit code ${code}, signal ${signal}: ${server.stderr()}`]),
    ...(ms < endsInMs ? [] : [`it took ${ms} ms`]),
    ...acknowledged.filter((id) => stored.get(id) !== 1).map((id) => `${id} is stored ${stored.get(id) ?? 0} times`),
    ...sent.filter(({ fate }) => fate === 'cut').map(({ id, status }) => `the answer ${status} for ${id} is cut`),
    ...others.map(({ id, status }) => `${status} for ${id}`),
    ...(slow.fate === 'answered' && slow.status === 200 ? [] : [`the upload under way: ${slow.fate}, ${slow.status}`]),
    ...broken.filter(({ began }) => signalled - began > surelyThereMs).map(({ id }) => `${id} was under way, and was not answered`),
    ...(ofStream === 'whole' ? [] : [`the stream of events: ${ofStream}`]),
    ...((await isRefused(url)) ? [] : ['a new connection is taken']),
    ...problemsOf(kept.store),
  ]
  const crossed = broken.filter(({ began }) => began < signalled).length
  return { problems: problems.map((problem) => `round ${round}: ${problem}`), acknowledged: acknowledged.length, crossed, ms }
}

describe('varve serve', () => {
  it('ends on SIGTERM under load without losing what it acknowledged', { timeout: scaled(120_000, 1_800_000) }, async () => {
    using kept = new Rounds()
    const random = seeded(7)
    const told: Told[] = []
    for (let round = 0; round < rounds; round += 1) told.push(await endUnderLoad(kept, round, random))
    const sum = (pick: (one: Told) => number): number => told.reduce((total, one) => total + pick(one), 0)
    const slowest = Math.max(...told.map(({ ms }) => ms))
    summarise(
      `SIGTERM: ${rounds} ends under load of ${clients} clients, ${counted(sum(({ acknowledged }) => acknowledged))} acknowledged, ` +
        `${sum(({ problems }) => problems.length)} problems, ${sum(({ crossed }) => crossed)} requests crossed with the end; ` +
        `the slowest took ${Math.round(slowest)} ms`,
    )
    expect(told.flatMap(({ problems }) => problems)).toEqual([])
    expect(sum(({ acknowledged }) => acknowledged)).toBeGreaterThan(rounds * 4)
  })

  it(
    'loses nothing that it acknowledged to kill -9, and stores once what is sent again',
    { timeout: scaled(120_000, 1_800_000) },
    async () => {
      using kept = new Rounds()
      const random = seeded(11)
      const problems: string[] = []
      let acknowledged = 0
      let [again, already] = [0, 0]
      let before: readonly Sent[] = []
      for (let round = 0; round <= kills; round += 1) {
        const { server, url, key } = await kept.start()
        const unanswered = before.filter(({ fate }) => fate !== 'answered')
        const there = kept.stored()
        already += unanswered.filter(({ id }) => there.has(id)).length
        for (const { id } of unanswered) {
          const sent = await sendMessage({ url, key }, id)
          if (sent.status !== 200) problems.push(`${id}, sent again: ${sent.fate} ${sent.status}`)
        }
        again += unanswered.length
        const stored = kept.stored()
        for (const { id } of before) if (stored.get(id) !== 1) problems.push(`${id} is stored ${stored.get(id) ?? 0} times`)
        if (round === kills) {
          server.process.kill('SIGTERM')
          await server.ended
          break
        }
        const sending = load({ url, key }, clients, `k${round}`)
        await sleep(50 + random() * longestLoadMs)
        server.process.kill('SIGKILL')
        before = await sending
        await server.ended
        acknowledged += acknowledgedIn(before).length
      }
      summarise(
        `kill -9 of a server: ${kills} kills, ${counted(acknowledged)} acknowledged, ${again} sent again, of which ` +
          `${already} were stored already, ${problems.length} problems`,
      )
      expect([...problems, ...problemsOf(kept.store)]).toEqual([])
      expect(acknowledged).toBeGreaterThan(kills * 4)
      expect(again).toBeGreaterThan(0)
    },
  )
})
