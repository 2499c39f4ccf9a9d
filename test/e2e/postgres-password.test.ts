import { expect, test } from 'vitest'
import { openMemory, StoreUnreachable } from '../../packages/varve/src/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { typedHere } from '../fixtures/cli/in-process.ts'

// Port 1 of loopback: nothing listens there, and the answer comes at once.
const store = 'postgres://varve:tulip@127.0.0.1:1/varve'

test('the password of a server is in no error and in no line to type', async () => {
  const error = await rejection(openMemory({ store, embeddingModel: false }))
  if (!(error instanceof StoreUnreachable)) throw error
  expect(error).toMatchObject({ code: 'STORE_UNREACHABLE', isRetryable: true, store: 'postgres://127.0.0.1:1/varve', mayBeStored: false })
  expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('tulip')
  const env = { PATH: process.env['PATH'] ?? '', VARVE_EMBEDDINGS: 'off' }
  for (const refused of [
    await typedHere(['recall', 'barge', '--store', store], { env }),
    await typedHere(['recall', 'barge', `--store=${store}`, '--json'], { env }),
    await typedHere(['recall', 'barge'], { env: { ...env, VARVE_STORE: store } }),
  ]) {
    expect(refused.code).not.toBe(0)
    expect(refused.stdout + refused.stderr).not.toContain('tulip')
    expect(refused.stderr).toContain('127.0.0.1:1/varve')
  }
})
