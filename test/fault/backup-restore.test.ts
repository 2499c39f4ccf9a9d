import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import type { RestoreArguments, RestoreLine } from './children/restore-child.ts'
import { buildShim, type Shim, shimMissing } from './shim/build.ts'
import { type Fault, operations } from './shim/control.ts'
import { Child } from './support/child.ts'
import { type Folder, temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { scaled, summarise } from './support/scale.ts'

const missing = shimMissing()
if (missing !== undefined) console.log(`faults: deaths within a backup and a restore are skipped: ${missing}`)

/** Every operation on the files that are made, with renames and links. */
const all = Object.values(operations).reduce((bits, one) => bits | one, 0)

/** A count that no backup here has. */
const never = 1_000_000

interface Stage {
  readonly folder: Folder
  readonly shim: Shim
  readonly store: string
  readonly backup: string
  /** Words that were forgotten after the backup, and are in it. */
  readonly forgotten: string
}

/** Makes a store, its backup, and a later erasure; a copy of the folder is the beginning of each attempt. */
async function staged(folder: Folder): Promise<Stage> {
  const shim = buildShim(folder)
  const forgotten = canaryText(400)
  const store = join(folder.path, 'stage', 'store.db')
  const backup = join(folder.path, 'kept', 'backup.db')
  await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  const say = (session: string, content: string) => ada.append(session, { role: 'user', content })
  await say('monday', 'kept')
  await say('tuesday', forgotten)
  for (let at = 0; at < 20; at += 1) await say('long', canaryText(2_000))
  await memory.backup(backup)
  await say('monday', 'later')
  await ada.sessions.delete('tuesday')
  await memory.close()
  cpSync(join(folder.path, 'stage'), join(folder.path, 'begin'), { recursive: true })
  return { folder, shim, store, backup, forgotten }
}

async function attempt({ folder, shim, store, backup }: Stage, does: RestoreArguments['does'], fault: Fault) {
  if (does === 'restore') {
    rmSync(join(folder.path, 'stage'), { recursive: true })
    cpSync(join(folder.path, 'begin'), join(folder.path, 'stage'), { recursive: true })
  }
  const made = does === 'restore' ? store : backup
  // A backup writes the same by either engine, and is sooner at it inline: half of them, where it dies, go there.
  const engine = fault.failAt % 2 === 0 ? 'threads' : 'inline'
  const args: RestoreArguments = { does, store, backup, engine, control: shim.control, fault }
  const child = new Child<RestoreLine>('restore-child.ts', args, { environment: shim.environment(made) })
  const { signal, stderr } = await child.ended
  return { signal, stderr, ended: child.lines[0] }
}

async function wordsOf(store: string): Promise<readonly string[]> {
  await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual', embeddingModel: false, isolation: 'silent' })
  return (await memory.for('ada').messages('monday')).map(({ content }) => content)
}

/** Some of the operations, and each of the last: there the names change. */
function places(count: number, step: number): number[] {
  const last = 8
  const some = Array.from({ length: Math.ceil(count / step) }, (_, at) => 1 + at * step).filter((n) => n <= count - last)
  return [...some, ...Array.from({ length: Math.min(last, count) }, (_, at) => count - Math.min(last, count) + 1 + at)]
}

describe.skipIf(missing !== undefined)('a process that dies within a restore', () => {
  it('leaves the old store or the new one, whole, and the next restore stands', { timeout: scaled(180_000, 1_800_000) }, async () => {
    using folder = temporaryFolder()
    const stage = await staged(folder)
    const { store, forgotten } = stage
    const count = (await attempt(stage, 'restore', { failAt: never, kind: 'kill', only: all })).ended?.operations ?? 0
    expect(count).toBeGreaterThan(20)
    expect(await wordsOf(store)).toEqual(['kept'])
    const seen = new Set<string>()
    for (const n of places(count, scaled(113, 1))) {
      const { signal, stderr } = await attempt(stage, 'restore', { failAt: n, kind: 'kill', only: all })
      expect(signal, stderr).toBe('SIGKILL')
      expect(problemsOf(store), `${n} of ${count}`).toEqual([])
      const words = (await wordsOf(store)).join()
      seen.add(words)
      expect(['kept,later', 'kept'], `${n} of ${count}`).toContain(words)
      if (n % 7 !== 0) continue
      // What the dead process left goes with the next restore.
      const { shim, backup } = stage
      const fault: Fault = { failAt: never, kind: 'kill' }
      const args: RestoreArguments = { does: 'restore', store, backup, engine: 'inline', control: shim.control, fault }
      const child = new Child<RestoreLine>('restore-child.ts', args, { environment: shim.environment(store) })
      await child.ended
      expect(child.lines[0]?.outcome).toBe('ok')
      expect(readdirSync(join(folder.path, 'stage')).filter((name) => name.includes('restor'))).toEqual([])
      expect(tracesOf([forgotten], store)).toEqual([])
    }
    expect([...seen].toSorted()).toEqual(['kept', 'kept,later'])
    summarise(`death within a restore: ${count} operations, some of the first and each of the last 8`)
  })

  it('and a full disk leaves the old store alone, and says DISK_FULL', { timeout: scaled(120_000, 1_200_000) }, async () => {
    using folder = temporaryFolder()
    const stage = await staged(folder)
    const only = operations.write
    const count = (await attempt(stage, 'restore', { failAt: never, kind: 'enospc', only })).ended?.operations ?? 0
    for (const n of places(count, scaled(157, 3))) {
      const { ended } = await attempt(stage, 'restore', { failAt: n, kind: 'enospc', only, sticky: true })
      const words = await wordsOf(stage.store)
      // The last write is to the old store, once the new one stands.
      if (words.length === 1) continue
      expect(ended, `${n} of ${count}`).toMatchObject({ outcome: 'DISK_FULL' })
      expect(words).toEqual(['kept', 'later'])
      expect(readdirSync(join(folder.path, 'stage')).filter((name) => name.includes('restor'))).toEqual([])
    }
  })
})

describe.skipIf(missing !== undefined)('a process that dies within a backup', () => {
  it('leaves the last backup as it was; a full disk leaves nothing else', { timeout: scaled(180_000, 1_800_000) }, async () => {
    using folder = temporaryFolder()
    const stage = await staged(folder)
    const { backup } = stage
    const kept = join(folder.path, 'kept')
    const count = (await attempt(stage, 'backup', { failAt: never, kind: 'kill', only: all })).ended?.operations ?? 0
    expect(count).toBeGreaterThan(20)
    for (const n of places(count, scaled(97, 1))) {
      rmSync(kept, { recursive: true })
      mkdirSync(kept)
      cpSync(stage.store, backup)
      const before = readFileSync(backup)
      const { signal, ended } = await attempt(stage, 'backup', { failAt: n, kind: 'kill', only: all })
      if (signal !== 'SIGKILL') {
        expect(ended).toMatchObject({ outcome: 'ok', fired: false })
        continue
      }
      expect(readFileSync(backup).equals(before) || problemsOf(backup).length === 0, `${n} of ${count}`).toBe(true)
      // Only the failed disk: the process lives, and clears up.
      const full = await attempt(stage, 'backup', { failAt: n, kind: 'enospc', only: operations.write, sticky: true })
      if (full.ended?.fired !== true) continue
      expect(full.ended, `${n} of ${count}`).toMatchObject({ outcome: 'DISK_FULL' })
      expect(readdirSync(kept).filter((name) => !name.includes('.part-'))).toEqual(['backup.db'])
    }
    expect(await wordsOf(stage.store)).toEqual(['kept', 'later'])
  })
})
