import { type Memory, openMemory } from '../../packages/varve/src/index.ts'
import { isServer } from '../server/server.ts'
import type { Conversation, Turn } from './conversation.ts'

/** The way in which the conversations are put into a memory. */
export interface Filling {
  /** `off` searches by words alone. */
  readonly embeddings: 'on' | 'off'
  /** All conversations in one partition, or one partition each. */
  readonly partitions: 'each' | 'one'
  /** A file that keeps the filled store for the next run, or the address of a server; undefined for a store in memory. */
  readonly store?: string
}

const betweenTurnsMs = 1_000
const longestUpkeepSeconds = 3_600

/** Makes a memory with every conversation in it, embedded completely. `turns` maps the id of a message to its turn. */
export async function filled(
  conversations: readonly Conversation[],
  { embeddings, partitions, store }: Filling,
): Promise<{ memory: Memory; turns: ReadonlyMap<string, string> }> {
  const memory = await openMemory({
    store: store === undefined ? 'memory:' : isServer(store) ? store : `sqlite:${store}`,
    upkeep: 'manual',
    ...(embeddings === 'off' ? { embeddingModel: false } : {}),
  })
  const turns = new Map<string, string>()
  for (const conversation of conversations) await append(memory, conversation, partitions, turns)
  const { settled } = await memory.upkeep.run({ maxSeconds: longestUpkeepSeconds })
  if (!settled) throw new RangeError(`not everything was embedded: ${JSON.stringify((await memory.upkeep.status()).failures)}`)
  return { memory, turns }
}

async function append(
  memory: Memory,
  { place, sessions }: Conversation,
  partitions: Filling['partitions'],
  turns: Map<string, string>,
): Promise<void> {
  const handle = memory.for(userOf(place, partitions))
  for (const session of sessions) {
    const messages = session.turns.map((turn, index) => ({
      role: turn.role,
      content: turn.text,
      ...(turn.speaker === undefined ? {} : { name: turn.speaker }),
      id: turnKey(place, turn),
      ...(session.begin === undefined ? {} : { at: session.begin + index * betweenTurnsMs }),
    }))
    const appended = await handle.append(`${place + 1} ${session.id}`, messages)
    for (const { id, externalId } of appended.messages) turns.set(id, externalId ?? '')
  }
}

/** Returns a turn's id among all conversations. */
export function turnKey(place: number, turn: Pick<Turn, 'id'>): string {
  return `${place + 1} ${turn.id}`
}

export function userOf(place: number, partitions: Filling['partitions']): string {
  return partitions === 'one' ? 'everybody' : `conversation-${place + 1}`
}
