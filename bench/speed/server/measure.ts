import { join } from 'node:path'
import type { Line } from '../../shared/lines.ts'
import { dropStore, inSchema } from '../../server/server.ts'
import { askChild } from '../ask-child.ts'
import type { Subject } from '../lines.ts'
import type { Origin } from '../product.ts'
import { removeStore } from '../remove-store.ts'
import type { Answers, Store } from '../tasks.ts'
import { besideLines, farAwayLines, idleLines, type Runs } from './lines.ts'

/** The schema of the bench's tables. It is dropped before and after each run. */
const schema = 'varve_bench_speed'

const forgottenSessions = 12
const keptUpSessions = 8

export interface BesideOptions {
  /** The address of the server. */
  readonly address: string
  readonly folder: string
  readonly from: Origin
  readonly appends: number
  readonly questions: number
  readonly repeat: number
  readonly delayMs: number
  readonly idleSeconds: number
}

type Growing = { -readonly [Name in keyof Runs]: Answers[Name][] }

/** Measures one size on SQLite and on a server by turns, each run in new processes. Words alone. */
export async function measureBeside(subject: Subject, options: BesideOptions): Promise<Line[]> {
  const both: Record<'sqlite' | 'server', Growing> = { sqlite: none(), server: none() }
  const common = { messages: subject.messages, partitions: subject.partitions, from: options.from }
  for (let run = 0; run < options.repeat; run += 1) {
    const file = join(options.folder, 'store.db')
    removeStore(file)
    await measureRun({ ...common, place: file }, both.sqlite, options)
    removeStore(file)
    await withSchema(options.address, (place) => measureRun({ ...common, place }, both.server, options))
  }
  return besideLines({ ...subject, ...both })
}

/** Measures what crosses the network: forgetting, upkeep, and an instance without work. */
export function measureCalls({ address, from, delayMs, idleSeconds }: BesideOptions): Promise<Line[]> {
  return withSchema(address, async (place) => {
    const store: Store = { place, messages: 0, partitions: 1, from }
    const forgotten = await askChild<'forget'>({ kind: 'forget', store, sessions: forgottenSessions, delayMs })
    const keptUp = await askChild<'upkeep'>({ kind: 'upkeep', store, sessions: keptUpSessions, delayMs })
    const idled = await askChild<'idle'>({ kind: 'idle', store, seconds: idleSeconds })
    return [...farAwayLines(forgotten, keptUp, delayMs), ...idleLines([idled])]
  })
}

/** The appends come last: they add to the store. */
async function measureRun(store: Store, runs: Growing, { questions, appends }: BesideOptions): Promise<void> {
  runs.import.push(await askChild<'import'>({ kind: 'import', store }))
  runs.recall.push(await askChild<'recall'>({ kind: 'recall', store, questions }))
  runs.load.push(await askChild<'load'>({ kind: 'load', store }))
  runs.append.push(await askChild<'append'>({ kind: 'append', store, appends, atOnce: [1, 8, 64] }))
}

async function withSchema<Result>(address: string, work: (place: string) => Promise<Result>): Promise<Result> {
  const place = inSchema(address, schema)
  await dropStore(place)
  try {
    return await work(place)
  } finally {
    await dropStore(place)
  }
}

function none(): Growing {
  return { import: [], append: [], load: [], recall: [] }
}
