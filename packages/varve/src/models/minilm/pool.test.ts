import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { Cancelled } from '../../errors/cancelled.ts'
import { PackageFileMissing } from '../../errors/package-file-missing.ts'
import { MiniLm } from './minilm.ts'
import { Pool } from './pool.ts'
import { handleOf } from './thread-handle.ts'

/**
 * A thread that speaks the protocol: each slice gets the next number as its first component. 'die' ends it, 'fail'
 * fails, and 'wait' is answered when another thread says so.
 */
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const failed = (message) => parentPort.postMessage({ kind: 'failed', error: { code: undefined, message, stack: undefined, facts: {} } })
let serial = 0
parentPort.on('message', ({ texts }) => {
  if (texts.includes('die')) process.exit(3)
  if (texts.includes('fail')) return failed('the engine trapped')
  if (texts.includes('wait')) Atomics.wait(workerData.held, 0, 0)
  const vectors = new Float32Array(texts.length * 384).fill(serial)
  serial += 1
  parentPort.postMessage({ kind: 'done', vectors, tokens: texts.length, ms: 1 })
})
if (workerData.start === 'dead') process.exit(4)
else if (workerData.start === 'broken') failed('no such model')
else parentPort.postMessage({ kind: 'ready', runtime: 'wasm', detail: 'scripted', lacksNative: true, passedOver: undefined })
`

type Start = 'well' | 'dead' | 'broken'

const open: MiniLm[] = []
afterEach(async () => {
  for (const model of open.splice(0)) await model.close()
})

/** Makes a model over such threads, and counts the starts. The n-th start is as listed; the last one's manner stays. */
function scripted(threads = 1, ...starts: Start[]) {
  const held = new Int32Array(new SharedArrayBuffer(4))
  const started: Worker[] = []
  const release = (): void => {
    Atomics.store(held, 0, 1)
    Atomics.notify(held, 0)
  }
  const pool = new Pool(() => {
    const start = starts[Math.min(started.length, starts.length - 1)] ?? 'well'
    const worker = new Worker(script, { eval: true, workerData: { held, start } })
    started.push(worker)
    return handleOf(worker, () => Promise.resolve(release()))
  }, threads)
  const model = new MiniLm(pool)
  open.push(model)
  return { model, started, release }
}

/** Text that is a slice by itself. */
const long = 'a word or two '.repeat(80)
const serials = (vectors: readonly Float32Array[]) => vectors.map(([first]) => first)

describe('what is done first', () => {
  test('a query waits for one slice at most, and the background goes on after it', async () => {
    const { model } = scripted()
    await model.embed(['load'])
    const background = model.embed([long, long, long, long])
    const query = model.embed(['q'], { priority: 'query' })
    expect(serials(await query)).toEqual([2])
    expect(serials(await background)).toEqual([1, 3, 4, 5])
  })

  test('several short texts are one slice; calls are done in their order', async () => {
    const { model } = scripted()
    const [first, second] = await Promise.all([model.embed(['a', 'b', 'c']), model.embed(['d'])])
    expect([serials(first), serials(second)]).toEqual([[0, 0, 0], [1]])
    expect(model.status()).toMatchObject({ runtime: 'wasm', tokens: 4, ms: 2, threads: 1, fasterBy: 'npm install onnxruntime-node' })
  })

  test('an empty batch starts no thread', async () => {
    const { model, started } = scripted()
    expect(await model.embed([])).toEqual([])
    expect(started).toHaveLength(0)
    expect(model.status()).toMatchObject({ runtime: 'none', threads: 0 })
  })

  test('a second thread starts when much waits, and never a third', async () => {
    const { model, started } = scripted(2)
    await model.embed([long, long])
    expect(started).toHaveLength(1)
    await Promise.all([model.embed(Array.from({ length: 40 }, () => long)), model.embed(Array.from({ length: 40 }, () => long))])
    expect(started).toHaveLength(2)
  })
})

describe('what ends early', () => {
  test('an aborted call rejects at once; what waits of it is not done, and the others are', async () => {
    const { model, release } = scripted()
    await model.embed(['load'])
    const caller = new AbortController()
    const held = model.embed(['wait'])
    const aborted = model.embed([long, long, long], { signal: caller.signal })
    const other = model.embed(['x'])
    caller.abort()
    await expect(aborted).rejects.toBeInstanceOf(Cancelled)
    release()
    expect(serials(await held)).toEqual([1])
    expect(serials(await other)).toEqual([2])
    await expect(model.embed(['y'], { signal: caller.signal })).rejects.toBeInstanceOf(Cancelled)
  })

  test('a call that is aborted while a thread is at it is forgotten', async () => {
    const { model, release } = scripted()
    await model.embed(['load'])
    const caller = new AbortController()
    const call = model.embed(['wait'], { signal: caller.signal })
    caller.abort()
    await expect(call).rejects.toBeInstanceOf(Cancelled)
    release()
    expect(serials(await model.embed(['x']))).toEqual([2])
  })

  test('close rejects what is under way, what waits and what comes', async () => {
    const { model } = scripted()
    await model.embed(['load'])
    const calls = [model.embed(['wait']), model.embed(['x'])]
    const outcomes = Promise.allSettled(calls)
    await Promise.all([model.close(), model.close()])
    const closed = { code: 'MODEL_FAILED', isRetryable: false, reason: 'it is closed' }
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: closed })
    await expect(model.embed(['y'])).rejects.toMatchObject(closed)
  })

  test('close while the model is being loaded', async () => {
    const { model } = scripted()
    const outcome = Promise.allSettled([model.embed(['x'])])
    await model.close()
    expect(await outcome).toMatchObject([{ reason: { reason: 'it is closed' } }])
  })

  test('more texts than one call takes are refused', async () => {
    const { model, started } = scripted()
    await expect(model.embed(Array.from({ length: model.limits.texts + 1 }, () => 'a'))).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      received: '257 texts',
    })
    expect(started).toHaveLength(0)
  })

  test('too much that waits is refused, and may come again', async () => {
    const { model } = scripted()
    await model.embed(['load'])
    const calls = Array.from({ length: 18 }, () => model.embed(['wait', ...Array.from({ length: 255 }, () => long)]))
    const outcomes = Promise.allSettled(calls)
    await expect(calls.at(-1)).rejects.toMatchObject({ isRetryable: true, reason: expect.stringMatching(/texts wait/) })
    await model.close()
    await outcomes
  })
})

describe('what fails', () => {
  test.each(['die', 'fail'])('a thread that ends (%s) loses the call that it was at; the rest is done by another one', async (text) => {
    const { model, started } = scripted()
    await model.embed(['load'])
    const [lost, waiting] = await Promise.allSettled([model.embed([text, long, long]), model.embed(['x'])])
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { code: 'MODEL_FAILED', isRetryable: true, reason: expect.stringMatching(/exit code 3|the engine trapped/) },
    })
    expect(waiting).toMatchObject({ status: 'fulfilled' })
    expect(started).toHaveLength(2)
  })

  test('three in a row and no further one is started', async () => {
    const { model, started } = scripted()
    await model.embed(['load'])
    for (const isRetryable of [true, true, false]) await expect(model.embed(['die'])).rejects.toMatchObject({ isRetryable })
    await expect(model.embed(['x'])).rejects.toMatchObject({
      isRetryable: false,
      reason: expect.stringMatching(/3 threads in a row ended/),
    })
    expect(started).toHaveLength(3)
    expect(model.status()).toMatchObject({ runtime: 'none', failure: expect.stringMatching(/exit code 3/) })
  })

  test('what works in between starts the count anew', async () => {
    const { model, started } = scripted()
    for (let round = 0; round < 5; round += 1) {
      await expect(model.embed(['die'])).rejects.toMatchObject({ isRetryable: true })
      expect(await model.embed(['x'])).toHaveLength(1)
    }
    expect(started).toHaveLength(6)
  })

  test('a thread that ends while it loads costs nothing but time', async () => {
    const { model, started } = scripted(1, 'dead', 'dead', 'well')
    expect(await model.embed(['x'])).toHaveLength(1)
    expect(started).toHaveLength(3)
  })

  test('a model that cannot be loaded is not tried again for each call', async () => {
    const { model, started } = scripted(1, 'broken')
    const failure = { code: 'MODEL_FAILED', isRetryable: false, reason: 'it cannot be loaded: no such model' }
    await expect(model.embed(['x'])).rejects.toMatchObject(failure)
    await expect(model.embed(['y'], { priority: 'query' })).rejects.toMatchObject(failure)
    expect(started).toHaveLength(1)
    expect(model.status().failure).toMatch(/no such model/)
  })

  test('a second thread that cannot be loaded leaves the first one to work', async () => {
    const { model, started } = scripted(2, 'well', 'broken')
    expect(await model.embed(Array.from({ length: 40 }, () => long))).toHaveLength(40)
    expect(await model.embed(Array.from({ length: 40 }, () => long))).toHaveLength(40)
    expect(started).toHaveLength(2)
    expect(model.status()).toMatchObject({ runtime: 'wasm', threads: 1 })
  })
})

describe('loading ahead of the first text', () => {
  test('starts one thread for all who ask, and is done when it has the model', async () => {
    const { model, started } = scripted(2)
    expect(model.status().detail).toBe('loaded when it is first needed')
    const loads = [model.load(), model.load()]
    expect(model.status()).toMatchObject({ runtime: 'none', detail: 'being loaded' })
    await Promise.all(loads)
    expect(model.status()).toMatchObject({ runtime: 'wasm', threads: 1, tokens: 0 })
    await model.load()
    expect(serials(await model.embed(['x']))).toEqual([0])
    expect(started).toHaveLength(1)
  })

  test('goes on with another thread when one ends, and rejects when none loads', async () => {
    const { model, started } = scripted(1, 'dead', 'well')
    await model.load()
    expect(started).toHaveLength(2)
    const ended = scripted(1, 'dead')
    await expect(ended.model.load()).rejects.toMatchObject({
      isRetryable: false,
      reason: expect.stringMatching(/3 threads in a row ended/),
    })
    const broken = scripted(1, 'broken')
    await expect(broken.model.load()).rejects.toMatchObject({ code: 'MODEL_FAILED', reason: 'it cannot be loaded: no such model' })
    await expect(broken.model.load()).rejects.toMatchObject({ code: 'MODEL_FAILED' })
    expect(broken.started).toHaveLength(1)
  })

  test('a thread that has ended is loaded anew', async () => {
    const { model, started } = scripted()
    await model.load()
    await expect(model.embed(['die'])).rejects.toMatchObject({ isRetryable: true })
    await model.load()
    expect(started).toHaveLength(2)
    expect(model.status()).toMatchObject({ threads: 1 })
  })

  test('rejects when it is closed meanwhile', async () => {
    const { model } = scripted()
    const outcome = Promise.allSettled([model.load()])
    await model.close()
    expect(await outcome).toMatchObject([{ reason: { code: 'MODEL_FAILED', reason: 'it is closed' } }])
    await expect(model.load()).rejects.toMatchObject({ reason: 'it is closed' })
  })
})

test('a file that a bundler left behind is missing for good: it is looked for once, and the reason names the mending line', async () => {
  let starts = 0
  const model = new MiniLm(
    new Pool(() => {
      starts += 1
      throw new PackageFileMissing({ file: 'model/minilm.onnx', expected: '/app/model/minilm.onnx' })
    }, 2),
  )
  open.push(model)
  for (const text of ['ferry', 'boat'])
    await expect(model.embed([text])).rejects.toMatchObject({ code: 'MODEL_FAILED', isRetryable: false })
  expect(starts).toBe(1)
  expect(model.status()).toMatchObject({ runtime: 'none', failure: expect.stringContaining("serverExternalPackages: ['varve']") })
})
