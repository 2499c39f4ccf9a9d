import { writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import { hasPostgres, postgresUrl, storeIn } from '../fixtures/postgres/server.ts'
import type { AppendArguments, Appended, AppendLine } from './children/append-child.ts'
import type { RaceArguments, RaceLine } from './children/race-child.ts'
import { Child } from './support/child.ts'
import { type Folder, temporaryFolder } from './support/folder.ts'
import { counted, scaled, summarise } from './support/scale.ts'
import { keyOf, textOf } from './support/text.ts'

const names = ['ada', 'bob', 'cleo', 'dan'] as const
const appends = scaled(30, 1_000)
const rounds = scaled(30, 1_000)
const users = 3

/** An append beside forgets takes less, even on a busy machine. A partition that is stuck takes the store's time-out. */
const mostMs = 20_000

function folderOfTest(): Folder {
  const folder = temporaryFolder()
  onTestFinished(() => folder[Symbol.dispose]())
  return folder
}

const now = (): number => Number(process.hrtime.bigint())

describe.skipIf(!hasPostgres)('four processes that write one session on PostgreSQL', () => {
  it('leave no gap and no double in its order', { timeout: scaled(120_000, 1_200_000) }, async () => {
    const folder = folderOfTest()
    const store = storeIn(await postgresUrl())
    const start = folder.file('start')
    const children = names.map((name) => new Child<RaceLine>('race-child.ts', { store, name, appends, start } satisfies RaceArguments))
    for (const child of children) expect(await child.line(({ type }) => type === 'opened')).toBeDefined()
    writeFileSync(start, '')
    const since = performance.now()
    const lines = await Promise.all(children.map((child) => child.line(({ type }) => type === 'done')))
    const seconds = (performance.now() - since) / 1_000
    for (const child of children) expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    const done = lines.flatMap((line) => (line?.type === 'done' ? [line] : []))

    await using memory = await openMemory({ store, upkeep: 'manual' })
    const messages = await memory.for('ada').messages('shared', { limit: 10_000 })
    const changes = done.map(({ seqs }) => seqs.filter((seq, at) => at > 0 && seq !== (seqs[at - 1] ?? 0) + 1).length)
    summarise(
      `PostgreSQL, 4 writers: ${counted(messages.length)} messages of ${counted(4 * appends)}, seq ${messages[0]?.seq} to ` +
        `${messages.at(-1)?.seq}, ${changes.join(' + ')} changes of turn, ${seconds.toFixed(1)} s`,
    )
    expect(done.flatMap(({ errors }) => errors)).toEqual([])
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 4 * appends }, (_, at) => at + 1))
    expect(done.flatMap(({ seqs }) => seqs).toSorted((a, b) => a - b)).toEqual(messages.map(({ seq }) => seq))
    for (const [at, name] of names.entries())
      expect(done[at]?.seqs.map((seq) => messages[seq - 1]?.content)).toEqual(
        Array.from({ length: appends }, (_, place) => textOf(`${name}-${place}`)),
      )
    expect(changes.every((count) => count > 0)).toBe(true)
  })

  it('go on beside a fifth that forgets, and nothing forgotten comes back', { timeout: scaled(180_000, 3_600_000) }, async () => {
    const folder = folderOfTest()
    const store = storeIn(await postgresUrl())
    const stop = folder.file('stop')
    const children = names.map((name) => new Child<AppendLine>('append-child.ts', { store, name, users, stop } satisfies AppendArguments))
    onTestFinished(() => children.forEach((child) => child.kill()))
    await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
    for (const child of children) expect(await child.line(({ type }) => type === 'opened')).toBeDefined()
    const forgets: Forget[] = []
    for (let round = 0; round < rounds; round += 1) forgets.push(await forget(memory, round))
    writeFileSync(stop, '')
    const lines = await Promise.all(children.map((child) => child.line(({ type }) => type === 'done')))
    for (const child of children) expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    const done = lines.flatMap((line) => (line?.type === 'done' ? [line] : []))
    const appended = new Map(done.flatMap((line) => line.appended).map((one) => [one.key, one]))
    const left = new Map<number, string[]>()
    for (let user = 0; user < users; user += 1) left.set(user, await keysOf(memory, user))

    const longestMs = Math.max(...done.map((line) => line.longestMs), ...forgets.map(({ begun, ended }) => (ended - begun) / 1e6))
    summarise(
      `PostgreSQL, ${counted(rounds)} forgets beside 4 appenders: ${counted(appended.size)} appended, ` +
        `${counted([...left.values()].flat().length)} left, the longest call ${longestMs.toFixed(0)} ms, ` +
        `${done.flatMap(({ errors }) => errors).length} errors`,
    )
    expect(done.flatMap(({ errors }) => errors)).toEqual([])
    expect(longestMs).toBeLessThan(mostMs)
    expect(forgets.flatMap((one) => backAfter(one, one.listed, appended))).toEqual([])
    expect(forgets.flatMap(({ recalled }) => recalled)).toEqual([])
    for (const one of forgets) expect(backAfter(one, left.get(one.user) ?? [], appended)).toEqual([])
    for (let user = 0; user < users; user += 1) {
      const last = Math.max(...forgets.filter((one) => one.user === user).map(({ ended }) => ended))
      const kept = [...appended.values()].filter((one) => one.user === user && one.begun > last).map(({ key }) => key)
      expect(kept.filter((key) => left.get(user)?.includes(key) !== true)).toEqual([])
      // None is stuck: it takes a message, and finds it.
      const ada = memory.for(`user-${user}`)
      await ada.append('after', { role: 'user', content: 'The cormorant has landed.' })
      expect((await ada.recall('cormorant')).hits.map(({ text }) => text)).toContain('The cormorant has landed.')
    }
  })
})

interface Forget {
  readonly user: number
  readonly begun: number
  readonly ended: number
  /** The keys that it was told to forget; undefined when it was all of the user's. */
  readonly only: ReadonlySet<string> | undefined
  /** The keys of the user's messages after it. */
  readonly listed: readonly string[]
  /** Forgotten texts that a recall still found. */
  readonly recalled: readonly string[]
}

/** Forgets a session, a user's all, or a few messages, in turns. */
async function forget(memory: Memory, round: number): Promise<Forget> {
  const user = Math.floor(round / 3) % users
  const ada = memory.for(`user-${user}`)
  const before = await ada.messages('shared', { limit: 3 }).catch(() => [])
  const few = round % 3 === 2
  const begun = now()
  if (few && before.length > 0) await ada.forget({ messages: before.map(({ id }) => id) })
  else await ada.forget(round % 3 === 0 ? { all: true } : { session: 'shared' }).catch(unlessGone)
  const ended = now()
  const listed = await keysOf(memory, user)
  const words = before.map(({ content }) => content)
  const [first] = words
  const hits = round % 5 === 0 && first !== undefined ? (await ada.recall(first)).hits : []
  return {
    ...{ user, begun, ended, listed },
    only: few ? new Set(words.flatMap((content) => keyOf(content, 2) ?? [])) : undefined,
    recalled: hits.filter(({ text }) => words.includes(text)).map(({ text }) => text),
  }
}

/** A session that was forgotten a moment ago may not be there again yet. */
function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'NOT_FOUND')) throw error
}

async function keysOf(memory: Memory, user: number): Promise<string[]> {
  const ada = memory.for(`user-${user}`)
  const sessions = await ada.sessions.list()
  if (sessions.length === 0) return []
  const messages = await ada.messages('shared', { limit: 10_000 }).catch(() => [])
  return messages.map(({ content }) => keyOf(content, 2) ?? `changed: ${content}`)
}

/** Keys that were acknowledged before a forget of them began, and are there all the same. */
function backAfter({ user, begun, only }: Forget, keys: readonly string[], appended: ReadonlyMap<string, Appended>): string[] {
  return keys.filter((key) => {
    const one = appended.get(key)
    return one === undefined || (one.user === user && one.ended < begun && only?.has(key) !== false)
  })
}
