import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { StoreFailed } from '../errors/store-failed.ts'
import { Caller } from './rpc.ts'

const silent = "require('node:worker_threads').parentPort.on('message', () => undefined)"

test('a thread that ends rejects what is under way, and what comes after, with an error of ours', async () => {
  const caller = new Caller(new Worker("require('node:worker_threads').parentPort.once('message', () => process.exit(3))", { eval: true }))
  await expect(caller.call('anything', [])).rejects.toBeInstanceOf(StoreFailed)
  await expect(caller.call('anything', [])).rejects.toThrow(/exit code 3/)
  await caller.idle()
})

test('an argument that cannot be cloned rejects its call alone, and nothing is left under way', async () => {
  const caller = new Caller(new Worker(silent, { eval: true }))
  await expect(caller.call('anything', [() => undefined])).rejects.toThrow(/could not be cloned/)
  await caller.idle()
  await caller.end()
})
