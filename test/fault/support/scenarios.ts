import Database from 'better-sqlite3'
import { uuidv7 } from '../../../packages/varve/src/ids/uuid.ts'
import type { Memory } from '../../../packages/varve/src/memory/memory.ts'
import { uuidBytes } from '../../../packages/varve/src/storage/uuid-bytes.ts'
import type { UserMemory } from '../../../packages/varve/src/memory/user-memory.ts'
import type { Kind } from '../shim/control.ts'
import { textOf } from './text.ts'

export const session = 'session'

/** A piece of work while operations fail, in steps: after k steps, the session holds exactly `states[k]`. */
export interface Scenario {
  readonly states: readonly (readonly string[])[]
  /** The texts that no answer and no file may have once their step was acknowledged and upkeep has run. */
  readonly erased: readonly string[]
  prepare(): Promise<void>
  readonly steps: readonly (() => Promise<unknown>)[]
}

export const scenarioNames = ['append', 'replace', 'forget', 'delete', 'checkpoint', 'rewrite', 'context', 'embed'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** A scenario and its failures. */
export interface Run {
  readonly scenario: ScenarioName
  readonly kind: Kind
  readonly sticky: boolean
  /** The first operation that fails, and the distance to the next one. */
  readonly first: number
  readonly step: number
}

export function userOf({ scenario, kind, sticky }: Run, n: number): string {
  return `${scenario}-${kind}${sticky ? '-on' : ''}-${n}`
}

/** The words of a message with more passages than one claim takes: its vectors come with two commits. */
const wordsOfTwoClaims = 600

/** More frames than a log holds before the writer's next commit moves it into the database. */
const paddingFrames = 4_200

interface Place {
  readonly memory: Memory
  readonly store: string
  /** A user of its own for each trial. */
  readonly user: string
}

/**
 * Returns the messages of a scenario's session after each step, and the erased ones. They follow from the user's name
 * alone, so the next process knows them too.
 */
export function expectations(name: ScenarioName, user: string): Pick<Scenario, 'states' | 'erased'> {
  const text = (what: string, length?: number): string => textOf(`${user}/${what}`, length)
  const [one, two, three] = [text('one'), text('two'), text('three')]
  const more = [text('four'), text('five'), text('six')]
  const start = [one, two, three]
  switch (name) {
    case 'append':
      return { states: [start, [...start, ...more], [...start, ...more, text('seven')]], erased: [] }
    case 'replace':
      return { states: [start, [one, text('new'), three]], erased: [two] }
    case 'forget':
      return { states: [start, [one, three]], erased: [two] }
    case 'delete':
      return { states: [start, []], erased: start }
    case 'checkpoint':
      return { states: [start, [...start, text('four')], [...start, text('four'), text('five')]], erased: [] }
    case 'rewrite':
      return { states: [start, start], erased: [] }
    case 'context':
      return { states: [start, start, [...start, text('four')]], erased: [] }
    case 'embed': {
      const long = [one, text('long', wordsOfTwoClaims), three]
      return { states: [long, long, [...long, ...more], [...long, ...more]], erased: [] }
    }
  }
}

export function scenarioOf(name: ScenarioName, { memory, store, user }: Place): Scenario {
  const ada = memory.for({ project: 'faults', user })
  const expected = expectations(name, user)
  const append = (contents: readonly string[]) =>
    ada.append(
      session,
      contents.map((content) => ({ role: 'user' as const, content })),
    )
  const grow = (from: number) => () => append((expected.states[from + 1] ?? []).slice(expected.states[from]?.length))
  const start = async (): Promise<void> => void (await append(expected.states[0] ?? []))
  const embed = () => memory.upkeep.run({ kinds: ['embeddings'] })
  const startWithVectors = async (): Promise<void> => {
    await start()
    await embed()
  }
  const second = async (): Promise<string> => (await ada.messages(session))[1]?.id ?? ''
  let id = ''
  const startAndFind = async (): Promise<void> => {
    await startWithVectors()
    id = await second()
  }
  switch (name) {
    case 'append':
      return { ...expected, prepare: start, steps: [grow(0), grow(1)] }
    case 'replace':
      return { ...expected, prepare: startAndFind, steps: [() => ada.replace(id, expected.states[1]?.[1] ?? '')] }
    case 'forget':
      return { ...expected, prepare: startAndFind, steps: [() => ada.forget({ messages: [id] })] }
    case 'delete':
      return { ...expected, prepare: startWithVectors, steps: [() => ada.sessions.delete(session)] }
    case 'checkpoint':
      return { ...expected, prepare: () => start().then(() => padLog(store)), steps: [grow(0), grow(1)] }
    case 'rewrite':
      return { ...expected, prepare: () => startWithVectors().then(() => leaveErasure(store)), steps: [() => memory.upkeep.run()] }
    case 'context':
      return { ...expected, prepare: start, steps: [() => shown(ada), grow(1)] }
    case 'embed':
      return { ...expected, prepare: start, steps: [embed, grow(1), embed] }
  }
}

/** Makes the log long very quickly: many commits of one page, without an fsync. */
function padLog(store: string): void {
  const connection = new Database(store)
  connection.pragma('synchronous = OFF')
  connection.pragma('wal_autocheckpoint = 0')
  const pad = connection.prepare("INSERT INTO meta (key, value) VALUES ('padding', ?) ON CONFLICT DO UPDATE SET value = excluded.value")
  for (let frame = 0; frame < paddingFrames; frame += 1) pad.run(String(frame))
  connection.close()
}

/** Leaves an erasure whose words are lost, as a crash does: only rewriting the file finishes it. */
function leaveErasure(store: string): void {
  const connection = new Database(store)
  connection.pragma('synchronous = FULL')
  connection
    .prepare(
      `INSERT INTO receipt (uuid, counts, physical, created_at, attempts, lease_until) VALUES (?, '{"message":1}', 'pending', 1, 0, 0)`,
    )
    .run(uuidBytes(uuidv7()))
  connection.close()
}

/** Shows a context. A context is never refused: when it cannot be stored, it degrades. */
async function shown(ada: UserMemory): Promise<void> {
  await ada.context({ session, query: 'kiosk pricing at the harbour' })
}
