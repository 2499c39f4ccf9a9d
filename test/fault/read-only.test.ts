import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { schemaVersion } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import type { PermissionArguments, PermissionLine } from './children/permission-child.ts'
import { Child } from './support/child.ts'
import { fixtureFile } from './support/fixture.ts'
import { copyPrivately, fingerprint, type Folder, temporaryFolder } from './support/folder.ts'
import { summarise } from './support/scale.ts'

/** Root may write everything, so the child runs as another user: by custom, "nobody" on Linux. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const skipped = process.platform === 'win32' ? 'Windows has no modes' : nobodyCannotRun()
if (skipped !== undefined) console.log(`faults: read-only files are skipped: ${skipped}`)

const newest = fixtureFile(schemaVersion)
const older = fixtureFile(schemaVersion - 1)

/** The modes of folder and file for others. Undefined: there is no file. */
const refused: readonly (readonly [what: string, folder: number, file: number | undefined, from: string, says: string])[] = [
  ['an older store that may not be written', 0o555, 0o444, older, `its schema is version ${schemaVersion - 1}`],
  ['a file that may not be read', 0o777, 0o000, newest, 'check the permissions'],
  ['a folder that may not be written, without a store', 0o555, undefined, newest, 'check the permissions'],
]

/** Which files of a store there are, and the modes for others. A killed process leaves its log. */
type ReadableCase = readonly [what: string, folder: number, file: number, files: readonly string[], engine: 'inline' | 'threads']
const readable: readonly ReadableCase[] = [
  ['a closed store, its file and its folder', 0o555, 0o444, ['closed'], 'inline'],
  ['a closed store, with threads', 0o555, 0o444, ['closed'], 'threads'],
  ['a closed store, its file', 0o777, 0o444, ['closed'], 'inline'],
  ['a closed store, its folder', 0o555, 0o666, ['closed'], 'inline'],
  ['a killed process left its log', 0o555, 0o444, ['', '-wal', '-shm'], 'inline'],
  ['a killed process left its log, with threads', 0o555, 0o444, ['', '-wal', '-shm'], 'threads'],
  ['a killed process left its log, in a folder that may be written', 0o777, 0o444, ['', '-wal', '-shm'], 'inline'],
]

const said = ['The kiosk opens on the 9th.', 'The ferry leaves at noon.']

/** Makes a store of two messages: `store.db` as it is when its process is killed, and `closed.db`. */
async function makeStore(folder: Folder): Promise<void> {
  const working = folder.file('working.db')
  const memory = await openMemory({ store: working, engine: 'inline', upkeep: 'manual', embeddingModel: false })
  await memory.for('ada').append(
    'talk',
    said.map((content) => ({ role: 'user', content })),
  )
  for (const part of ['', '-wal', '-shm']) copyPrivately(`${working}${part}`, `${folder.file('store.db')}${part}`)
  await memory.close()
  copyPrivately(working, folder.file('closed.db'))
}

describe.skipIf(skipped !== undefined)('a store that this user may not write', () => {
  let source: Folder
  beforeAll(async () => {
    source = temporaryFolder()
    await makeStore(source)
  })
  afterAll(() => source[Symbol.dispose]())

  async function asNobody(
    store: string,
    folderMode: number,
    engine: 'threads' | 'inline' = 'inline',
    isMoved = false,
  ): Promise<PermissionLine | undefined> {
    chmodSync(dirname(store), folderMode)
    const before = isRoot ? fingerprint(dirname(store)) : undefined
    const child = new Child<PermissionLine>(
      'permission-child.ts',
      { store, engine, isMoved } satisfies PermissionArguments,
      isRoot ? { uid: nobody } : {},
    )
    const { code, stderr } = await child.ended
    chmodSync(dirname(store), 0o755)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    if (before !== undefined) expect(fingerprint(dirname(store))).toEqual(before)
    return child.lines[0]
  }

  function emptyFolder(): Folder {
    const folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    mkdirSync(folder.file('inner'))
    return folder
  }

  it.each(refused)('is refused and left as it is: %s', async (what, folderMode, fileMode, from, says) => {
    using folder = emptyFolder()
    const store = folder.file('inner/store.db')
    if (fileMode !== undefined) {
      copyPrivately(from, store)
      chmodSync(store, fileMode)
    }
    const line = await asNobody(store, folderMode)
    expect(line).toMatchObject({ outcome: 'STORE_READ_ONLY', message: expect.stringContaining(store) })
    expect(line?.message).toContain(says)
    summarise(`${what}: STORE_READ_ONLY, untouched`)
  })

  it.each(readable)('is read and left as it is: %s', async (what, folderMode, fileMode, files, engine) => {
    using folder = emptyFolder()
    const store = folder.file('inner/store.db')
    for (const part of files) {
      const path = part === 'closed' ? store : `${store}${part}`
      copyPrivately(part === 'closed' ? source.file('closed.db') : `${source.file('store.db')}${part}`, path)
      chmodSync(path, fileMode)
    }
    expect(await asNobody(store, folderMode, engine)).toMatchObject({
      outcome: 'ok',
      read: {
        messages: 2,
        found: said[0],
        context: true,
        degraded: [],
        writes: ['STORE_READ_ONLY', 'STORE_READ_ONLY', 'STORE_READ_ONLY'],
        warnings: [expect.stringMatching(/store\.db cannot be written here: it is read/)],
      },
    })
    summarise(`${what}: read, untouched`)
  })

  it.each(['inline', 'threads'] as const)('is no longer read while its file is away: %s', async (engine) => {
    using folder = emptyFolder()
    const store = folder.file('inner/store.db')
    copyPrivately(source.file('closed.db'), store)
    chmodSync(store, 0o444)
    expect((await asNobody(store, 0o777, engine, true))?.read?.moved).toEqual(['STORE_GONE', 'ok'])
  })

  it('is refused with what is needed when a log is there without its index', async () => {
    using folder = emptyFolder()
    const store = folder.file('inner/store.db')
    for (const part of ['', '-wal']) {
      copyPrivately(`${source.file('store.db')}${part}`, `${store}${part}`)
      chmodSync(`${store}${part}`, 0o444)
    }
    const line = await asNobody(store, 0o555)
    expect(line).toMatchObject({
      outcome: 'STORE_READ_ONLY',
      message: expect.stringContaining(`${store}-shm is not beside it. Open the store once`),
    })
  })
})

/** Returns the reason why another user cannot run the child: root's own folder is closed to others. */
function nobodyCannotRun(): string | undefined {
  if (!isRoot) return undefined
  const tried = spawnSync(process.execPath, ['-e', `require('node:fs').accessSync(${JSON.stringify(import.meta.filename)})`], {
    uid: nobody,
    gid: nobody,
  })
  return tried.status === 0 ? undefined : `this is root, whom no mode stops, and user ${nobody} cannot read ${import.meta.dirname}`
}
