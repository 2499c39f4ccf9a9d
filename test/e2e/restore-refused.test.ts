import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { restoreStore, type Restored } from '../../packages/varve/src/memory/restoring/restore-store.ts'
import { backups, said, say } from '../fixtures/memory/backups.ts'
import { problemsOf } from '../fault/support/inspect.ts'
import { OtherProcess } from './other-process.ts'

const { open, path } = backups()

type Asked = Partial<Parameters<typeof restoreStore>[0]>

const restore = (asked: Asked = {}): Promise<Restored> =>
  restoreStore({
    ...{ file: path('kept/backup.db'), store: path('in-use/store.db'), overwrite: true, withoutReceipts: false, environment: {} },
    ...asked,
  })

const hashOf = (file: string): string =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'a link that leads nowhere'

/** Every file of the two folders, with its content. */
const everything = (): Record<string, string> =>
  Object.fromEntries(
    ['kept', 'in-use'].flatMap((folder) =>
      readdirSync(path(folder)).map((name) => [`${folder}/${name}`, hashOf(path(`${folder}/${name}`))]),
    ),
  )

const wordsNow = async (name = 'in-use/store.db'): Promise<string[]> => {
  await using memory = await open(name)
  return said(memory, 'monday')
}

beforeEach(async () => {
  mkdirSync(path('in-use'))
  await using memory = await open('in-use/store.db')
  await say(memory, 'monday', 'kept')
  await memory.backup(path('kept/backup.db'))
  await say(memory, 'monday', 'later')
})

describe('a restore touches nothing', () => {
  const refusals: Readonly<Record<string, readonly [code: string, prepare: () => Asked | void]>> = {
    'where a store is, unless it is told to overwrite it': ['OPTION_INVALID', () => ({ overwrite: false })],
    'where there is no backup': ['OPTION_INVALID', () => ({ file: path('kept/none.db') })],
    'for an empty file': ['OPTION_INVALID', () => writeFileSync(path('kept/backup.db'), '')],
    'for a folder': ['OPTION_INVALID', () => ({ file: path('kept') })],
    'for another program’s file': ['STORE_FOREIGN', () => writeFileSync(path('kept/backup.db'), 'x'.repeat(5_000))],
    'for another program’s database': [
      'STORE_FOREIGN',
      () => {
        rmSync(path('kept/backup.db'))
        new Database(path('kept/backup.db')).exec('CREATE TABLE a (b); CREATE TABLE c (d)').close()
      },
    ],
    'for a backup that was cut short': ['STORE_DAMAGED', () => truncateSync(path('kept/backup.db'), 40_000)],
    'for a backup with a damaged page': [
      'STORE_DAMAGED',
      () => {
        const bytes = readFileSync(path('kept/backup.db'))
        for (let page = 2; page * 4096 < bytes.length; page += 1) bytes.fill(0xff, page * 4096, page * 4096 + 200)
        writeFileSync(path('kept/backup.db'), bytes)
      },
    ],
    'for a backup of a newer Varve': [
      'SCHEMA_TOO_NEW',
      () => {
        const newer = new Database(path('kept/backup.db'))
        newer.exec("INSERT INTO schema_migration VALUES (9999, 'x', 'x', 0)")
        newer.close()
      },
    ],
    'for the store itself': ['OPTION_INVALID', () => ({ file: path('in-use/store.db') })],
    'for a store with a log, which is in use': ['OPTION_INVALID', () => writeFileSync(path('kept/backup.db-wal'), 'x')],
    'where a link leads nowhere': [
      'OPTION_INVALID',
      () => {
        symlinkSync(path('in-use/nowhere.db'), path('in-use/link.db'))
        return { store: path('in-use/link.db') }
      },
    ],
    'where a log lies without its store': [
      'STORE_FOREIGN',
      () => {
        writeFileSync(path('in-use/other.db-wal'), 'x')
        return { store: path('in-use/other.db') }
      },
    ],
    'where only the old store of a killed restore lies': [
      'STORE_FOREIGN',
      () => {
        writeFileSync(path('in-use/other.db.before-restore-1'), 'x')
        return { store: path('in-use/other.db') }
      },
    ],
    'where another program’s file is': [
      'STORE_FOREIGN',
      () => {
        writeFileSync(path('in-use/letters.txt'), 'x'.repeat(500))
        return { store: path('in-use/letters.txt') }
      },
    ],
    'in memory': ['OPTION_INVALID', () => ({ store: ':memory:' })],
  }
  for (const [when, [code, prepare]] of Object.entries(refusals)) {
    test(`${when}`, async () => {
      const asked = prepare() ?? {}
      const before = everything()
      await expect(restore(asked)).rejects.toMatchObject({ code, message: expect.not.stringContaining('.restoring-') })
      expect(everything()).toEqual(before)
    })
  }

  test('while another process has the store open', async () => {
    const other = await OtherProcess.start(path('in-use/store.db'))
    await expect(restore()).rejects.toMatchObject({ code: 'STORE_BUSY', message: expect.stringContaining('exclusive lock') })
    await other.tell({ do: 'append', session: 'monday', messages: [{ role: 'user', content: 'written meanwhile' }] })
    await other.tell({ do: 'close' })
    expect(await wordsNow()).toEqual(['kept', 'later', 'written meanwhile'])
    expect(readdirSync(path('in-use')).filter((name) => name.includes('restor'))).toEqual([])
  })

  test('while this process has it open', async () => {
    await using memory = await open('in-use/store.db', { engine: 'threads' })
    await expect(restore()).rejects.toMatchObject({ code: 'STORE_BUSY' })
    await say(memory, 'monday', 'written after')
    expect(await said(memory, 'monday')).toEqual(['kept', 'later', 'written after'])
  })

  test('of another store, though told to overwrite', async () => {
    await using other = await open('in-use/other.db')
    await say(other, 'monday', 'of somebody else')
    await other.close()
    await expect(restore({ store: path('in-use/other.db') })).rejects.toMatchObject({
      ...{ code: 'OPTION_INVALID', message: expect.stringContaining('another store') },
    })
    expect(await wordsNow('in-use/other.db')).toEqual(['of somebody else'])
  })
})

describe('a restore stands', () => {
  test('under odd names, in a folder that is not there yet', async () => {
    for (const name of ["it's 100% “odd” ?mode=ro#x.db", 'file:name.db', '-rf', '💾.db']) {
      copyFileSync(path('kept/backup.db'), path(`kept/${name}`))
      const { store } = await restore({ file: path(`kept/${name}`), store: path(`new/${name}`) })
      expect(problemsOf(store)).toEqual([])
    }
    expect(readdirSync(path('new'))).toHaveLength(4)
  })

  test('behind a link to the store, which stays a link', async () => {
    symlinkSync(path('in-use/store.db'), path('link.db'))
    expect(await restore({ store: path('link.db') })).toMatchObject({ store: realpathSync(path('in-use/store.db')), replaced: true })
    expect(await wordsNow('link.db')).toEqual(['kept'])
    expect(await wordsNow()).toEqual(['kept'])
  })

  test('of an older schema, migrated', async () => {
    for (const version of [1, 5, 10]) {
      copyFileSync(new URL(`../fixtures/stores/schema-${version}.db`, import.meta.url), path(`kept/${version}.db`))
      const before = hashOf(path(`kept/${version}.db`))
      await restore({ file: path(`kept/${version}.db`), store: path(`old/${version}.db`) })
      expect(hashOf(path(`kept/${version}.db`))).toBe(before)
      expect(readdirSync(path('old')).filter((name) => name.startsWith(String(version)))).toEqual([`${version}.db`])
      await using memory = await open(`old/${version}.db`)
      expect((await memory.doctor()).checks.find(({ name }) => name === 'schema')).toMatchObject({ ok: true })
    }
  })

  test('in the place of a damaged store only with receipts, or when told to do without', async () => {
    const bytes = readFileSync(path('in-use/store.db'))
    for (let page = 1; page * 4096 < bytes.length; page += 1) bytes.fill(0xff, page * 4096, page * 4096 + 200)
    writeFileSync(path('in-use/store.db'), bytes)
    // A log that nobody may read into the new store.
    writeFileSync(path('in-use/store.db-wal'), 'x'.repeat(100))
    await expect(restore()).rejects.toMatchObject({ code: 'OPTION_INVALID', option: 'receipts' })
    expect(readFileSync(path('in-use/store.db')).equals(bytes)).toBe(true)
    expect(await restore({ withoutReceipts: true })).toMatchObject({ unread: expect.stringContaining('damaged'), replaced: true })
    expect(await wordsNow()).toEqual(['kept'])
    expect(existsSync(`${dirname(path('in-use/store.db'))}/store.db-wal`)).toBe(false)
  })

  test('and the old store, with what came after the backup, is gone with all that was beside it', async () => {
    const seen: string[] = []
    await restore({ onAside: (aside) => seen.push(aside) })
    expect(seen).toHaveLength(1)
    expect(readdirSync(path('in-use'))).toEqual(['store.db'])
    expect(await wordsNow()).toEqual(['kept'])
  })
})
