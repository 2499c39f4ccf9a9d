import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DiskFull } from '../../packages/varve/src/errors/disk-full.ts'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { summarise } from './support/scale.ts'
import { smallDisk } from './support/small-disk.ts'
import { textOf } from './support/text.ts'

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

describe('a forget on a full disk', () => {
  // requirement: P3.18
  it('withdraws at once, also after a restart, and erases the bytes once there is space', async (context) => {
    using folder = temporaryFolder()
    using disk = smallDisk(folder.file('disk'))
    if (disk.refused !== undefined) context.skip(disk.refused)
    const store = join(disk.path, 'store.db')
    const open = () => openMemory({ store, upkeep: 'manual', embeddingModel: false, logger: { warn: () => {} } })
    const sessions = ['one', 'two', 'three', 'four', 'five']
    const said: string[][] = sessions.map(() => [])
    let memory = await open()
    let ada = memory.for('ada')
    for (let at = 0, isFull = false; !isFull; at += 1) {
      const place = at % sessions.length
      const content = `${canaryText(300)} ${textOf(`full-${at}`, words)}`
      isFull = await ada.append(sessions[place] ?? '', { role: 'user', content }).then(
        () => !said[place]?.push(content),
        (error: unknown) => error instanceof DiskFull,
      )
    }
    // A reserve that is too small for the log: the words go at once, their bytes cannot.
    truncateSync(`${store}-reserve`, 900 * 1024)
    takeAll(disk.path)
    await expect(ada.append('six', { role: 'user', content: textOf('six', words) })).rejects.toThrow(DiskFull)

    const [first] = await ada.messages('one', { limit: 10_000 })
    const receipts = [
      await ada.forget({ messages: [first?.id ?? ''] }),
      await ada.forget({ session: 'two' }),
      await ada.sessions.delete('three'),
    ]
    expect(receipts.map(({ logical, physical }) => [logical, physical])).toEqual(receipts.map(() => ['done', 'pending']))
    expect(receipts.map(({ counts }) => counts['message'])).toEqual([1, said[1]?.length, said[2]?.length])
    expect(receipts.every(({ reason }) => reason?.includes('no space is left'))).toBe(true)
    // What is left for a further forget is kept from other writers, even when these fill the disk.
    takeAll(disk.path)
    const left = async () =>
      Promise.all(sessions.map(async (session) => (await ada.messages(session, { limit: 10_000 })).map(({ content }) => content)))
    const expected = [said[0]?.slice(1), [], [], said[3], said[4]]
    expect(await left()).toEqual(expected)
    const gone = [...(said[0]?.slice(0, 1) ?? []), ...(said[1] ?? []), ...(said[2] ?? [])].map((content) => content.slice(0, 300))
    expect((await ada.recall(gone[0] ?? '', { limit: 5 })).hits.every(({ text }) => !text.startsWith(gone[0] ?? ''))).toBe(true)
    await memory.close()

    memory = await open()
    ada = memory.for('ada')
    expect(await left()).toEqual(expected)
    expect(await ada.forget({ session: 'four' })).toMatchObject({ logical: 'done', physical: 'pending' })
    expected[3] = []
    expect(await left()).toEqual(expected)

    disk.grow(8)
    await memory.upkeep.run()
    expect((await memory.receipts.list()).map(({ physical }) => physical)).toEqual(Array.from({ length: 4 }, () => 'done'))
    expect(tracesOf([...gone, ...(said[3] ?? []).map((content) => content.slice(0, 300))], store)).toEqual([])
    expect(await left()).toEqual(expected)
    await ada.append('six', { role: 'user', content: textOf('six', words) })
    await memory.close()
    expect(problemsOf(store)).toEqual([])
    summarise(`full disk: 4 forgets of ${said[1]?.length ?? 0} messages and fewer went through`)
  })
})

/** Fills a disk to its last page, as another program might. */
function takeAll(path: string): void {
  for (let at = 0; ; at += 1) {
    try {
      writeFileSync(join(path, `taken-${at}-${readdirSync(path).length}`), Buffer.alloc(4_096, 1))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}
