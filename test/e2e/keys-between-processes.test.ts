import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { builtProgram } from '../built.ts'
import { KeyRing, keyKeptMs } from '../../packages/varve/src/server/keys/key-ring.ts'

const main = builtProgram('packages/varve/src/cli/main.ts')

test('a key that a command makes is known to a running process, and refused a second after another revoked it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'varve-keys-'))
  const store = join(folder, 'varve.db')
  const varve = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [main, ...args, '--store', store], { env: { PATH: process.env['PATH'], HOME: folder } }))
      .stdout
  const memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false })
  let elapsed = 0
  const ring = new KeyRing(memory.doorStore(), () => elapsed)
  const key = (await varve('keys', 'create', '--project', 'acme')).trim()
  const known = await ring.verify(key)
  expect(known).toMatchObject({ project: 'acme', access: 'write' })
  await varve('keys', 'revoke', known?.id ?? '')
  elapsed += keyKeptMs
  expect(await ring.verify(key)).toBeUndefined()
  expect(await memory.keys.list()).toMatchObject([{ id: known?.id, revokedAt: expect.any(Number) }])
  await ring.close()
  await memory.close()
  rmSync(folder, { recursive: true })
})
