import { join } from 'node:path'
import { openMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import { type Line, lineOf } from '../shared/lines.ts'
import { withScratch } from '../shared/scratch.ts'
import { percentile } from '../shared/statistics.ts'
import { measuring } from '../shared/usage.ts'
import { type CodingMessage, codingConversation } from './conversation.ts'

const calls = 41
const maxTokens = 60_000

/** The share of the conversation that the stored notes cover. */
const coveredShare = 0.9

/** Times compaction of a conversation: the first time, again, and as it grows. Also times how long shouldCompact() blocks. */
export async function timeCompaction(tokens: number, scratch: string): Promise<Line[]> {
  const messages = codingConversation(tokens)
  return withScratch(scratch, async (folder) => {
    await using memory = await openMemory({
      store: join(folder, 'varve.db'),
      upkeep: 'manual',
      layers: { gists: false, facts: false, instructions: false },
    })
    const ada = memory.for({ project: 'bench', user: 'ada' })
    await append(ada, 'unnoted', messages)
    const first = await timed(() => ada.compact(messages, { session: 'unnoted', maxTokens }))
    const whole = await repeated(ada, 'unnoted', () => messages)
    const covered = Math.floor(messages.length * coveredShare)
    await append(ada, 'long', messages.slice(0, covered))
    const update = await timed(() => ada.notes.update('long'))
    await append(ada, 'long', messages.slice(covered))
    const noted = await repeated(ada, 'long', () => messages)
    const compacted = await ada.compact(messages, { session: 'long', maxTokens })
    const again = await repeated(ada, 'long', (call) => [...compacted, ...messages.slice(-2 - (call % 8))])
    const due = dueTimes(ada, messages)
    return [
      lineOf('compact', 'first call, tokenizer loaded with it', 'ms', [first.wallMs]),
      ...linesOf('notes cover nine tenths', noted, 20),
      lineOf('notes', 'update over nine tenths at once, CPU', 'ms', [update.cpuMs]),
      ...linesOf('no notes: what goes is written down', whole),
      ...linesOf('what was compacted before, and some more', again, 20),
      lineOf('shouldCompact', 'p50, CPU, nothing seen before', 'ms', [percentile(due.unseen, 0.5)], { atMost: 5 }),
      lineOf('shouldCompact', 'p50, CPU, all but the newest two seen', 'ms', [percentile(due.seen, 0.5)]),
    ]
  })
}

type Taken = readonly { readonly wallMs: number; readonly cpuMs: number }[]

/** Makes the lines of a call. The target is for the CPU time: the machine is shared. */
function linesOf(what: string, taken: Taken, atMost?: number): Line[] {
  const half = (times: readonly number[]): number[] => [percentile(times, 0.5)]
  return [
    lineOf('compact', `p50, ${what}`, 'ms', half(taken.map(({ wallMs }) => wallMs))),
    lineOf('compact', `p50, CPU, ${what}`, 'ms', half(taken.map(({ cpuMs }) => cpuMs)), atMost === undefined ? undefined : { atMost }),
  ]
}

async function append(ada: UserMemory, session: string, messages: readonly CodingMessage[]): Promise<void> {
  for (let from = 0; from < messages.length; from += 200) await ada.append(session, messages.slice(from, from + 200))
}

async function repeated(ada: UserMemory, session: string, messages: (call: number) => readonly object[]) {
  const taken: { wallMs: number; cpuMs: number }[] = []
  for (let call = 0; call < calls; call += 1) {
    const some = messages(call)
    taken.push(await timed(() => ada.compact(some, { session, maxTokens })))
  }
  return taken
}

async function timed(work: () => Promise<unknown>): Promise<{ wallMs: number; cpuMs: number }> {
  const cost = measuring()
  await work()
  return cost()
}

/** Times shouldCompact(). The host waits for the whole call, since it answers at once. */
function dueTimes(ada: UserMemory, messages: readonly CodingMessage[]): { unseen: number[]; seen: number[] } {
  const take = (list: readonly object[]): number => {
    const cost = measuring()
    ada.shouldCompact(list, { window: 200_000 })
    return cost().cpuMs
  }
  const unseen = Array.from({ length: calls }, () => take(structuredClone(messages)))
  const seen = Array.from({ length: calls }, () => take([...messages, ...structuredClone(messages.slice(-2))]))
  return { unseen, seen }
}
