import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { connect, type RemoteEvent } from '../../packages/varve/src/client/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { problem, scriptedServer } from '../fixtures/wire/scripted-server.ts'

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

const event = (id: string, type: string, data: object): string => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Reads events until it has so many. */
async function some(events: AsyncIterableIterator<RemoteEvent>, count: number): Promise<readonly RemoteEvent[]> {
  const came: RemoteEvent[] = []
  for await (const one of events) {
    came.push(one)
    if (came.length === count) break
  }
  return came
}

test('events come whole though their bytes come apart, and go on after the last one when the connection is lost', async () => {
  const server = await scriptedServer((_request, response, number) => {
    if (number !== 1) begin(response)
    if (number === 0) {
      const bytes = Buffer.from(
        `retry: 1\n\n: alive\n\n${event('a1', 'appended', { at: 1, project: 'acme', session: 'Grüße 海', messages: 1 })}`,
      )
      for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3))
      response.write('id: a2\nevent: recalled\ndata: {"at":2', () => setImmediate(() => response.destroy()))
    } else if (number === 1) problem(response, 503, {})
    else response.write(event('a9', 'missed', { since: 'a1' }) + event('b1', 'context', { at: 3, id: 'its own', tokens: 5 }))
  })
  const remote = connect({ url: `${server.url}/memory/`, key: 'varve_k' })
  const came = await some(remote.events({ project: 'a/b', content: true, lastEventId: 'a0' }), 3)
  expect(came).toEqual([
    { type: 'appended', at: 1, project: 'acme', session: 'Grüße 海', messages: 1, eventId: 'a1' },
    { type: 'missed', since: 'a1', eventId: 'a9' },
    { type: 'context', at: 3, id: 'its own', tokens: 5, eventId: 'b1' },
  ])
  expect(server.requests.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => '/memory/v1/projects/a%2Fb/events?content=true'))
  expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual(['a0', 'a1', 'a1'])
  expect(server.requests[0]?.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer varve_k' })
})

test('a loop over events ends when it is left, when the client is closed, and with Cancelled when it is aborted', async () => {
  const open = new Set<IncomingMessage>()
  const { promise: allGone, resolve } = Promise.withResolvers<void>()
  let gone = 0
  const server = await scriptedServer((request, response) => {
    open.add(request)
    response.on('close', () => {
      gone += 1
      if (gone === 3) resolve()
    })
    begin(response)
    response.write(event('1', 'notice', { at: 1, message: 'x' }))
  })
  const remote = connect({ url: server.url })
  expect(await some(remote.events(), 1)).toHaveLength(1)
  const aborted = new AbortController()
  const loop = async (signal?: AbortSignal): Promise<string> => {
    for await (const one of remote.events(signal === undefined ? {} : { signal })) {
      if (signal === undefined) void remote.close()
      else aborted.abort('enough')
      expect(one.type).toBe('notice')
    }
    return 'ended'
  }
  expect(await rejection(loop(aborted.signal))).toMatchObject({ code: 'CANCELLED', cause: 'enough' })
  expect(await loop()).toBe('ended')
  await allGone
  expect(() => remote.events()).toThrow(expect.objectContaining({ code: 'MEMORY_CLOSED' }))
})

test('a stream goes on from a place that was told without an event; a user’s events are those at its path', async () => {
  const server = await scriptedServer((_request, response, number) => {
    begin(response)
    if (number === 0) response.write('retry: 1\nid: a5\n\n:\nid: a6\n\n', () => setImmediate(() => response.destroy()))
    else response.write(event('a7', 'notice', { at: 1, message: 'x' }))
  })
  const remote = connect({ url: server.url })
  expect(await some(remote.events({ user: 'ada' }), 1)).toMatchObject([{ eventId: 'a7' }])
  expect(server.requests.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
    ['/v1/projects/default/users/ada/events', undefined],
    ['/v1/projects/default/users/ada/events', 'a6'],
  ])
  for (const wrong of [{ project: '..' }, { user: '~' }]) expect(() => remote.events(wrong)).toThrow(/must not be a path/)
})

test('a key that may not read events rejects the loop, and is not tried again', async () => {
  const server = await scriptedServer((_request, response) => problem(response, 403, { code: 'FORBIDDEN', isRetryable: false }))
  expect(await rejection(some(connect({ url: server.url }).events(), 1))).toMatchObject({ code: 'FORBIDDEN' })
  expect(server.requests).toHaveLength(1)
})
