import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DiskFull } from '../../packages/varve/src/errors/disk-full.ts'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { summarise } from './support/scale.ts'
import { textOf } from './support/text.ts'

/** Every Linux has both commands; where they may not be used, the test is skipped. */
const commands = { mount: 'mount', umount: 'umount' }
const diskBytes = 4 * 1024 * 1024
const ballastBytes = 1024 * 1024
/** Words in a message, about 30 KB. */
const words = 2_500

describe('a full disk', () => {
  // requirement: P1.7
  it('is said clearly; earlier data is readable; it works again when there is space', async (context) => {
    using folder = temporaryFolder()
    using disk = smallDisk(folder.file('disk'))
    if (disk.refused !== undefined) {
      console.log(`faults: the small disk is skipped (io-errors.test.ts fails writes with ENOSPC instead): ${disk.refused}`)
      context.skip(disk.refused)
    }
    const ballast = join(disk.path, 'ballast')
    writeFileSync(ballast, Buffer.alloc(ballastBytes))
    const store = join(disk.path, 'store.db')
    await using memory = await openMemory({ store, upkeep: 'manual', logger: { warn: () => {} } })
    const ada = memory.for('ada')
    const kept: string[] = []
    const tell = async (key: string): Promise<void> => {
      await ada.append('session', { role: 'user', content: textOf(key, words) })
      kept.push(textOf(key, words))
    }
    const read = async (): Promise<string[]> => (await ada.messages('session', { limit: 10_000 })).map(({ content }) => content)
    const fill = async (round: string): Promise<unknown> => {
      for (let at = 0; at < 1_000; at += 1) {
        const failed = await tell(`${round}-${at}`).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (failed !== undefined) return failed
      }
      return undefined
    }

    const first = await fill('first')
    expect(first).toBeInstanceOf(DiskFull)
    expect(first).toMatchObject({ isRetryable: true, message: expect.stringContaining(store) })
    expect(await read()).toEqual(kept)
    expect((await ada.recall(kept[1]?.slice(0, 60) ?? '', { limit: 1 })).hits[0]?.text).toBe(kept[1])
    const whileFull = kept.length

    rmSync(ballast)
    await tell('after')
    expect(await read()).toEqual(kept)

    expect(await fill('second')).toBeInstanceOf(DiskFull)
    expect(await read()).toEqual(kept)
    await memory.close()
    expect(problemsOf(store)).toEqual([])
    summarise(
      `full disk: DISK_FULL after ${whileFull} messages, all readable; ${kept.length - whileFull} more after space was made, ` +
        'and full again',
    )
  })
})

interface Disk extends Disposable {
  readonly path: string
  /** The reason why there is no disk. */
  readonly refused?: string
}

/** Makes a file system of a few megabytes, in memory; needs root. */
function smallDisk(path: string): Disk {
  mkdirSync(path)
  if (process.platform !== 'linux') return { path, refused: 'a small disk is made with tmpfs, on Linux', [Symbol.dispose]: () => {} }
  const mounted = spawnSync(commands.mount, ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', path], { encoding: 'utf8' })
  if (mounted.status !== 0)
    return { path, refused: `mount: ${(mounted.stderr || String(mounted.error)).trim()}`, [Symbol.dispose]: () => {} }
  return { path, [Symbol.dispose]: () => void spawnSync(commands.umount, ['-l', path]) }
}
