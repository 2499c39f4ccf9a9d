import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { clientFor, stdioCommand, textOf } from '../fixtures/mcp/connected.ts'
import { newStore } from '../fixtures/memory/open.ts'
import { servedForTest } from '../fixtures/server/serve.ts'
import { root } from '../built.ts'

const run = promisify(execFile)

type Frame = Readonly<Record<string, unknown>>

/** A server on stdio, as a bare process: every line of its stdout must be a frame. */
interface Started {
  readonly child: ChildProcessWithoutNullStreams
  readonly lines: string[]
  readonly stderr: () => string
  /** Sends a message, and gives the answer with its id. */
  ask(id: number, method: string, params?: object): Promise<Frame>
  send(text: string): void
}

function started(store: string, flags?: readonly string[]): Started {
  const { command, args, env } = stdioCommand(store, flags)
  const child = spawn(command, args, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const waiting = new Map<unknown, (frame: Frame) => void>()
  let told = ''
  child.stderr.on('data', (piece: Buffer) => (told += piece.toString()))
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    const frame: Frame = JSON.parse(line)
    waiting.get(frame['id'])?.(frame)
  })
  const send = (text: string): void => void child.stdin.write(text)
  return {
    ...{ child, lines, send, stderr: () => told },
    ask: (id, method, params = {}) => {
      const { promise, resolve } = Promise.withResolvers<Frame>()
      waiting.set(id, resolve)
      send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return promise
    },
  }
}

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
const remember = { name: 'memory_remember', arguments: { note: 'The gate is blue.' } }

async function documentsIn(store: string): Promise<number> {
  await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, engine: 'inline' })
  return (await memory.for({ project: 'acme', user: 'ada' }).documents.list()).length
}

test('the store is opened by the first tool; the end of stdin closes it, and stdout had frames alone', async () => {
  const store = newStore()
  const server = started(store)
  const began = performance.now()
  expect(await server.ask(1, 'initialize', hello)).toMatchObject({ result: { serverInfo: { name: 'varve' } } })
  console.log(`mcp: the first answer after ${Math.round(performance.now() - began)} ms`)
  await server.ask(2, 'tools/list')
  expect(existsSync(store)).toBe(false)
  expect(await server.ask(3, 'tools/call', remember)).toMatchObject({ result: { structuredContent: { stored: 'note' } } })
  server.child.stdin.end()
  expect(await once(server.child, 'close')).toEqual([0, null])
  for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(server.stderr()).toBe('')
  expect(existsSync(`${store}-wal`)).toBe(false)
  expect(await documentsIn(store)).toBe(1)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s closes the store and ends with 0', async (signal) => {
  const store = newStore()
  const server = started(store)
  await server.ask(1, 'initialize', hello)
  await server.ask(2, 'tools/call', remember)
  server.child.kill(signal)
  expect(await once(server.child, 'close')).toEqual([0, null])
  expect(existsSync(`${store}-wal`)).toBe(false)
  expect(await documentsIn(store)).toBe(1)
})

test('malformed frames are passed over, and what follows is answered', async () => {
  const server = started(newStore())
  await server.ask(1, 'initialize', hello)
  for (const wrong of [
    '{\n',
    '\n',
    '[]\n',
    '7\n',
    '{"jsonrpc":"2.0"}\n',
    '\u0000\n',
    '{"jsonrpc":"1.0","id":9,"method":"ping"}\n',
    `${'['.repeat(9_999)}\n`,
  ])
    server.send(wrong)
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)
  expect(await server.ask(2, 'tools/call', { name: 'memory_recall', arguments: deep })).toMatchObject({ result: { isError: true } })
  expect(await server.ask(3, 'tools/call', { name: 'memory_remember', arguments: { note: 'x'.repeat(3_000_000) } })).toMatchObject({
    result: { isError: true },
  })
  expect(await server.ask(4, 'tools/call', { name: '__proto__', arguments: {} })).toHaveProperty('error')
  expect(await server.ask(5, 'no/such')).toHaveProperty('error')
  expect(await server.ask(6, 'tools/call', remember)).toMatchObject({ result: { structuredContent: { stored: 'note' } } })
  server.child.stdin.end()
  expect(await once(server.child, 'close')).toEqual([0, null])
})

test('a frame without an end is cut off at ten megabytes, and the store is closed', async () => {
  const store = newStore()
  const server = started(store)
  await server.ask(1, 'initialize', hello)
  await server.ask(2, 'tools/call', remember)
  server.child.stdin.on('error', () => server.child.stdin.destroy())
  const ended = once(server.child, 'close')
  for (let at = 0; at < 12; at += 1) server.send('x'.repeat(1024 * 1024))
  expect(await ended).toEqual([0, null])
  expect(await documentsIn(store)).toBe(1)
})

test('--read-only makes no store, and says so; with one it offers what reads', async () => {
  const store = newStore()
  const none = started(store, ['--read-only'])
  expect(await once(none.child, 'close')).toEqual([1, null])
  expect(none.stderr()).toContain('there is no store')
  expect(existsSync(store)).toBe(false)
  await (await openMemory({ store, upkeep: 'manual', embeddingModel: false, engine: 'inline' })).close()
  const server = started(store, ['--read-only'])
  await server.ask(1, 'initialize', hello)
  const { result } = await server.ask(2, 'tools/list')
  expect(JSON.stringify(result)).toContain('memory_recall')
  expect(JSON.stringify(result)).not.toMatch(/memory_(?:remember|edit|forget)/)
})

test('a client of the first SDK uses the tools, and its person is asked', async () => {
  const store = newStore()
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities: { elicitation: {} } })
  onTestFinished(() => client.close())
  const asked: string[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }) => {
    asked.push(message)
    return { action: 'accept', content: { erase: true } }
  })
  await client.connect(new OldStdio(stdioCommand(store)))
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(5)
  const kept = await client.callTool(remember)
  expect(kept.structuredContent).toMatchObject({ stored: 'note', ref: 'document:Notes of the agent' })
  const refs = ['document:Notes of the agent']
  const erased = await client.callTool({ name: 'memory_forget', arguments: { refs } })
  expect(erased.structuredContent).toMatchObject({ done: true, counts: { document: 1 } })
  expect(asked).toEqual([expect.stringContaining('The gate is blue.')])
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['varve://profile', 'varve://bank'])
})

test('with --url it is the memory of a server, under the key in VARVE_KEY', async () => {
  const { memory, url } = await servedForTest()
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'The oars hang in the boat house.' })
  const { key } = await memory.keys.create({ project: 'acme', user: 'ada', access: 'write' })
  const { command, args, env } = stdioCommand(newStore(), ['--project', 'acme', '--user', 'ada', '--url', url, '--tools'])
  const client = clientFor({ era: 'auto' })
  await client.connect(new StdioClientTransport({ command, args, env: { ...env, VARVE_KEY: key } }))
  expect(textOf(await client.callTool({ name: 'memory_recall', arguments: { query: 'oars' } }))).toContain('boat house')
  const { messages } = await ada.append('talk', { role: 'user', content: 'Tea at nine.' })
  const refs = [`message:${messages[0]?.id}`]
  const shown = await client.callTool({ name: 'memory_forget', arguments: { refs } })
  const confirm = Reflect.get(Object(shown.structuredContent), 'confirm')
  expect(await client.callTool({ name: 'memory_forget', arguments: { refs, confirm } })).toMatchObject({
    structuredContent: { done: true },
  })
  expect(textOf(await client.callTool({ name: 'memory_timeline', arguments: {} }))).toContain('boat house')
  expect((await client.readResource({ uri: 'varve://profile' })).contents).toMatchObject([
    { text: expect.stringContaining(': 1 message, 1 session.') },
  ])
})

test('the inspector lists and calls on both transports', async () => {
  const inspector = join(root, 'node_modules', '.bin', 'mcp-inspector')
  const inspect = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await run(inspector, ['--cli', ...args], { env: process.env })).stdout)
  const { command, args } = stdioCommand(newStore())
  const { memory, url } = await servedForTest()
  const { key } = await memory.keys.create({ project: 'acme', user: 'ada', access: 'write' })
  const ways = [
    [command, ...args],
    [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
  ]
  for (const way of ways) {
    expect(await inspect(...way, '--method', 'tools/list')).toMatchObject({ tools: [{ name: 'memory_recall' }, {}, {}, {}, {}] })
    const called = await inspect(...way, '--method', 'tools/call', '--tool-name', 'memory_remember', '--tool-arg', 'note=The gate is blue.')
    expect(called).toMatchObject({ structuredContent: { stored: 'note' } })
    expect(await inspect(...way, '--method', 'resources/list')).toMatchObject({ resources: [{ uri: 'varve://profile' }, {}, {}] })
  }
}, 120_000)
