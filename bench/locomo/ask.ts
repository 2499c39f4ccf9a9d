import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import type { Conversation } from './file.ts'
import { cutoffs } from './quality.ts'

/** A question, and where its evidence turns came among the hits. */
export interface Asked {
  /** The place of its conversation in the file. */
  readonly conversation: number
  readonly category: number
  readonly evidence: number
  /** Places of the evidence turns that were found, from 0. */
  readonly found: readonly number[]
}

const betweenTurnsMs = 1_000

/** Fills a memory that is gone afterwards, and asks every question of its own conversation. */
export async function askAll(conversations: readonly Conversation[]): Promise<Asked[]> {
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual' })
  const asked: Asked[] = []
  for (const conversation of conversations) {
    await fill(memory, conversation)
    asked.push(...await ask(memory, conversation))
  }
  return asked
}

async function fill(memory: Memory, { place, sessions }: Conversation): Promise<void> {
  const handle = memory.for(userOf(place))
  for (const session of sessions) {
    const messages = session.turns.map((turn, index) => ({
      role: 'user' as const,
      content: turn.text,
      name: turn.speaker,
      id: turn.id,
      ...(session.begin === undefined ? {} : { at: session.begin + index * betweenTurnsMs }),
    }))
    await handle.append(session.id, messages)
  }
}

async function ask(memory: Memory, { place, questions }: Conversation): Promise<Asked[]> {
  const handle = memory.for(userOf(place))
  const limit = Math.max(...cutoffs)
  const asked: Asked[] = []
  for (const { text, category, evidence } of questions) {
    const { hits, degraded } = await handle.recall(text, { limit })
    if (degraded.length > 0) throw new RangeError(`a question was not answered in full: ${degraded.join('; ')}`)
    const ranks = evidence.map((turn) => hits.findIndex(({ externalId }) => externalId === turn))
    asked.push({ conversation: place, category, evidence: evidence.length, found: ranks.filter((rank) => rank >= 0) })
  }
  return asked
}

function userOf(place: number): string {
  return `conversation-${place + 1}`
}
