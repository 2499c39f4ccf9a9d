import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typedHere } from '../fixtures/cli/in-process.ts'
import { type Outcome, typedIn } from '../fixtures/cli/typed.ts'

const { varve, home, store } = typedIn('receipts')
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const [privatePem, publicPem] = [join(home, 'operator.key'), join(home, 'operator.pem')]
writeFileSync(privatePem, privateKey.export({ type: 'pkcs8', format: 'pem' }))
writeFileSync(publicPem, publicKey.export({ type: 'spki', format: 'pem' }))
/** A command as it is typed for another store. */
const on = (file: string, ...args: readonly string[]): Promise<Outcome> =>
  typedHere([...args, '--store', file], {
    input: '',
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'dumb', VARVE_EMBEDDINGS: 'off' },
  })
const signing = { VARVE_SIGNING_KEY: privatePem }

test('receipts are listed as lines, verified, and replayed on a backup', async () => {
  for (const session of ['monday', 'tuesday'])
    expect((await varve(['append', session, 'the ferry leaves at nine', '--user', 'ada'])).code).toBe(0)
  const [backup, file] = [join(home, 'backup.db'), join(home, 'receipts.jsonl')]
  copyFileSync(store, backup)
  expect((await varve(['forget', '--session', 'monday', '--user', 'ada', '--yes'])).code).toBe(0)
  expect((await varve(['forget', '--all', '--user', 'ada', '--yes'])).code).toBe(0)

  const listed = await varve(['receipts', '--json'], '', signing)
  const lines = listed.stdout.trim().split('\n')
  expect(lines).toHaveLength(2)
  writeFileSync(file, listed.stdout)
  expect((await varve(['receipts'])).stdout).toContain('1 session')

  const verified = await varve(['receipts', 'verify', file])
  expect(verified).toMatchObject({ code: 0 })
  expect(verified.stdout.match(/verified \(the store's key/g)).toHaveLength(2)
  const byKey = await on(join(home, 'none.db'), 'receipts', 'verify', file, '--key', publicPem)
  expect(byKey).toMatchObject({ code: 0 })
  expect(byKey.stdout.match(/verified \(Ed25519 key/g)).toHaveLength(2)
  expect(await varve(['receipts', 'verify'])).toMatchObject({ code: 0 })

  const preview = await on(backup, 'forget', '--replay', file)
  expect(preview.stdout).toContain('Would be replayed: 2 of 2 receipts.')
  const done = await on(backup, 'forget', '--replay', file, '--yes')
  expect(done).toMatchObject({ code: 0 })
  expect(done.stdout).toMatch(/1 {2}\S+ {2}erased again: 2 messages, 2 sessions/)
  expect(done.stdout).toMatch(/2 {2}\S+ {2}nothing of it is there/)
  expect((await on(backup, 'sessions', '--user', 'ada', '--json')).stdout).not.toContain('monday')

  const forged = lines[0]?.replace('"message":1', '"message":7') ?? ''
  writeFileSync(file, `${forged}\n{"no": "receipt"}\n${lines[1]}\n`)
  const refused = await on(backup, 'forget', '--replay', file, '--yes', '--json')
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    receipts: [
      { line: 1, outcome: 'refused', reason: 'changed' },
      { line: 2, outcome: 'refused', reason: 'not a receipt' },
      { line: 3, outcome: 'gone' },
    ],
  })
  expect(await varve(['receipts', 'verify', file])).toMatchObject({ code: 1 })
})

test('a replay takes no selection, and a key that cannot sign is refused', async () => {
  expect(await varve(['forget', '--replay', 'x', '--all', '--yes'])).toMatchObject({ code: 2 })
  const refused = await varve(['receipts'], '', { VARVE_SIGNING_KEY: publicPem })
  expect(refused.stderr).toContain('is a public key, which cannot sign')
  expect(refused.code).not.toBe(0)
})
