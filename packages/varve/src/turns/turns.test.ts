import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../memory/memory.ts'
import { doorLimits } from './door-limits.ts'
import { HeldContexts } from './held-contexts.ts'
import { keepTurn } from './keep-turn.ts'
import { turnContext } from './turn-context.ts'

async function opened() {
  const memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, languageModel: false })
  onTestFinished(() => memory.close())
  return { memory, ada: memory.for({ project: 'acme', user: 'ada' }) }
}

const never = () => new Promise<never>(() => undefined)

test('a turn that is kept is in the next turn’s context', async () => {
  const { ada } = await opened()
  const told: string[] = []
  const isKept = await keepTurn(ada, { session: 'monday', messages: [{ role: 'user', content: 'The ferry leaves at noon.' }] }, (...why) =>
    told.push(...why),
  )
  expect(isKept).toBe(true)
  const { context, degraded } = await turnContext(ada, { query: 'When does the ferry leave?', maxTokens: 500, deadlineMs: 10_000 })
  expect(context?.text).toContain('The ferry leaves at noon.')
  expect([...degraded, ...told]).toEqual([])
})

test('a memory that never answers, or is closed, costs a turn its memory and nothing else', async () => {
  const { memory, ada } = await opened()
  const asking = { query: 'When?', maxTokens: 500 }
  expect(await turnContext({ context: never }, { ...asking, deadlineMs: 5 })).toEqual({ degraded: ['memory-late'] })
  const told: string[] = []
  const turn = { session: 'monday', messages: [{ role: 'user' as const, content: 'Hello.' }] }
  expect(await keepTurn({ append: never }, { ...turn, deadlineMs: 5 }, (...why) => told.push(...why))).toBe(false)
  await memory.close()
  expect(await turnContext(ada, { ...asking, deadlineMs: 10_000 })).toEqual({ degraded: ['memory-failed'] })
  expect(await keepTurn(ada, turn, (...why) => told.push(...why))).toBe(false)
  expect(told).toEqual(['append', 'DEADLINE_EXCEEDED', 'append', 'MEMORY_CLOSED'])
})

test('a bound that is undefined is the usual one', () => {
  const given: object = { deadlineMs: undefined, maxTokens: undefined }
  expect(doorLimits(given)).toEqual(doorLimits())
  expect(doorLimits({ maxTokens: 5 })).toEqual({ maxTokens: 5, deadlineMs: 1_000 })
})

test('a turn that was told nothing is not told in its later calls, and waits once', async () => {
  const { ada } = await opened()
  await ada.append('monday', { role: 'user', content: 'The ferry leaves at noon.' })
  const held = new HeldContexts()
  let asked = 0
  const context: typeof ada.context = (options) => {
    asked += 1
    return asked === 1 ? never() : ada.context(options)
  }
  const memory = { context, contexts: ada.contexts }
  const asking = { query: 'When does the ferry leave?', maxTokens: 500, deadlineMs: 20 }
  expect(await held.shown(memory, 'turn', false, asking)).toEqual({ degraded: ['memory-late'] })
  expect(await held.shown(memory, 'turn', true, asking)).toEqual({ degraded: [] })
  expect(asked).toBe(1)
  expect((await held.shown(memory, 'next turn', false, { ...asking, deadlineMs: 10_000 })).text).toContain('noon')
})

test('looking at a held context and asking anew share one deadline', async () => {
  const { ada } = await opened()
  await ada.append('monday', { role: 'user', content: 'The ferry leaves at noon.' })
  const held = new HeldContexts()
  const asking = { query: 'When does the ferry leave?', maxTokens: 500, deadlineMs: 10_000 }
  await held.shown(ada, 'turn', false, asking)
  const waits: number[] = []
  const context: typeof ada.context = ({ deadlineMs = 0 }) => {
    waits.push(deadlineMs)
    return never()
  }
  const slow = { context, contexts: { get: never } }
  expect(await held.shown(slow, 'turn', true, { ...asking, deadlineMs: 60 })).toEqual({ degraded: ['memory-late'] })
  expect(waits[0]).toBeLessThan(10)
})
