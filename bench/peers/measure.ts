import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Asked } from '../talk/quality.ts'
import { measuring, residentMb } from '../shared/usage.ts'
import { usageOf } from './endpoint.ts'
import { systemNamed } from './list.ts'
import type { Opened, OpenOptions } from './system.ts'
import type { Talk } from './talks.ts'

/** CPU ms for one message or one question: of the system's own process and of the endpoint's. */
export interface Share {
  readonly own: number
  readonly endpoint: number
}

export interface Measured {
  readonly asked: readonly Asked[]
  readonly turns: number
  readonly append: Share
  /** The cost of the last messages alone: an append in a full store. */
  readonly lastAppends: Share
  readonly recall: Share
  /** Resident MB before the system was loaded, with all messages in it, and after all questions, each after a collection. */
  readonly resident: { readonly before: number; readonly loaded: number; readonly asked: number; readonly endpoint: number }
  readonly diskBytes: number
  /** Requests for a language model. */
  readonly refused: number
}

/** The first calls compile code and load models: they are not measured. */
const warmUp = 200
const last = 1_000
const limit = 10

/** Measures everything but kills in this process: all turns one at a time, then every question of its own partition. */
export async function measure(name: string, talks: readonly Talk[], options: OpenOptions): Promise<Measured> {
  const begun = await usageOf(options.endpoint)
  const before = collectedMb()
  const opened = await (await systemNamed(name).load())(options)
  const { append, lastAppends } = await appendAll(opened, talks, options.endpoint)
  const loaded = collectedMb()
  const { asked, recall } = await askAll(opened, talks, options.endpoint)
  const ended = await usageOf(options.endpoint)
  const resident = { before, loaded, asked: collectedMb(), endpoint: ended.residentMb }
  await opened.close?.()
  const turns = talks.reduce((sum, talk) => sum + talk.turns.length, 0)
  return { asked, turns, append, lastAppends, recall, resident, diskBytes: bytesIn(options.folder), refused: ended.refused - begun.refused }
}

async function appendAll(opened: Opened, talks: readonly Talk[], endpoint: string): Promise<Pick<Measured, 'append' | 'lastAppends'>> {
  const all = talks.flatMap(({ partition, turns }) => turns.map((turn) => ({ partition, turn })))
  const appendFrom = async (from: number, to: number): Promise<Share> =>
    costOf(endpoint, to - from, async () => {
      for (const { partition, turn } of all.slice(from, to)) await opened.append(partition, turn)
      await opened.settle?.()
    })
  const middle = Math.max(warmUp, all.length - last)
  await appendFrom(0, warmUp)
  const first = await appendFrom(warmUp, middle)
  const lastAppends = await appendFrom(middle, all.length)
  const mean = (of: keyof Share): number =>
    (first[of] * (middle - warmUp) + lastAppends[of] * (all.length - middle)) / (all.length - warmUp)
  return { append: { own: mean('own'), endpoint: mean('endpoint') }, lastAppends }
}

async function askAll(opened: Opened, talks: readonly Talk[], endpoint: string): Promise<{ asked: Asked[]; recall: Share }> {
  for (const { partition, questions } of talks) {
    for (const { text } of questions.slice(0, Math.ceil(warmUp / 4 / talks.length))) await opened.recall(partition, text, limit)
  }
  const asked: Asked[] = []
  const questions = talks.reduce((sum, talk) => sum + talk.questions.length, 0)
  const recall = await costOf(endpoint, questions, async () => {
    for (const talk of talks) {
      for (const { text, category, evidence } of talk.questions) {
        const ids = await opened.recall(talk.partition, text, limit)
        const found = evidence.map((id) => ids.slice(0, limit).indexOf(id)).filter((place) => place >= 0)
        asked.push({ conversation: talk.place, category, evidence: evidence.length, found })
      }
    }
  })
  return { asked, recall }
}

async function costOf(endpoint: string, times: number, work: () => Promise<void>): Promise<Share> {
  const begun = await usageOf(endpoint)
  const cost = measuring()
  await work()
  const { cpuMs } = cost()
  const ended = await usageOf(endpoint)
  return { own: cpuMs / times, endpoint: (ended.cpuMs - begun.cpuMs) / times }
}

/** Returns resident MB after a collection: the memory that the system holds, without garbage. */
function collectedMb(): number {
  globalThis.gc?.()
  return residentMb()
}

function bytesIn(folder: string): number {
  return globSync('**/*', { cwd: folder })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}
