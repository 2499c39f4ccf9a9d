import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../memory/memory.ts'
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
