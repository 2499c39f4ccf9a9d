import { type Fact, type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import type { Filling } from '../talk/fill.ts'
import type { History } from './history.ts'

/** A memory's answers at the end of a history. */
export interface Played {
  readonly history: History
  /** The facts that hold. */
  readonly facts: readonly Fact[]
  /** The texts of the messages that the question found, the best first. */
  readonly found: readonly string[]
  readonly context: string
}

interface Step {
  readonly at: number
  take(): Promise<void>
}

const minuteMs = 60_000
/** Upkeep reads a session after 10 minutes of quiet. */
const untilUpkeepMs = 60 * minuteMs
const untilAskedMs = 24 * 60 * minuteMs
const hits = 10
const contextTokens = 400
const mostFacts = 10_000

/**
 * Plays histories in one store, each in a project of its own, in the order of their times. Upkeep runs an hour after
 * each session. The question is asked a day after the last one.
 */
export async function playAll(histories: readonly History[], embeddings: Filling['embeddings']): Promise<Played[]> {
  const clock = new ManualClock()
  await using memory = await openMemory({
    store: 'memory:',
    upkeep: 'manual',
    clock,
    languageModel: false,
    ...(embeddings === 'off' ? { embeddingModel: false } : {}),
  })
  const played: Played[] = []
  const steps = histories.flatMap((history) => [
    ...history.sessions.flatMap((session, place): Step[] => [
      { at: session.at + session.messages.length * minuteMs, take: () => append(memory, history, place) },
      { at: session.at + untilUpkeepMs, take: () => keepUp(memory) },
    ]),
    { at: endOf(history) + untilAskedMs, take: async () => void played.push(await asked(memory, history)) },
  ])
  for (const { at, take } of steps.toSorted((a, b) => a.at - b.at)) {
    clock.set(at)
    await take()
  }
  return histories.flatMap(({ id }) => played.filter(({ history }) => history.id === id))
}

async function append(memory: Memory, history: History, place: number): Promise<void> {
  const { at = 0, messages = [] } = history.sessions[place] ?? {}
  await handleOf(memory, history).append(
    `session-${place + 1}`,
    messages.map((message, index) => ({ ...message, at: at + index * minuteMs })),
  )
}

async function keepUp(memory: Memory): Promise<void> {
  const { settled } = await memory.upkeep.run()
  if (!settled) throw new RangeError(`upkeep left work: ${JSON.stringify((await memory.upkeep.status()).failures)}`)
}

async function asked(memory: Memory, history: History): Promise<Played> {
  const { question } = history
  const handle = handleOf(memory, history)
  const facts = await Array.fromAsync(handle.facts.list({ limit: mostFacts }))
  const { hits: found, degraded } = await handle.recall(question, { limit: hits })
  if (degraded.length > 0) throw new RangeError(`a question was not answered in full: ${degraded.join('; ')}`)
  const { text } = await handle.context({ query: question, maxTokens: contextTokens })
  return { history, facts, found: found.map((hit) => hit.text), context: text }
}

function handleOf(memory: Memory, history: History) {
  return memory.for({ project: history.id, user: userOf(history) })
}

/** Returns the name under which the user speaks most often. */
function userOf({ sessions }: History): string {
  const names = sessions.flatMap(({ messages }) => messages.flatMap(({ role, name }) => (role === 'user' ? (name ?? []) : [])))
  const counted = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length)
  return counted[0]?.[0] ?? 'ada'
}

function endOf({ sessions }: History): number {
  return sessions.at(-1)?.at ?? 0
}
