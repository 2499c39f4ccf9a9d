import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { NotFound } from '../../errors/not-found.ts'
import { StoreFailed } from '../../errors/store-failed.ts'
import { type Answering, Line } from './line.ts'

function joined(answering: Answering): Line {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  Line.on(port2, answering)
  return new Line(port1)
}

const call = { kind: 'read', name: 'a.b', args: ['x'], now: 1 } as const

test('a call comes back with its answer, or with an error of its class', async () => {
  const line = joined({
    answer: async ({ name, args: [first] }) =>
      first === undefined ? Promise.reject(new NotFound({ kind: 'session', id: name })) : { name, first },
  })
  expect(await line.call(call)).toEqual({ name: 'a.b', first: 'x' })
  await expect(line.call({ ...call, args: [] })).rejects.toBeInstanceOf(NotFound)
  expect(line.underWay).toBe(0)
})

test('an argument that cannot be cloned rejects its call alone, and nothing is left under way', async () => {
  const line = joined({ answer: async () => 'answered' })
  await expect(line.call({ ...call, args: [() => undefined] })).rejects.toThrow(/could not be cloned/)
  expect(line.underWay).toBe(0)
  expect(await line.call(call)).toBe('answered')
})

test('an answer that cannot be cloned rejects the call', async () => {
  const line = joined({ answer: async () => () => undefined })
  await expect(line.call(call)).rejects.toThrow(/could not be cloned/)
})

test('an aborted signal reaches the other end, whose answer still comes', async () => {
  const line = joined({
    answer: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended early'))),
  })
  const stop = new AbortController()
  const answer = line.call(call, { signal: stop.signal })
  stop.abort()
  expect(await answer).toBe('ended early')
  expect(await line.call(call, { signal: AbortSignal.abort() })).toBe('ended early')
})

test('when the other end is gone, what is under way is rejected', async () => {
  const line = joined({ answer: () => new Promise(() => undefined) })
  const answer = line.call(call)
  line.fail(new StoreFailed({ operation: 'a test', reason: 'it is gone' }))
  await expect(answer).rejects.toBeInstanceOf(StoreFailed)
})

test('calls and answers that are gathered cross together, in their order; one that cannot be cloned fails alone', async () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const heard: string[] = []
  let posted = 0
  Line.on(port2, {
    answer: async ({ name }) => {
      heard.push(name)
      return name === 'c' ? () => undefined : name
    },
    told: (name) => heard.push(name),
  })
  const line = new Line({
    postMessage: (message, transfer) => {
      port1.postMessage(message, transfer)
      posted += 1
    },
    on: (event, listener) => port1.on(event, listener),
  })
  const gathered = (name: string, args: readonly unknown[] = []) => line.call({ kind: 'write', name, args, now: 1 }, { isGathered: true })
  const calls = [gathered('a'), gathered('b', [() => undefined]), gathered('c'), gathered('d')]
  line.tell('e', [])
  expect(posted).toBe(4)
  const outcomes = await Promise.allSettled(calls)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(heard).toEqual(['a', 'c', 'd', 'e'])
  expect(line.underWay).toBe(0)
  posted = 0
  expect(await Promise.all(['f', 'g', 'h'].map((name) => gathered(name)))).toEqual(['f', 'g', 'h'])
  expect(posted).toBe(1)
})
