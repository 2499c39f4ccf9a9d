import { readFileSync } from 'node:fs'
import { chat, type ChatMiddleware, toolDefinition } from '@tanstack/ai'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { ScopeInput, UserMemory } from '../../packages/varve/src/index.ts'
import { varveAdapter, type VarveAdapter } from '../../packages/varve/src/integrations/tanstack-ai/index.ts'
import { doorLaws, insideFence } from '../fixtures/doors/laws.ts'
import { withMemory } from '../fixtures/guides/tanstack-ai/with-memory.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { adapterContract } from '../fixtures/tanstack-ai/contract.ts'
import { readIn, scriptedAdapter, type ScriptedStep } from '../fixtures/tanstack-ai/scripted-adapter.ts'

const shared = sharedMemory({ embeddingModel: false })
let stores = 0

/** An adapter without any memory: its projects are its own. */
function fresh(given: Partial<Parameters<typeof varveAdapter>[0]> = {}): {
  readonly varve: VarveAdapter
  readonly handle: (scope: ScopeInput) => UserMemory
} {
  stores += 1
  const prefix = `${stores} `
  const handle = ({ project = 'default', ...user }: ScopeInput) => shared.memory.for({ project: prefix + project, ...user })
  return { varve: varveAdapter({ memory: { for: handle }, deadlineMs: 10_000, ...given }), handle }
}

adapterContract('as it is', () => fresh().varve)
adapterContract('with devtools and tools', () => fresh({ devtools: true, tools: true }).varve)

doorLaws('TanStack AI’s chat', {
  place: 'read',
  open(memory, deadlineMs) {
    const varve = varveAdapter({ memory, deadlineMs })
    return async ({ project, user, session, words, reply = () => 'Noted.' }) => {
      const { adapter, requests } = scriptedAdapter((request) => reply(readIn(request).read))
      const middleware = [withMemory(varve, () => ({ tenantId: project, userId: user, threadId: session }))]
      await chat({ adapter, messages: [{ role: 'user', content: words }], middleware, stream: false })
      return readIn(requests[0])
    }
  },
})

const ann = { threadId: 'chat', userId: 'ann' }
const kept = async (user: UserMemory) => (await user.messages('chat')).map(({ role, content }) => `${role}: ${content}`)

describe('a turn that is saved', () => {
  const turn = { user: 'Thanks!', assistant: 'You are welcome.' }

  test('is stored once however often it is delivered, and again when it is said again', async () => {
    const { varve, handle } = fresh()
    const user = handle({ user: 'ann' })
    const deliver = () => varve.save(ann, { ...turn })
    await varve.recall(ann, turn.user)
    for (const _ of [1, 2, 3]) expect(await deliver()).toMatchObject([{ ok: true }])
    await varve.recall(ann, 'And now?')
    await varve.save(ann, { user: 'And now?', assistant: 'Now we wait.' })
    await deliver()
    expect(await kept(user)).toEqual(['user: Thanks!', 'assistant: You are welcome.', 'user: And now?', 'assistant: Now we wait.'])
    for (const _ of ['again', 'and again']) {
      await varve.recall(ann, turn.user)
      await deliver()
    }
    expect((await kept(user)).filter((line) => line === 'user: Thanks!')).toHaveLength(3)
  })

  test('is known when another process delivers it again, by the words and the place', async () => {
    const { varve, handle } = fresh()
    const other = varveAdapter({ memory: { for: handle } })
    await varve.recall(ann, turn.user)
    await varve.save(ann, turn)
    await other.save(ann, turn)
    expect(await kept(handle({ user: 'ann' }))).toEqual(['user: Thanks!', 'assistant: You are welcome.'])
  })

  test('does not come back once it is forgotten, when it is delivered again', async () => {
    const { varve, handle } = fresh()
    await varve.recall(ann, turn.user)
    await varve.save(ann, turn)
    await handle({ user: 'ann' }).forget({ all: true })
    await varve.save(ann, turn)
    expect(await kept(handle({ user: 'ann' }))).toEqual([])
  })

  test('is stored with signs that no store takes replaced, and the receipt of one that fails tells a code alone', async () => {
    const { varve, handle } = fresh()
    expect(await varve.save(ann, { user: 'a \0 b \uD800 c', assistant: '' })).toMatchObject([{ ok: true }])
    expect(await kept(handle({ user: 'ann' }))).toEqual(['user: a \uFFFD b \uFFFD c'])
    const broken = varveAdapter({
      memory: {
        for: () => {
          throw new TypeError('secret words')
        },
      },
    })
    expect(await broken.save(ann, turn)).toEqual([
      { ok: false, latencyMs: expect.any(Number), error: expect.not.stringContaining('secret') },
    ])
    expect(await broken.recall(ann, 'What?')).toEqual({ systemPrompt: '', fragments: [] })
  })
})

describe('chat()', () => {
  const question = 'When does the kiosk open?'
  const hours = toolDefinition({ name: 'hours', description: 'Tells when it opens.', inputSchema: z.object({ place: z.string() }) }).server(
    async () => ({ opens: '10:00' }),
  )

  async function chatted(script: (step: number) => ScriptedStep, given: Parameters<typeof fresh>[0] = {}, beside: ChatMiddleware[] = []) {
    const { varve, handle } = fresh(given)
    const user = handle({ user: 'ann' })
    await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
    const { adapter, requests } = scriptedAdapter((_, step) => script(step))
    const seen: string[] = []
    const watch: ChatMiddleware = { onFinish: ({ messages }) => void seen.push(JSON.stringify(messages)) }
    const run = chat({
      ...{ adapter, tools: [hours], stream: false },
      messages: [{ role: 'user', content: question }],
      middleware: [withMemory(varve, () => ann), ...beside, watch],
    })
    await Promise.allSettled([run])
    return { user, requests, seen }
  }

  test('each step of a loop with tools reads the same memory; the conversation of the host stays without it', async () => {
    const { user, requests, seen } = await chatted((step) => (step === 0 ? { tool: 'hours', input: { place: 'kiosk' } } : 'At ten.'))
    const told = requests.map((request) => insideFence(readIn(request).read))
    expect(told).toHaveLength(2)
    expect(told[0]).toContain('new door')
    expect(told[1]).toBe(told[0])
    expect(seen.join()).not.toMatch(/new door|<memory/)
    expect(await kept(user)).toEqual([`user: ${question}`, 'assistant: At ten.'])
  })

  test('the model may call the five tools of memory, which read this user alone', async () => {
    const { requests } = await chatted(
      (step) => (step === 0 ? { tool: 'memory_recall', input: { query: 'new door' } } : 'It has a new door.'),
      { tools: true },
    )
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual([
      'hours',
      ...['memory_recall', 'memory_context', 'memory_remember', 'memory_edit', 'memory_forget'],
    ])
    const result = requests[1]?.messages.find(({ role }) => role === 'tool')
    expect(JSON.stringify(result)).toContain('The kiosk has a new door.')
  })

  test('a run that is stopped keeps what the person said, and what was answered until then', async () => {
    const stops: ChatMiddleware = {
      onChunk: (context, chunk) => {
        if (chunk.type === 'TEXT_MESSAGE_CONTENT' && chunk.delta.includes('ten')) context.abort()
      },
    }
    const { user } = await chatted(() => 'It opens at ten, on most days.', {}, [stops])
    expect(await kept(user)).toEqual([`user: ${question}`, expect.stringMatching(/^assistant: It opens at/)])
  })

  test('an answer to a schema is stored as it was said', async () => {
    const { varve, handle } = fresh()
    const { adapter } = scriptedAdapter(() => '{"soup":"pea"}')
    const outputSchema = z.object({ soup: z.string() })
    const middleware = [withMemory(varve, () => ann)]
    const messages = [{ role: 'user' as const, content: 'Which soup?' }]
    expect(await chat({ adapter, messages, middleware, outputSchema })).toEqual({ soup: 'pea' })
    await varve.settled()
    expect(await kept(handle({ user: 'ann' }))).toEqual(['user: Which soup?', 'assistant: {"soup":"pea"}'])
  })

  test('a model that fails leaves what the person said', async () => {
    const { user } = await chatted(() => {
      throw new TypeError('the provider fell over')
    })
    expect(await kept(user)).toEqual([`user: ${question}`])
  })
})

test('the guide shows the middleware that is run here', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  const blocks = [...read('../../docs/guides/tanstack-ai.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const file = read('../fixtures/guides/tanstack-ai/with-memory.ts')
  expect(blocks).toEqual([file.replace('../../../../packages/varve/src/integrations/tanstack-ai/index.ts', 'varve/tanstack-ai')])
})
