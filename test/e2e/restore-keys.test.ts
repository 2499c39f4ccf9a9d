import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { restoreStore } from '../../packages/varve/src/memory/restoring/restore-store.ts'
import { KeyRing } from '../../packages/varve/src/server/keys/key-ring.ts'
import { backups } from '../fixtures/memory/backups.ts'

const { open, path } = backups({ languageModel: false })

const name = 'CanaryOfTheHarbour'
const user = 'canary-of-the-pier'

/** Tells which of some keys open a store. */
async function opening(memory: Memory, keys: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const ring = new KeyRing(memory.doorStore())
  const found = await Promise.all(Object.entries(keys).map(async ([of, text]) => ((await ring.verify(text)) === undefined ? [] : [of])))
  await ring.close()
  return found.flat()
}

test('a key that ended after the backup does not open the restored store, and its names are gone', async () => {
  mkdirSync(path('in-use'), { recursive: true })
  const keys: Record<string, string> = {}
  {
    await using memory = await open('in-use/store.db')
    const made: Record<string, string> = {}
    for (const [of, given] of Object.entries({
      kept: { access: 'admin' },
      revoked: { name, project: 'acme', user },
      'revoked before': { access: 'read' },
      'of a project that goes': { name, project: 'gone', user },
      'of a project that goes and comes back': { project: 'back' },
    } as const)) {
      const { key, id } = await memory.keys.create(given)
      keys[of] = key
      made[of] = id
    }
    for (const project of ['gone', 'back']) await memory.for({ project, user: 'ada' }).append('talk', { role: 'user', content: 'Hello.' })
    await memory.keys.revoke(made['revoked before'] ?? '')
    await memory.backup(path('kept/backup.db'), { overwrite: true })
    await memory.keys.revoke(made['revoked'] ?? '')
    for (const project of ['gone', 'back']) await memory.projects.delete(project)
    await memory.for({ project: 'back', user: 'ada' }).append('talk', { role: 'user', content: 'Hello again.' })
    keys['made after the backup'] = (await memory.keys.create({ access: 'write' })).key
    expect(await opening(memory, keys)).toEqual(['kept', 'made after the backup'])
  }
  const store = path('in-use/store.db')
  const request = { store, overwrite: true, withoutReceipts: false, environment: {} }
  await restoreStore({ ...request, file: path('kept/backup.db') })
  await using memory = await open('in-use/store.db')
  expect(await opening(memory, keys)).toEqual(['kept'])
  const listed = await memory.keys.list()
  expect(listed.filter(({ revokedAt }) => revokedAt === undefined)).toHaveLength(1)
  expect(listed).toHaveLength(3)
  for (const file of readdirSync(path('in-use'))) {
    const bytes = readFileSync(path(`in-use/${file}`))
    for (const word of [name, user]) expect(bytes.includes(word), `${word} in ${file}`).toBe(false)
  }
})

test('a restore beside the store knows nothing of what ended since: its keys open as at the time of the backup', async () => {
  mkdirSync(path('beside'), { recursive: true })
  await using memory = await open('beside/store.db')
  const { key, id } = await memory.keys.create({ access: 'admin' })
  await memory.backup(path('kept/beside.db'), { overwrite: true })
  await memory.keys.revoke(id)
  const request = { overwrite: false, withoutReceipts: false, environment: {} }
  await restoreStore({ ...request, file: path('kept/beside.db'), store: path('elsewhere/store.db') })
  await using other = await open('elsewhere/store.db')
  expect(await opening(other, { key })).toEqual(['key'])
})
