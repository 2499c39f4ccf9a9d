import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { schemaVersion } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import type { PermissionArguments, PermissionLine } from './children/permission-child.ts'
import { Child } from './support/child.ts'
import { fixtureFile } from './support/fixture.ts'
import { copyPrivately, fingerprint, temporaryFolder } from './support/folder.ts'
import { summarise } from './support/scale.ts'

/** Root may write everything, so the child runs as another user: by custom, "nobody" on Linux. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const skipped = process.platform === 'win32' ? 'Windows has no modes' : nobodyCannotRun()
if (skipped !== undefined) console.log(`faults: read-only files are skipped: ${skipped}`)

const newest = fixtureFile(schemaVersion)
const older = fixtureFile(schemaVersion - 1)

/** The modes of folder and file for others. Undefined: there is no file. */
const cases: readonly (readonly [what: string, folder: number, file: number | undefined, from: string])[] = [
  ['a file that may not be written', 0o555, 0o444, newest],
  ['a file that may not be written, in a folder that may', 0o777, 0o444, newest],
  ['an older store that may not be written', 0o555, 0o444, older],
  ['a file that may not be read', 0o777, 0o000, newest],
  ['a folder that may not be written', 0o555, 0o666, newest],
  ['a folder that may not be written, without a store', 0o555, undefined, newest],
]

describe.skipIf(skipped !== undefined)('a store that this user may not write', () => {
  it.each(cases)('is refused and left as it is: %s', async (what, folderMode, fileMode, from) => {
    using folder = temporaryFolder()
    chmodSync(folder.path, 0o755)
    const store = folder.file('inner/store.db')
    mkdirSync(dirname(store))
    if (fileMode !== undefined) {
      copyPrivately(from, store)
      chmodSync(store, fileMode)
    }
    chmodSync(dirname(store), folderMode)
    const before = isRoot ? fingerprint(dirname(store)) : undefined
    const child = new Child<PermissionLine>('permission-child.ts', { store } satisfies PermissionArguments, isRoot ? { uid: nobody } : {})
    const { code, stderr } = await child.ended
    chmodSync(dirname(store), 0o755)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(child.lines[0]).toMatchObject({ outcome: 'STORE_READ_ONLY', message: expect.stringContaining(store) })
    if (before !== undefined) expect(fingerprint(dirname(store))).toEqual(before)
    summarise(`${what}: STORE_READ_ONLY, untouched`)
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
