import { readFileSync } from 'node:fs'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allRoutes } from '../../packages/varve/src/server/routes.ts'
import { genAiName, spanned } from '../../packages/varve/src/server/spans.ts'
import { send, type Served, served } from '../fixtures/server/serve.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

let server: Served
let key = ''

/** Measured before a host records spans: the names of an operation are looked up, and that is all. */
const withoutSdk = { calls: 20_000, us: Number.NaN }

beforeAll(async () => {
  const [route] = allRoutes()
  if (route === undefined) expect.fail('there is no route')
  const headers = new Headers({ traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' })
  const nothing = async (): Promise<void> => undefined
  for (let warm = 0; warm < withoutSdk.calls; warm += 1) await spanned(route, { project: 'acme' }, headers, nothing)
  const before = process.cpuUsage()
  for (let call = 0; call < withoutSdk.calls; call += 1) await spanned(route, { project: 'acme' }, headers, nothing)
  const { user, system } = process.cpuUsage(before)
  withoutSdk.us = (user + system) / withoutSdk.calls

  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  server = await served()
  key = (await server.memory.keys.create({ access: 'admin' })).key
})

afterAll(async () => {
  await server.close()
  await provider.shutdown()
  trace.disable()
  context.disable()
  propagation.disable()
})

beforeEach(() => exporter.reset())

const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans()
const ofUser = '/v1/projects/acme/users/ada'

async function call(verb: string, path: string, body?: unknown, headers = {}): Promise<ReadableSpan | undefined> {
  exporter.reset()
  await send(server.url, verb, path, { key, headers, ...(body === undefined ? {} : { body }) })
  expect(spans().length).toBeLessThan(2)
  return spans()[0]
}

describe('a host that records spans', () => {
  test('gets one for each call, named as OpenTelemetry names work on a memory', async () => {
    const messages = [
      { role: 'user', content: 'The kiosk opens on the 9th.' },
      { role: 'user', content: 'The ferry leaves at noon.' },
    ]
    for (const [verb, path, body, name, count] of [
      ['POST', `${ofUser}/sessions/s/messages`, { messages }, 'create_memory', 2],
      ['POST', `${ofUser}/recall`, { query: 'the kiosk', limit: 1 }, 'search_memory', 1],
      ['POST', `${ofUser}/context`, { query: 'the kiosk' }, 'search_memory', undefined],
      ['PUT', `${ofUser}/blocks/plan`, { text: 'Go there.' }, 'upsert_memory', undefined],
      ['POST', `${ofUser}/facts`, { subject: 'kiosk', predicate: 'opens', object: 'early' }, 'create_memory', undefined],
      ['GET', `${ofUser}/sessions/s/messages`, undefined, undefined, 2],
      ['DELETE', `${ofUser}/sessions/s`, undefined, 'delete_memory', undefined],
    ] as const) {
      const span = await call(verb, path, body)
      expect(span?.attributes['gen_ai.operation.name'], path).toBe(name)
      expect(span?.name, path).toBe(name ?? `varve ${String(span?.attributes['varve.operation'])}`)
      expect(span?.attributes['gen_ai.memory.store.id'], path).toBe('acme')
      expect(span?.attributes['gen_ai.memory.record.count'], path).toBe(count)
      expect(span?.attributes['error.type'], path).toBeUndefined()
    }
  })

  test('belongs to the span that its caller names, and to the host’s own before it', async () => {
    const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    const span = await call('GET', `${ofUser}/sessions`, undefined, { traceparent: `00-${traceId}-${spanId}-01` })
    expect(span?.spanContext().traceId).toBe(traceId)
    expect(span?.parentSpanContext?.spanId).toBe(spanId)
    const garbled = await call('GET', `${ofUser}/sessions`, undefined, { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` })
    expect(garbled?.parentSpanContext).toBeUndefined()
    const [route] = allRoutes()
    if (route === undefined) expect.fail('there is no route')
    exporter.reset()
    const headers = new Headers({ traceparent: `00-${traceId}-${spanId}-01` })
    await trace.getTracer('host').startActiveSpan('of the host', async (own) => {
      await spanned(route, {}, headers, async () => undefined)
      own.end()
    })
    const [inner, outer] = spans()
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
  })

  test('learns the code of an error, and no word, name or key of anybody', async () => {
    const canary = 'CanaryOfTheHarbour'
    const asUser = `/v1/projects/acme/users/${canary}`
    const message = { role: 'user', content: `${canary} is what was said.`, name: canary, id: canary, metadata: { [canary]: canary } }
    const kept: ReadableSpan[] = []
    for (const [verb, path, body] of [
      ['POST', `${asUser}/sessions/${canary}/messages`, { messages: [message] }],
      ['POST', `${asUser}/sessions/${canary}/messages`, { messages: [{ role: canary, content: canary }] }],
      ['POST', `${asUser}/recall`, { query: canary }],
      ['POST', `${asUser}/recall`, { query: canary, limit: canary }],
      ['GET', `${asUser}/blocks/${canary}`, undefined],
      ['PUT', `${asUser}/blocks/${canary}`, { text: canary, maxChars: 1 }],
      ['POST', `${asUser}/forget`, { session: canary }],
      ['POST', '/v1/projects/acme/import', canary],
    ] as const) {
      const span = await call(verb, path, body)
      if (span !== undefined) kept.push(span)
    }
    expect(kept.length).toBeGreaterThan(4)
    const texts = kept.map(({ name, attributes, events, links, status }) => JSON.stringify({ name, attributes, events, links, status }))
    for (const text of texts) expect(text).not.toContain(canary)
    const codes = kept.map(({ attributes }) => attributes['error.type']).filter((code) => code !== undefined)
    expect(codes).toContain('MESSAGE_INVALID')
    expect(codes).toContain('OPTION_INVALID')
  })
})

test('every name is one of OpenTelemetry’s, and none is given to what is no memory', () => {
  const known = /^(?:(?:create|search|update|upsert|delete)_memory|(?:create|delete)_memory_store)$/
  const named = new Map(allRoutes().flatMap(({ operation }) => [[operation.name, genAiName(operation.name)] as const]))
  for (const [operation, name] of named) if (name !== undefined) expect(name, operation).toMatch(known)
  expect([...named].filter(([operation, name]) => /^(?:keys|audit|settings|ledger)/.test(operation) && name !== undefined)).toEqual([])
})

test('without a host that records, a call costs next to nothing', () => {
  console.log(`spans: ${withoutSdk.us.toFixed(2)} µs of CPU a call where no host records them`)
  // Five times the 5 µs that it may take, for a machine that others use.
  expect(withoutSdk.us).toBeLessThan(25)
})

test('the API is one that a host’s SDK takes: an older copy of it does not give its spans to a newer one', () => {
  const manifestOf = (name: string): { readonly version: string; readonly peerDependencies?: Readonly<Record<string, string>> } =>
    JSON.parse(readFileSync(new URL(`../../node_modules/@opentelemetry/${name}/package.json`, import.meta.url), 'utf8'))
  const [, below] = /<1\.(\d+)\.0$/.exec(manifestOf('sdk-trace-base').peerDependencies?.['@opentelemetry/api'] ?? '') ?? []
  expect(Number(manifestOf('api').version.split('.')[1])).toBeLessThan(Number(below))
})
