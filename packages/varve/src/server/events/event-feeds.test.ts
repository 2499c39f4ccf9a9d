import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ProjectMethods } from '../../memory/handles/project.ts'
import type { Memory } from '../../memory/memory.ts'
import { openForTest } from '../../../../../test/fixtures/memory/open.ts'
import { EventFeeds } from './event-feeds.ts'
import type { EventReader } from './reader.ts'

interface Told {
  readonly id?: string
  readonly event?: string
  readonly data?: Record<string, unknown>
}

const all: EventReader = { project: 'acme', withContent: false, isAdmin: false, mayReadWords: () => false }
const line = (content: string) => ({ role: 'user', content }) as const

function feedsOf(memory: Memory, pauses = { lookMs: 20, keepAliveMs: 60_000 }): EventFeeds {
  const feeds = new EventFeeds(memory, pauses)
  onTestFinished(() => feeds.close())
  return feeds
}

/** A client: reads the lines of a stream of events as the standard says. */
class Client {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''
  lastId: string | undefined

  constructor({ body }: Response) {
    if (body === null) throw new TypeError('an answer without a body')
    this.#reader = body.getReader()
  }

  static async open(feeds: EventFeeds, reader: EventReader = all, lastId?: string): Promise<Client> {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    const client = new Client(await feeds.serve(new Request('http://127.0.0.1/events', { headers }), reader))
    client.lastId = lastId
    return client
  }

  /** Returns the next event; undefined when the stream has ended. */
  async next(): Promise<Told | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = await this.#reader.read()
        if (done) return undefined
        this.#text += new TextDecoder().decode(value)
        continue
      }
      const lines = this.#text.slice(0, end).split('\n')
      this.#text = this.#text.slice(end + 2)
      const field = (name: string) => lines.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2)
      const [id, event, data] = [field('id'), field('event'), field('data')]
      this.lastId = id ?? this.lastId
      if (event !== undefined) return { event, ...(id === undefined ? {} : { id }), data: JSON.parse(data ?? '{}') }
    }
  }

  async some(count: number): Promise<Told[]> {
    const told: Told[] = []
    while (told.length < count) {
      const one = await this.next()
      if (one === undefined) break
      told.push(one)
    }
    return told
  }

  leave(): Promise<void> {
    return this.#reader.cancel()
  }
}

test('a client hears of appends, and one that comes back with its last id hears of all that it missed, once', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const client = await Client.open(feeds)
  await ada.append('talk', line('zero'))
  expect(await client.next()).toMatchObject({ event: 'appended', data: { user: 'ada', session: 'talk' } })
  await client.leave()
  for (let at = 1; at < 250; at += 1) await ada.append(`s${at}`, line('walnut'))
  const again = await Client.open(feeds, all, client.lastId)
  await ada.append('last', line('walnut'))
  const told = await again.some(250)
  expect(told.map(({ data }) => data?.['session'])).toEqual([...Array.from({ length: 249 }, (_, at) => `s${at + 1}`), 'last'])
  expect(JSON.stringify(told)).not.toContain('walnut')
  await again.leave()
  expect(feeds.size).toBe(0)
})

test('a client that never got an event comes back with the place of its opening', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const request = new Request('http://127.0.0.1/events')
  const { body } = await feeds.serve(request, all)
  const reader = body?.getReader()
  const opening = new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  const place = /^id: ([\w-]+)$/m.exec(opening)?.[1]
  expect(opening).toMatch(/^retry: \d+\n/)
  await memory.for({ project: 'acme' }).append('talk', line('one'))
  const again = await feeds.serve(new Request(`http://127.0.0.1/events?lastEventId=${place}`), all)
  expect(await new Client(again).next()).toMatchObject({ event: 'appended', data: { user: '~' } })
})

test('a place that is too old or of another store gives the event `missed`, and the stream goes on', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', line('one'))
  const { place } = await (await openForTest()).project('acme').changes()
  const { place: before } = await ada.changes()
  await ada.forget({ all: true })
  for (const [reader, lastId] of [
    [all, place],
    [all, 'x'],
    [{ ...all, user: 'ada' }, before],
  ] as const) {
    const client = await Client.open(feeds, reader, lastId)
    expect(await client.next()).toMatchObject({ event: 'missed', id: expect.any(String) })
    await ada.append('talk', line('two'))
    expect(await client.next()).toMatchObject({ event: 'appended' })
    await client.leave()
  }
})

test('a client of one user hears of nobody else, and is told when that user is forgotten as a whole', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const [ada, bo] = [memory.for({ project: 'acme', user: 'ada' }), memory.for({ project: 'acme', user: 'bo' })]
  await ada.append('talk', line('one'))
  const client = await Client.open(feeds, { ...all, user: 'ada' })
  await bo.append('bos', line('two'))
  await memory.for({ project: 'other', user: 'ada' }).append('other', line('three'))
  await memory.project('acme').blocks.set('rules', 'x')
  await ada.append('talk', line('four'))
  expect(await client.next()).toMatchObject({ event: 'appended', data: { user: 'ada', session: 'talk', seq: 2 } })
  await ada.forget({ all: true })
  expect(await client.next()).toMatchObject({ event: 'missed' })
})

test('words come only to a client that asks and may read them, as they are when they are told', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const [ada, bo] = [memory.for({ project: 'acme', user: 'ada' }), memory.for({ project: 'acme', user: 'bo' })]
  const { place } = await memory.project('acme').changes()
  const { messages } = await ada.append('talk', [line('walnut one'), line('walnut two')])
  await bo.append('talk', line('maple'))
  await ada.forget({ messages: [messages[0]?.id ?? ''] })
  const reader: EventReader = { ...all, withContent: true, mayReadWords: (user) => user === 'ada' }
  const told = await (await Client.open(feeds, reader, place)).some(4)
  expect(told[0]?.data?.['contents']).toEqual([{ id: messages[1]?.id, role: 'user', content: 'walnut two' }])
  expect(JSON.stringify(told)).not.toMatch(/maple|walnut one/)
  const silent = await (await Client.open(feeds, { ...reader, withContent: false }, place)).some(2)
  expect(JSON.stringify(silent)).not.toMatch(/walnut|maple/)
})

test('a slow client costs a bounded buffer, and hears of everything once it reads', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const reader: EventReader = { ...all, withContent: true, mayReadWords: () => true }
  const { place } = await memory.project('acme').changes()
  const long = 'walnut '.repeat(2_000)
  for (let at = 0; at < 200; at += 1) await ada.append(`s${at}`, line(long))
  const client = await Client.open(feeds, reader, place)
  const first = await client.some(1)
  // By the end of this call a stream without a bound would have told all of its first page.
  for (let at = 0; at < 20; at += 1) await ada.messages(`s${at}`)
  // What waits in the stream was read before; the rest is read when its reader takes it, as it is then.
  const gone = ['s50', 's199']
  for (const session of gone) await ada.sessions.delete(session)
  // Each erasure is told twice: when it is gone from every answer, and when its bytes are.
  const told = [...first, ...(await client.some(197 + 4))]
  const appended = told.filter(({ event }) => event === 'appended').map(({ data }) => data?.['session'])
  const sessions = Array.from({ length: 200 }, (_, at) => `s${at}`).filter((name) => !gone.includes(name))
  expect(appended).toEqual(sessions)
})

test('recalls and contexts of this process are told to an administrator alone, without ids and names', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const ada = memory.for({ project: 'acme', user: 'ada' })
  const [admin, other] = [await Client.open(feeds, { ...all, isAdmin: true }), await Client.open(feeds)]
  const { id } = await ada.context({ query: 'walnut' })
  await ada.recall('walnut')
  await ada.append('talk', line('one'))
  const told = await admin.some(3)
  expect(told.map(({ event }) => event).toSorted()).toEqual(['appended', 'context', 'recalled'])
  expect(JSON.stringify(told)).not.toContain(id)
  expect(told.filter(({ event }) => event !== 'appended').every((one) => one.id === undefined && one.data?.['user'] === undefined)).toBe(
    true,
  )
  expect((await other.some(1)).map(({ event }) => event)).toEqual(['appended'])
})

test('a quiet stream gets comments with its place; closing ends every stream, and later ones at once', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory, { lookMs: 20, keepAliveMs: 10 })
  const { body } = await feeds.serve(new Request('http://127.0.0.1/events'), all)
  const reader = body?.getReader()
  await reader?.read()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^:\nid: [\w-]{22}\n\n$/)
  const client = await Client.open(feeds)
  feeds.close()
  expect(await client.next()).toBeUndefined()
  expect(feeds.size).toBe(0)
  expect(await (await Client.open(feeds)).next()).toBeUndefined()
})

test('the store is looked at once for all clients of a project, and not at all when they have left', async () => {
  const memory = await openForTest()
  const feeds = feedsOf(memory)
  const looks = vi.spyOn(ProjectMethods.prototype, 'changes')
  onTestFinished(() => looks.mockRestore())
  const clients = await Promise.all(Array.from({ length: 50 }, () => Client.open(feeds)))
  const asOpened = looks.mock.calls.length
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', line('one'))
  for (const client of clients) expect(await client.next()).toMatchObject({ event: 'appended' })
  const shared = looks.mock.calls.length - asOpened
  expect(shared).toBeLessThan(120)
  await memory.for({ project: 'acme', user: 'ada' }).append('talk', line('two'))
  for (const client of clients) expect(await client.next()).toMatchObject({ event: 'appended', data: { seq: 2 } })
  expect(looks.mock.calls.length - asOpened - shared).toBeLessThan(25)
  await Promise.all(clients.map((client) => client.leave()))
  await vi.waitFor(() => expect(feeds.size).toBe(0))
  const atEnd = looks.mock.calls.length
  await pause(100)
  expect(looks.mock.calls.length - atEnd).toBeLessThanOrEqual(1)
})
