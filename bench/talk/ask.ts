import type { Hit, Memory } from '../../packages/varve/src/index.ts'
import type { Conversation, TalkQuestion } from './conversation.ts'
import { filled, type Filling, turnKey, userOf } from './fill.ts'
import { type Asked, cutoffs } from './quality.ts'

/** A question with its hits. */
export interface Answered extends Asked {
  readonly question: TalkQuestion
  readonly hits: readonly Hit[]
}

/** Fills a temporary memory, and asks every question of its own conversation, or of all at once. */
export async function askAll(conversations: readonly Conversation[], filling: Filling): Promise<Answered[]> {
  const { memory } = await filled(conversations, filling)
  await using _memory = memory
  const asked: Answered[] = []
  for (const conversation of conversations) asked.push(...(await ask(memory, conversation, filling)))
  return asked
}

async function ask(memory: Memory, { place, questions }: Conversation, { partitions }: Filling): Promise<Answered[]> {
  const handle = memory.for(userOf(place, partitions))
  const limit = Math.max(...cutoffs)
  const asked: Answered[] = []
  for (const question of questions) {
    const { text, category, evidence } = question
    const { hits, degraded } = await handle.recall(text, { limit })
    if (degraded.length > 0) throw new RangeError(`a question was not answered in full: ${degraded.join('; ')}`)
    const ranks = evidence.map((id) => hits.findIndex(({ externalId }) => externalId === turnKey(place, { id })))
    asked.push({ conversation: place, category, evidence: evidence.length, found: ranks.filter((rank) => rank >= 0), question, hits })
  }
  return asked
}
