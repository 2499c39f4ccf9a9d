import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importFile, type Memory, type MessageInput } from '../../packages/varve/src/index.ts'

/**
 * The longest block of the event loop by a call, and the call's cost for the host's own thread, in ms. Each is the
 * least of several rounds.
 */
export interface Block {
  readonly name: string
  /** By the thread's CPU time, which excludes the scheduler. */
  readonly own: number
  readonly wall: number
  readonly hostCpuMs: number
}

interface Case {
  readonly name: string
  readonly rounds: number
  /** Prepares a round, before it is watched. */
  make(round: number): () => unknown
}

const words = 'the crane on the northern pier was slow today and so was the ferry '
const messagesInAll = 10_000
const turnsInAll = 20_000
const rounds = 5

export async function blocksOf(memory: Memory, folder: string, sessions: number): Promise<readonly Block[]> {
  await memory.for('ada').append('warm', { role: 'user', content: 'warm' })
  const blocks: Block[] = []
  for (const each of [...refusals(memory), ...batches(memory), ...conversations(memory), importing(memory, folder, sessions)])
    blocks.push(await worst(each))
  return blocks
}

async function worst({ name, rounds: times, make }: Case): Promise<Block> {
  let least: Block = { name, own: Number.POSITIVE_INFINITY, wall: Number.POSITIVE_INFINITY, hostCpuMs: Number.POSITIVE_INFINITY }
  for (let round = 0; round < times; round += 1) {
    const { own, wall, hostCpuMs } = await watchedTurns(make(round))
    least = { name, own: Math.min(least.own, own), wall: Math.min(least.wall, wall), hostCpuMs: Math.min(least.hostCpuMs, hostCpuMs) }
  }
  return least
}

/** Watches the loop from tick to tick, a millisecond apart: the longest gap is the longest wait of others. */
async function watchedTurns(work: () => unknown): Promise<Omit<Block, 'name'>> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  const begun = ownMs()
  let [lastOwn, lastWall, own, wall] = [begun, performance.now(), 0, 0]
  const tick = (): void => {
    const [nowOwn, nowWall] = [ownMs(), performance.now()]
    own = Math.max(own, nowOwn - lastOwn)
    wall = Math.max(wall, nowWall - lastWall)
    lastOwn = nowOwn
    lastWall = nowWall
  }
  const ticking = setInterval(tick, 1)
  // A refusal is fine: only its time counts.
  await Promise.allSettled([Promise.resolve().then(work)])
  clearInterval(ticking)
  tick()
  return { own, wall, hostCpuMs: ownMs() - begun }
}

function ownMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function refusals(memory: Memory): Case[] {
  const keys = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, place) => [`key-${place}`, place]))
  const large = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`key-${place}`, 'x'.repeat(100_000)]))
  const refused = (name: string, metadata: MessageInput['metadata']): Case => ({
    name,
    rounds,
    make: () => () => memory.for('ada').append('refused', { role: 'user', content: 'x', ...(metadata === undefined ? {} : { metadata }) }),
  })
  return [refused('metadata of 1,000,000 keys, refused', keys), refused('metadata of 100 MB, refused', large)]
}

function batches(memory: Memory): Case[] {
  const batch = (round: number): MessageInput[] =>
    Array.from({ length: messagesInAll }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      id: `${round}-${place}`,
      content: words.repeat(3),
    }))
  const rows = (round: number): object[] =>
    Array.from({ length: 30_000 }, (_, place) => ({ place, name: `row ${place}`, text: words.slice(0, 30), round }))
  return [
    {
      name: `a batch of ${messagesInAll} messages`,
      rounds,
      make: (round) => {
        const messages = batch(round)
        return () => memory.for('ada').append(`batch-${round}`, messages)
      },
    },
    {
      name: 'parts of 2 MB',
      rounds,
      make: (round) => {
        const parts = [{ type: 'data-rows', rows: rows(round) }]
        return () => memory.for('ada').append('parts', { role: 'tool', content: 'rows', parts })
      },
    },
  ]
}

function conversations(memory: Memory): Case[] {
  const talk = (round: number): MessageInput[] =>
    Array.from({ length: turnsInAll }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: `${words.repeat(3)} ${round} ${place}`,
    }))
  return [
    {
      name: `shouldCompact of ${turnsInAll} new messages`,
      rounds,
      make: (round) => {
        const messages = talk(round)
        return () => memory.for('ada').shouldCompact(messages, { window: 1_000_000 })
      },
    },
    {
      name: `compact of ${turnsInAll} messages`,
      rounds: 2,
      make: (round) => {
        const messages = talk(round)
        return () => memory.for('ada').compact(messages, { session: 'talk', maxTokens: 20_000 })
      },
    },
  ]
}

function importing(memory: Memory, folder: string, sessions: number): Case {
  return {
    name: `an import of ${sessions} sessions`,
    rounds: 2,
    make: (round) => {
      const path = join(folder, `sessions-${round}.jsonl`)
      const line = (_: unknown, place: number): string =>
        JSON.stringify({
          session: `talk-${place >> 1}`,
          role: place % 2 === 0 ? 'user' : 'assistant',
          content: `${words} ${place}`,
          at: 1_700_000_000_000 + place,
        })
      writeFileSync(path, Array.from({ length: 2 * sessions }, line).join('\n'))
      return () => importFile(memory.for(`import-${round}`), path)
    },
  }
}
