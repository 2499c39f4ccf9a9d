import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { typedIn } from '../fixtures/cli/typed.ts'

const { varve, home, store } = typedIn('backup')
const file = join(home, 'kept', 'backup.db')

test('a backup is made, and told', async () => {
  await varve(['append', 'monday', 'The ferry leaves at nine.', '--user', 'ada'])
  await varve(['append', 'tuesday', 'The pier is green.', '--user', 'ada'])
  const { code, stdout } = await varve(['backup', file])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/backup\.db: 2 messages, 0 receipts, \d+\.\d MB, verified\.\n$/)])
  const again = await varve(['backup', file])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('where no file is yet') })
  const json = JSON.parse((await varve(['backup', file, '--overwrite', '--json'])).stdout)
  expect(json).toMatchObject({ file, messages: 2, receipts: 0 })
  expect(await varve(['backup', store, '--overwrite'])).toMatchObject({ code: 2 })
})

test('a restore tells what it forgot again, and its exit code says whether a receipt was refused', async () => {
  await varve(['sessions', 'delete', 'tuesday', '--yes', '--user', 'ada'])
  const receipts = join(home, 'receipts.jsonl')
  writeFileSync(receipts, `${(await varve(['receipts', '--all', '--json'])).stdout}`)
  expect(await varve(['restore', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('overwrite') })
  const { code, stdout, stderr } = await varve(['restore', file, '--overwrite'])
  expect([code, stderr]).toEqual([0, expect.stringContaining('.before-restore-')])
  expect(stdout).toMatch(/^old store {5}1 {2}[\da-f-]{36} {2}erased again: 1 message/m)
  expect(stdout).toContain('Forgotten again: 1. Nothing there: 0. Refused: 0.')
  expect((await varve(['sessions', '--user', 'ada'])).stdout).not.toContain('tuesday')
  // Elsewhere, by the file of receipts alone. A line of it was changed.
  const changed = readFileSync(receipts, 'utf8').replace(/"at":\d/, '"at":9')
  writeFileSync(receipts, `${readFileSync(receipts, 'utf8')}${changed.replace(/"id":"[\da-f]{8}/, '"id":"00000000')}`)
  const apart = join(home, 'apart.db')
  const given = await varve(['restore', file, '--to', apart, '--receipts', receipts, '--json'])
  expect(given.code).toBe(1)
  expect(JSON.parse(given.stdout)).toMatchObject({
    ...{ store: apart, messages: 1, replaced: false },
    replayed: [
      { line: 1, from: 'file', outcome: 'erased' },
      { line: 2, from: 'file', outcome: 'refused', reason: 'changed' },
    ],
  })
})
