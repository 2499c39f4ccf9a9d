import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Memory, openMemory } from '../../packages/varve/src/memory/memory.ts'
import type { PageArguments, PageLine } from './children/page-child.ts'
import { Child } from './support/child.ts'
import { seeded } from './support/disk.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { counted, scaled, summarise } from './support/scale.ts'

const kills = scaled(3, 200)
const longestLoadMs = 1_500
const pastTheLeaseMs = 600_000
const edits = scaled(25, 150)

async function begun(store: string): Promise<void> {
  await using memory = await openMemory({ store, upkeep: 'manual' })
  await memory.for('ada').append('talk', { role: 'user', content: 'We keep the ledger of the harbour.' })
}

/** Returns the acknowledged lines that do not stand on the page exactly once. */
function missing(content: string | undefined, lines: readonly PageLine[], type: 'edited' | 'noted'): string[] {
  const standing = content?.split('\n') ?? []
  return lines.flatMap((one) => (one.type === type && standing.filter((line) => line === one.line).length !== 1 ? [one.line] : []))
}

async function lost(memory: Memory, lines: readonly PageLine[]): Promise<string[]> {
  const ada = memory.for('ada')
  const [document, notes] = [await ada.documents.read('ledger'), await ada.notes.get('talk')]
  const upTo = Math.max(0, ...lines.map((line) => (line.type === 'updated' ? line.upTo : 0)))
  return [
    ...missing(document?.content, lines, 'edited'),
    ...missing(notes?.content, lines, 'noted'),
    ...((notes?.upTo ?? 0) < upTo ? [`notes up to ${upTo}`] : []),
  ]
}

it(
  'an edit of a document or of notes, and an update of notes, that was acknowledged survives kill -9',
  { timeout: scaled(180_000, 7_200_000) },
  async () => {
    using folder = temporaryFolder()
    const [store, start] = [folder.file('store.db'), folder.file('start')]
    await begun(store)
    writeFileSync(start, '')
    const random = seeded(7)
    const acknowledged: PageLine[] = []
    for (let run = 0; run < kills; run += 1) {
      const child = new Child<PageLine>('page-child.ts', {
        store,
        start,
        name: `run${run}`,
        edits: 100_000,
        aheadMs: run * pastTheLeaseMs,
      } satisfies PageArguments)
      await child.line(({ type }) => type === 'edited')
      await sleep(random() * longestLoadMs)
      child.kill()
      expect((await child.ended).signal).toBe('SIGKILL')
      acknowledged.push(...child.lines)
      await using memory = await openMemory({ store, upkeep: 'manual', clock: { now: () => Date.now() + run * pastTheLeaseMs } })
      expect(await lost(memory, acknowledged)).toEqual([])
    }
    expect(problemsOf(store)).toEqual([])
    summarise(`pages: ${kills} kills, ${counted(acknowledged.length)} acknowledged, none lost`)
  },
)

it(
  'two processes that edit one document and the same notes lose nothing of each other’s',
  { timeout: scaled(180_000, 1_800_000) },
  async () => {
    using folder = temporaryFolder()
    const [store, start] = [folder.file('store.db'), folder.file('start')]
    await begun(store)
    const children = ['left', 'right'].map(
      (name) => new Child<PageLine>('page-child.ts', { store, start, name, edits, aheadMs: 0 } satisfies PageArguments),
    )
    for (const child of children) expect(await child.line(({ type }) => type === 'opened')).toBeDefined()
    writeFileSync(start, '')
    for (const child of children) expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    const lines = children.flatMap((child) => child.lines)
    const done = lines.flatMap((line) => (line.type === 'done' ? [line] : []))
    expect(done.flatMap(({ errors }) => errors)).toEqual([])
    await using memory = await openMemory({ store, upkeep: 'manual' })
    expect(await lost(memory, lines)).toEqual([])
    expect((await memory.for('ada').documents.read('ledger'))?.content.trim().split('\n')).toHaveLength(2 * edits)
    const stale = done.reduce((sum, one) => sum + one.stale, 0)
    expect(stale).toBeGreaterThan(0)
    expect(problemsOf(store)).toEqual([])
    summarise(`pages: two processes, ${counted(4 * edits)} edits, ${stale} refused as stale and done anew`)
  },
)
