import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test, vi } from 'vitest'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { backups, said, say } from '../fixtures/memory/backups.ts'
import { problemsOf } from '../fault/support/inspect.ts'

const { open, path } = backups()

const filesBeside = (file: string): string[] => readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)))

describe('a backup', () => {
  test('is one whole file, private to its owner, that opens as the store was', async () => {
    await using memory = await open('store.db', { engine: 'threads' })
    await say(memory, 'monday', 'the ferry leaves at nine', 'the pier is green')
    await say(memory, 'tuesday', 'rain')
    const receipt = await memory.for('ada').sessions.delete('tuesday')
    const told = await memory.backup(path('kept/of the/backup.db'))
    const { file } = told
    expect(told).toEqual({
      ...{ file: path('kept/of the/backup.db'), bytes: statSync(file).size, messages: 2, receipts: 1 },
      ...{ at: expect.any(Number), lastReceipt: receipt.id, ms: expect.any(Number) },
    })
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700])
    expect(filesBeside(file)).toEqual(['backup.db'])
    expect(problemsOf(file)).toEqual([])
    // A change after the backup is not in it.
    await say(memory, 'monday', 'a later word')
    await using copy = await open('kept/of the/backup.db')
    expect(await said(copy, 'monday')).toEqual(['the ferry leaves at nine', 'the pier is green'])
    expect((await copy.receipts.list()).map(({ id }) => id)).toEqual([receipt.id])
  })

  test('is made of a store in memory too', async () => {
    await using memory = await open('memory:', { store: 'memory:' })
    await say(memory, 'monday', 'the ferry leaves at nine')
    expect(await memory.backup(path('backup.db'))).toMatchObject({ messages: 1, receipts: 0 })
    expect(filesBeside(path('backup.db'))).toEqual(['backup.db'])
    await using copy = await open('backup.db')
    expect(await said(copy, 'monday')).toEqual(['the ferry leaves at nine'])
  })

  test('has an odd name, if it was asked for one', async () => {
    await using memory = await open('store.db')
    await say(memory, 'monday', 'x')
    for (const name of ["it's 100% “odd” ?mode=ro#x.db", 'file:name.db', 'new\nline.db', '-rf', '💾.db']) {
      const { file } = await memory.backup(path(name))
      expect(filesBeside(file)).toEqual([name])
      expect(problemsOf(file)).toEqual([])
    }
  })

  test('has no byte of what was erased before it, also where the store still has', async () => {
    await using memory = await open('store.db')
    const [gone, kept] = [Array.from({ length: 30 }, () => canaryText(400)), Array.from({ length: 30 }, () => canaryText(400))]
    for (const [at, words] of gone.entries()) await say(memory, at % 2 === 0 ? 'monday' : 'tuesday', words, kept[at] ?? '')
    const ids = (await memory.for('ada').timeline({ limit: 100 })).filter(({ content }) => gone.includes(content)).map(({ id }) => id)
    // A reader holds the log: the erased words stay in the store's bytes.
    const reader = new Database(path('store.db'), { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM message').get()
    const receipt = await memory.for('ada').forget({ messages: ids })
    expect(receipt).toMatchObject({ logical: 'done', physical: 'pending' })
    expect(tracesOf(gone, path('store.db'))).not.toEqual([])
    mkdirSync(path('apart'))
    await memory.backup(path('apart/backup.db'))
    reader.close()
    expect(tracesOf(gone, path('apart/backup.db'))).toEqual([])
    expect(tracesOf(kept, path('apart/backup.db'))).not.toEqual([])
  })
})

describe('the target of a backup', () => {
  test('is not overwritten, unless that was asked for', async () => {
    await using memory = await open('store.db')
    await say(memory, 'monday', 'x')
    writeFileSync(path('there.db'), 'something else')
    await expect(memory.backup(path('there.db'))).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'path' })
    expect(readFileSync(path('there.db'), 'utf8')).toBe('something else')
    chmodSync(path('there.db'), 0o666)
    await memory.backup(path('there.db'), { overwrite: true })
    expect(problemsOf(path('there.db'))).toEqual([])
    expect(statSync(path('there.db')).mode & 0o777).toBe(0o600)
    expect(filesBeside(path('there.db'))).toEqual(['there.db'])
  })

  test('is no link, no folder and no file of the store itself, whatever was asked for', async () => {
    await using memory = await open('store.db')
    await say(memory, 'monday', 'x')
    writeFileSync(path('precious'), 'of somebody')
    symlinkSync(path('precious'), path('link.db'))
    symlinkSync(path('nowhere'), path('dangling.db'))
    linkSync(path('store.db'), path('same.db'))
    mkdirSync(path('folder.db'))
    const targets = ['link.db', 'dangling.db', 'same.db', 'folder.db', 'store.db', 'store.db-wal', 'store.db-journal', 'store.db-reserve']
    for (const target of targets)
      await expect(memory.backup(path(target), { overwrite: true }), target).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    for (const wrong of ['', ' ', ':memory:', 'a\0b']) await expect(memory.backup(wrong)).rejects.toMatchObject({ code: 'OPTION_INVALID' })
    expect(readFileSync(path('precious'), 'utf8')).toBe('of somebody')
    expect(existsSync(path('nowhere'))).toBe(false)
    expect(await said(memory, 'monday')).toEqual(['x'])
    await expect(memory.backup(path('precious/backup.db'))).rejects.toMatchObject({ code: 'STORE_FAILED' })
  })

  test('is never there by half: a backup that was stopped leaves nothing', async () => {
    await using memory = await open('store.db', { engine: 'threads' })
    await memory.for('ada').append(
      'long',
      Array.from({ length: 3_000 }, (_, at) => ({ role: 'user' as const, content: `line ${at} ${canaryText(2_000)}` })),
    )
    writeFileSync(path('old.db'), 'the last backup')
    for (const when of ['at once', 'while pages are copied', 'while rows are written']) {
      const stop = new AbortController()
      const backup = memory.backup(path('old.db'), { overwrite: true, signal: stop.signal }).catch((error: unknown) => error)
      const begun = (name: string) => filesBeside(path('old.db')).some((one) => one.endsWith(name) && statSync(path(one)).size > 0)
      if (when === 'while pages are copied') await vi.waitUntil(() => begun('-pages'), { interval: 1, timeout: 20_000 })
      if (when === 'while rows are written')
        await vi.waitUntil(() => filesBeside(path('old.db')).some((one) => /part-[\da-f-]{36}$/.test(one)), {
          interval: 1,
          timeout: 20_000,
        })
      stop.abort()
      expect(await backup, when).toMatchObject({ code: 'CANCELLED' })
      await vi.waitUntil(() => filesBeside(path('old.db')).length === 1, { timeout: 20_000 })
      expect(readFileSync(path('old.db'), 'utf8')).toBe('the last backup')
    }
  })
})
