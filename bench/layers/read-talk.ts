import { type Memory, openMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { importFile } from '../../packages/varve/src/importers/import-file.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import type { Conversation } from '../talk/conversation.ts'
import { measuring } from '../shared/usage.ts'

/** Talk that every layer has read, without a language model. */
export interface ReadTalk {
  readonly name: string
  readonly memory: Memory
  readonly user: UserMemory
  readonly clock: ManualClock
  /** The texts of its messages, without calls of tools. */
  readonly texts: readonly string[]
  /** CPU time of writing all layers. */
  readonly cpuMs: number
}

const betweenTurnsMs = 1_000
/** The pause after which a session is settled, and read. */
const pauseMs = 11 * 60_000
const maxSeconds = 600
/** More messages than a session of a sample has. */
const mostOfSample = 500
/** The time at which a sample was imported: it is older. */
const samplesRead = Date.UTC(2027, 0, 1)

/** Keeps a conversation in a memory of its own, and has it read session by session as its days pass. */
export async function readConversation({ place, sessions }: Conversation): Promise<ReadTalk> {
  const clock = new ManualClock(Math.min(...sessions.flatMap(({ begin }) => begin ?? [])))
  const memory = await opened(clock)
  const user = memory.for('talk')
  let cpuMs = 0
  for (const { id, begin = clock.now(), turns } of sessions) {
    clock.set(Math.max(clock.now(), begin + turns.length * betweenTurnsMs))
    const messages = turns.map(({ role, speaker, text }, turn) => ({
      role,
      content: text,
      ...(speaker === undefined ? {} : { name: speaker }),
      at: begin + turn * betweenTurnsMs,
    }))
    await user.append(id, messages)
    clock.advance(pauseMs)
    cpuMs += await written(memory, user, [id])
  }
  return {
    name: `conversation ${place + 1}`,
    memory,
    user,
    clock,
    cpuMs,
    texts: sessions.flatMap(({ turns }) => turns.map(({ text }) => text)),
  }
}

/** Imports a sample into a memory of its own, and has it read. */
export async function readSample(name: string, file: string): Promise<ReadTalk> {
  const clock = new ManualClock(samplesRead)
  const memory = await opened(clock)
  const user = memory.for('talk')
  await importFile(user, file, { now: () => clock.now() })
  clock.advance(pauseMs)
  const ids = (await Array.fromAsync(user.sessions.list())).map(({ id }) => id)
  const cpuMs = await written(memory, user, ids)
  const texts: string[] = []
  for (const id of ids) texts.push(...(await user.messages(id, { limit: mostOfSample })).map(({ content }) => content))
  return { name, memory, user, clock, cpuMs, texts }
}

async function opened(clock: ManualClock): Promise<Memory> {
  return openMemory({
    store: 'memory:',
    upkeep: 'manual',
    isolation: 'silent',
    embeddingModel: false,
    layers: { gists: true, facts: true, documents: true, notes: true, bank: true },
    clock,
    logger: { warn: () => undefined },
  })
}

/** Writes every layer of some sessions, and returns the CPU time. */
async function written(memory: Memory, user: UserMemory, sessions: readonly string[]): Promise<number> {
  const cost = measuring()
  await memory.upkeep.run({ maxSeconds })
  for (const session of sessions) await user.notes.update(session)
  return cost().cpuMs
}
