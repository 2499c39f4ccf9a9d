import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, type ProxyServer, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import {
  chatAnswer,
  chatStream,
  scriptedUpstream,
  typedStream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const asked = 'When does the kiosk open?'

interface Reached {
  readonly ada: UserMemory
  readonly server: ProxyServer
  readonly apiKey: string
  readonly left: Promise<void>
  readonly requests: readonly UpstreamRequest[]
}

async function reached(script: (request: UpstreamRequest, place: number) => UpstreamAnswer): Promise<Reached> {
  const ada = shared.user()
  const { url, left, requests } = await scriptedUpstream(script)
  const server = await proxyServer({ openai: { url }, anthropic: { url } })
  return { ada, server, left, requests, apiKey: server.key('vk-ada', scopeOf(ada)) }
}

describe('a client that leaves: the call upstream ends, what came is remembered, and the next call works', () => {
  const { pieces, ...stream } = chatStream([{ content: 'At ' }, { content: 'ten.' }])
  const never = new Promise<never>(() => undefined)
  const moments: Record<string, { readonly answer: UpstreamAnswer; readonly after: number; readonly held: string[] }> = {
    'before the head of the answer': { answer: { pieces: [], finish: 'mute' }, after: 0, held: [] },
    'before the first piece': { answer: { ...stream, pieces: [never] }, after: 0, held: [`user: ${asked}`] },
    'after the first piece': {
      answer: { ...stream, pieces: [...pieces.slice(0, 1), never] },
      after: 1,
      held: [`user: ${asked}`, 'assistant: At '],
    },
    'after the last piece, before the end': {
      answer: { ...stream, pieces: [...pieces, never] },
      after: 2,
      held: [`user: ${asked}`, 'assistant: At ten.'],
    },
  }
  for (const [name, { answer, after, held }] of Object.entries(moments))
    test(`OpenAI’s, ${name}`, async () => {
      const { ada, server, apiKey, left, requests } = await reached((_, place) => (place === 1 ? answer : chatAnswer('At ten.')))
      const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } })
      const messages = [{ role: 'user' as const, content: asked }]
      const controller = new AbortController()
      const call = client.chat.completions.create({ model: 'm', messages, stream: true }, { signal: controller.signal })
      const heard = (async () => {
        let count = 0
        for await (const { choices } of await call)
          if (choices[0]?.delta.content !== undefined && (count += 1) === after) controller.abort()
        return count
      })().catch(() => 'left')
      await expect.poll(() => requests.length, { timeout: 10_000 }).toBe(1)
      if (after === 0) {
        if (answer.finish === undefined) await call
        controller.abort()
      }
      await heard
      await left
      await expect.poll(() => heldIn(ada, 's')).toEqual(held)
      await client.chat.completions.create({ model: 'm', messages }, { headers: { 'varve-session': 'next' } })
      await server.proxy.settled()
      expect(await heldIn(ada, 'next')).toEqual([`user: ${asked}`, 'assistant: At ten.'])
    })

  test('Anthropic’s, within the input of a tool', async () => {
    const events = typedStream([
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'hours', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"pla' } },
    ])
    const { ada, server, apiKey, left } = await reached(() => ({ ...events, pieces: [...events.pieces, never] }))
    const client = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } })
    const running = client.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: asked }] })
    running.on('inputJson', () => running.abort())
    await expect(running.finalMessage()).rejects.toThrow('aborted')
    await left
    await expect.poll(() => heldIn(ada, 's')).toEqual([`user: ${asked}`, 'assistant: hours({"pla)'])
  })
})

describe('the AI SDK', () => {
  function provider({ server, apiKey }: Reached) {
    const headers = { 'varve-session': 's' }
    return createOpenAICompatible({ ...{ name: 'varve', baseURL: `${server.url}/v1`, apiKey, headers }, supportsStructuredOutputs: true })(
      'm',
    )
  }

  const hours = tool({ inputSchema: z.object({ place: z.string() }), execute: async ({ place }) => ({ place, opens: '10:00' }) })
  const call = (id: string, place: string) => ({ id, type: 'function', function: { name: 'hours', arguments: JSON.stringify({ place }) } })

  test('runs three steps with tools in parallel, and each message is stored once', async () => {
    const it = await reached((_, place) => {
      const calls = [call(`a${place}`, 'kiosk'), call(`b${place}`, 'pier')]
      return place === 3
        ? chatStream([{ content: 'At ten.' }])
        : chatStream([{ tool_calls: calls.map((one, index) => ({ index, ...one })) }])
    })
    const result = streamText({ model: provider(it), prompt: asked, tools: { hours }, stopWhen: isStepCount(4) })
    expect(await result.text).toBe('At ten.')
    await it.server.proxy.settled()
    const step = [
      'assistant: hours({"place":"kiosk"})\n\nhours({"place":"pier"})',
      ...['kiosk', 'pier'].map((place) => `tool: hours: {"place":"${place}","opens":"10:00"}`),
    ]
    expect(await heldIn(it.ada, 's')).toEqual([`user: ${asked}`, ...step, ...step, 'assistant: At ten.'])
  })

  test('asks with a picture for an object by a schema, and retries what was refused', async () => {
    const it = await reached((_, place) =>
      place === 1
        ? { status: 503, headers: { 'content-type': 'application/json', 'retry-after-ms': '1' }, pieces: ['{"error":{"message":"busy"}}'] }
        : chatAnswer('{"opens":10}'),
    )
    const { output } = await generateText({
      model: provider(it),
      output: Output.object({ schema: z.object({ opens: z.number() }) }),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: asked },
            { type: 'file', mediaType: 'image/png', data: Uint8Array.of(1, 2, 3) },
          ],
        },
      ],
    })
    expect(output).toEqual({ opens: 10 })
    await it.server.proxy.settled()
    expect(JSON.parse(it.requests[1]?.text ?? '').response_format.type).toBe('json_schema')
    expect(await heldIn(it.ada, 's')).toEqual([`user: ${asked}\n\n[file image_url]`, 'assistant: {"opens":10}'])
  })
})
