import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DelayingProxy } from '../../bench/server/delaying-proxy.ts'
import { type Memory, openMemory, SchemaTooNew, StoreUnreachable } from '../../packages/varve/src/index.ts'
import { type Cut, CutProxy } from '../fault/support/cut-proxy.ts'
import { giveStore, takeStore } from '../fixtures/postgres/schemas.ts'
import { ask } from '../fixtures/postgres/server.ts'

const url = process.env['VARVE_TEST_POSTGRES']

/** Short, so that swallowed packets are noticed soon. The driver waits as long once more. */
const timeoutMs = '1000'

const said = (content: string) => ({ role: 'user' as const, content })
const long = 'The harbour master of Kiel keeps a green barge with seven brass lamps behind the old rope shed near the lock.'

/** The same store through a port of this machine. */
function through(store: string, port: number): string {
  const far = new URL(store)
  ;[far.hostname, far.port] = ['127.0.0.1', String(port)]
  return far.toString()
}

const opened = (store: string): Promise<Memory> =>
  openMemory({ store, upkeep: 'manual', isolation: 'silent', embeddingModel: false, engine: 'inline' })

async function texts(memory: Memory, session = 'talk'): Promise<readonly string[]> {
  const messages = await memory.for('ada').messages(session, { limit: 1_000 })
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => (messages[0]?.seq ?? 1) + at))
  return messages.map(({ content }) => content)
}

describe.skipIf(url === undefined)('an append that takes for granted what the last one left', () => {
  let store: string
  beforeEach(async () => {
    store = await takeStore()
  })
  afterEach(() => giveStore(store))

  test('takes one round trip, and two where another process writes to the session as well', async () => {
    await using proxy = await DelayingProxy.start(store, { delayMs: 0 })
    await using near = await opened(store)
    await using far = await opened(through(store, proxy.port))
    const turnsOf = async (content: string): Promise<number> => {
      const before = proxy.passed.turns
      await far.for('ada').append('talk', said(content))
      return proxy.passed.turns - before
    }
    // The first ones open a connection, and find the number of the partition.
    for (const content of ['m1', 'm2', 'm3']) await turnsOf(content)
    expect(await turnsOf('m4')).toBe(1)
    await near.for('ada').append('talk', said('m5'))
    // In vain once, and then it looks first until nobody else writes any more.
    expect(await turnsOf('m6')).toBeLessThanOrEqual(4)
    await near.for('ada').append('talk', said('m7'))
    expect(await turnsOf('m8')).toBe(2)
    await near.for('ada').append('talk', said('m9'))
    expect(await turnsOf('m10')).toBe(2)
    expect(await turnsOf('m11')).toBe(2)
    expect(await turnsOf('m12')).toBe(1)
    expect(await texts(near)).toEqual(Array.from({ length: 12 }, (_, at) => `m${at + 1}`))
  })

  test('of messages with ids takes one round trip as well, and two where they were sent before', async () => {
    await using proxy = await DelayingProxy.start(store, { delayMs: 0 })
    await using memory = await opened(through(store, proxy.port))
    const sent = async (...ids: readonly string[]) => {
      const before = proxy.passed.turns
      const { messages } = await memory.for('ada').append(
        'talk',
        ids.map((id) => ({ id, ...said(`The words of ${id}.`) })),
      )
      return { turns: proxy.passed.turns - before, stored: messages.map(({ duplicate }) => !duplicate) }
    }
    for (const id of ['m1', 'm2', 'm3']) await sent(id)
    expect(await sent('m4')).toEqual({ turns: 1, stored: [true] })
    // In vain once. Whoever sends all of a conversation each time is looked up first from then on.
    expect(await sent('m4', 'm5')).toEqual({ turns: 4, stored: [false, true] })
    expect(await sent('m4', 'm5', 'm6')).toEqual({ turns: 2, stored: [false, false, true] })
    expect(await sent('m6')).toEqual({ turns: 2, stored: [false] })
    expect(await sent('m7')).toEqual({ turns: 2, stored: [true] })
    expect(await sent('m8')).toEqual({ turns: 1, stored: [true] })
    expect(await texts(memory)).toEqual(Array.from({ length: 8 }, (_, at) => `The words of m${at + 1}.`))
  })

  test('stores no message that was forgotten, whoever forgot it', async () => {
    await using memory = await opened(store)
    await using other = await opened(store)
    const send = (id: string) => memory.for('ada').append('talk', { id, ...said(`The words of ${id}.`) })
    for (const id of ['m1', 'm2', 'm3', 'm4']) await send(id)
    const [first] = await other.for('ada').messages('talk', { limit: 4 })
    await other.for('ada').forget({ messages: [first?.id ?? ''] })
    expect((await send('m1')).messages).toEqual([])
    for (const id of ['m5', 'm6', 'm1']) await send(id)
    expect(await texts(other)).toEqual(['m2', 'm3', 'm4', 'm5', 'm6'].map((id) => `The words of ${id}.`))
  })

  const changes: Readonly<Record<string, (other: Memory) => Promise<unknown>>> = {
    'a message to another session': (other) => other.for('ada').append('other', said('elsewhere')),
    'another user': (other) => other.for('bob').append('talk', said('of bob')),
    'a new name': (other) => other.for('ada').sessions.rename('talk', 'Barges'),
    'a context': (other) => other.for('ada').context({ session: 'talk', query: 'green barge' }),
    'a recall': (other) => other.for('ada').recall('green barge'),
    'other words for a message': async (other) => {
      const [first] = await other.for('ada').messages('talk')
      await other.for('ada').replace(first?.id ?? '', 'The barge is blue.')
    },
    'the loss of a message': async (other) => {
      const [first] = await other.for('ada').messages('talk')
      await other.for('ada').forget({ messages: [first?.id ?? ''] })
    },
    'the loss of the session': (other) => other.for('ada').forget({ session: 'talk' }),
    'the loss of the user': (other) => other.for('ada').forget({ all: true }),
    'the loss of the user, who begins again': async (other) => {
      await other.for('ada').forget({ all: true })
      await other.for('ada').append('talk', [said('again'), said('and again')])
    },
    'the loss of the project': (other) => other.projects.delete('default'),
    upkeep: (other) => other.upkeep.run({ all: true }),
  }

  test.each(Object.entries(changes))('holds beside %s by another process', async (_, change) => {
    await using memory = await opened(store)
    await using other = await opened(store)
    await memory.for('ada').append('talk', [said(long), said('second')])
    for (const content of ['third', 'fourth']) await memory.for('ada').append('talk', said(content))
    await change(other)
    const before = await texts(other)
    const { messages } = await memory.for('ada').append('talk', said('after it'))
    await memory.for('ada').append('talk', said('and last'))
    expect(await texts(other)).toEqual([...before, 'after it', 'and last'])
    expect((await other.for('ada').messages('talk', { limit: 2 }))[0]?.id).toBe(messages[0]?.id)
    // The counters of sessions and partitions are those of their messages.
    const held = 'select count(*) from message m where m'
    const wrong = `select (select count(*) from session s where s.messages <> (${held}.session_id = s.id))::int as sessions,
      (select count(*) from partition p where p.owner_kind < 3 and p.messages <> (${held}.partition_id = p.id))::int as partitions`
    expect(await ask(store, wrong)).toEqual([{ sessions: 0, partitions: 0 }])
  })

  test('sees what another process showed the session meanwhile', async () => {
    await using memory = await opened(store)
    await using other = await opened(store)
    await memory.for('ada').append('earlier', said(long))
    for (const content of ['Where was it?', 'The barge.', 'The green one.']) await memory.for('ada').append('talk', said(content))
    await other.for('ada').context({ session: 'talk', query: 'Who keeps the green barge?' })
    await memory.for('ada').append('talk', { role: 'assistant', content: long })
    const [echo] = await memory.for('ada').messages('talk', { limit: 1 })
    expect(echo?.recalled).toEqual([{ from: 0, to: long.length - 1 }])
  })

  test('knows no words any more that another process took from what was shown', async () => {
    await using memory = await opened(store)
    await using other = await opened(store)
    const repeat = async (): Promise<unknown> => {
      await memory.for('ada').append('talk', { role: 'assistant', content: long })
      return (await memory.for('ada').messages('talk', { limit: 1 }))[0]?.recalled
    }
    await memory.project('default').blocks.set('barge', long)
    await memory.for('ada').append('talk', said('Tell me of the barge.'))
    expect((await memory.for('ada').context({ session: 'talk', query: 'barge' })).text).toContain(long)
    for (const content of ['Go on.', 'And then?']) await memory.for('ada').append('talk', said(content))
    expect(await repeat()).toEqual([{ from: 0, to: long.length - 1 }])
    await other.project('default').blocks.delete('barge')
    expect(await repeat()).toBeUndefined()
  })

  test('is refused by a store that a newer Varve has migrated', async () => {
    await using memory = await opened(store)
    for (const content of ['one', 'two', 'three']) await memory.for('ada').append('talk', said(content))
    await ask(store, "insert into schema_migration (version, name, checksum, applied_at) values (9999, 'later', '', 0)")
    try {
      await expect(memory.for('ada').append('talk', said('four'))).rejects.toThrow(SchemaTooNew)
      expect(await ask(store, 'select count(*)::int as messages from message')).toEqual([{ messages: 3 }])
    } finally {
      await ask(store, 'delete from schema_migration where version = 9999')
    }
  })

  describe('whose connection is cut', () => {
    const cuts: readonly Cut[] = [
      { at: 'answer to commit', how: 'swallow' },
      { at: 'answer to commit', how: 'reset' },
      { at: 'commit', how: 'reset' },
      { at: 'byte', way: 'to server', bytes: 600, how: 'swallow' },
      ...[1, 300, 600, 900].map((bytes) => ({ at: 'byte', way: 'to server', bytes, how: 'reset' }) as const),
    ]

    const cutBefore = async (): Promise<{ proxy: CutProxy; far: string }> => {
      const address = new URL(store)
      address.searchParams.set('varve_timeout_ms', timeoutMs)
      const proxy = await CutProxy.before(Number(address.port))
      return { proxy, far: through(address.toString(), proxy.port) }
    }

    test.each(cuts)('is stored once: %o', async (cut) => {
      const { proxy, far } = await cutBefore()
      await using _closed = proxy
      await using memory = await opened(far)
      for (const content of ['zero', 'one', 'two']) await memory.for('ada').append('talk', said(content))
      proxy.cutAt(cut)
      const { messages } = await memory.for('ada').append('talk', said('three'))
      expect(proxy.cuts).toBe(1)
      expect(await texts(memory)).toEqual(['zero', 'one', 'two', 'three'])
      expect((await memory.for('ada').messages('talk', { limit: 1 }))[0]?.id).toBe(messages[0]?.id)
      await memory.for('ada').append('talk', said('four'))
      expect(await texts(memory)).toEqual(['zero', 'one', 'two', 'three', 'four'])
    })

    test('is not stored again when another process forgot it meanwhile', async () => {
      const { proxy, far } = await cutBefore()
      await using _closed = proxy
      await using memory = await opened(far)
      await using other = await opened(store)
      for (const content of ['zero', 'one', 'two']) await memory.for('ada').append('talk', said(content))
      proxy.cutAt({ at: 'answer to commit', how: 'swallow' })
      const call = memory.for('ada').append('talk', said('three'))
      const outcome = call.then(
        () => undefined,
        (error: unknown) => error,
      )
      await expect.poll(() => ask(store, "select count(*)::int as stored from message where content = 'three'")).toEqual([{ stored: 1 }])
      await other.for('ada').forget({ session: 'talk' })
      const error = await outcome
      expect(error).toBeInstanceOf(StoreUnreachable)
      expect(error).toMatchObject({ mayBeStored: true, isRetryable: true })
      expect(await texts(other)).toEqual([])
    })
  })
})
