import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { InvalidOption } from '../../errors/invalid-option.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { miniLm } from './minilm.ts'
import { modelIn, packagedModel, verifyModelFiles } from './model-files.ts'

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  [...(a ?? [])].reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0)

const odd = [
  '',
  ' ',
  'a',
  '😀 🎉 👩‍👩‍👧',
  '我们昨天在杭州决定把价格提高百分之十。',
  'Ångström, naïve café — “quoted”',
  'x'.repeat(10_000),
  '[CLS] [SEP] [PAD]',
  '\u0000\ud800',
  'word '.repeat(2000),
]
const texts = [
  ...odd,
  'We raised the price by ten percent.',
  'The cost of it went up by a tenth.',
  'My sister adopted a black cat.',
  'She has a new kitten.',
]

describe.each(['native', 'wasm'] as const)('%s', (runtime) => {
  let model: EmbeddingModel
  beforeAll(() => {
    model = miniLm({ runtime, threads: 2 })
  })
  afterAll(() => model.close())

  test('any text has a vector of 384 components and length 1, in order, whatever its neighbours', async () => {
    const together = await model.embed(texts)
    expect(together).toHaveLength(texts.length)
    for (const [at, vector] of together.entries()) {
      expect(vector).toHaveLength(384)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
      const [alone] = await model.embed([texts[at] ?? ''], { priority: 'query' })
      expect(cosine(alone, vector), texts[at]).toBeGreaterThan(0.99999)
    }
    expect(await model.identity()).toEqual({ name: 'all-MiniLM-L6-v2', dimension: 384, quantisation: 'int8' })
  })

  test('the similarities are those that the model was published with', async () => {
    const [person, ...others] = await model.embed([
      'That is a happy person',
      'That is a happy dog',
      'That is a very happy person',
      'Today is a sunny day',
    ])
    // Published on the model's page, in 32 bits.
    for (const [at, published] of [0.695, 0.943, 0.257].entries())
      expect(Math.abs(cosine(person, others[at]) - published)).toBeLessThan(0.03)
  })

  test('what means the same is nearer than what does not', async () => {
    const [price, cost, cat, kitten] = await model.embed(texts.slice(-4))
    expect(cosine(price, cost)).toBeGreaterThan(0.5)
    expect(cosine(cat, kitten)).toBeGreaterThan(0.4)
    for (const [a, b] of [
      [price, cat],
      [price, kitten],
      [cost, cat],
      [cost, kitten],
    ])
      expect(cosine(a, b)).toBeLessThan(0.25)
  })

  test('what is beyond 256 tokens changes nothing', async () => {
    const [short, long] = await model.embed(['word '.repeat(254), `${'word '.repeat(254)} and a black cat`])
    expect(cosine(short, long)).toBeGreaterThan(0.9999)
  })

  test('calls at the same time get their own vectors', async () => {
    const alone = await model.embed(texts)
    const calls = await Promise.all(Array.from({ length: 6 }, (_, at) => model.embed(texts.slice(at))))
    for (const [from, vectors] of calls.entries())
      for (const [at, vector] of vectors.entries()) expect(cosine(vector, alone[from + at])).toBeGreaterThan(0.99999)
  })

  test('the status says what runs it and how much it did', () => {
    const status = model.status()
    expect(status).toMatchObject({ runtime, name: 'all-MiniLM-L6-v2' })
    expect(status.threads).toBeGreaterThan(0)
    expect(status.tokens).toBeGreaterThan(1000)
    expect(status.ms).toBeGreaterThan(0)
    expect(status.failure).toBeUndefined()
  })
})

test('both runtimes make the same vectors', async () => {
  const [native, wasm] = [miniLm({ runtime: 'native' }), miniLm({ runtime: 'wasm' })]
  try {
    const [a, b] = await Promise.all([native.embed(texts), wasm.embed(texts)])
    // They round activations differently, by the text and by the token: senseless texts show it most.
    for (const [at, text] of texts.entries()) expect(cosine(a[at], b[at]), text).toBeGreaterThan(at < odd.length ? 0.97 : 0.99)
  } finally {
    await Promise.all([native.close(), wasm.close()])
  }
})

test('a query overtakes the background, and closing in the middle of it rejects what is left', async () => {
  const model = miniLm({ threads: 1 })
  const done: string[] = []
  const background = Array.from({ length: 12 }, (_, at) => model.embed(['word '.repeat(250)]).then(() => done.push(`background ${at}`)))
  const settled = Promise.allSettled(background)
  await background[0]
  await model.embed(['what did we decide?'], { priority: 'query' }).then(() => done.push('query'))
  expect(done.indexOf('query')).toBeLessThanOrEqual(2)
  await model.close()
  const outcomes = await settled
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'MODEL_FAILED', reason: 'it is closed' } })
})

test('the host neither tokenises nor computes', async () => {
  const model = miniLm()
  await model.embed(['load'])
  const batch = Array.from({ length: 16 }, (_, at) => `${at} ${'a few words and '.repeat(60_000)}`)
  const before = process.threadCpuUsage()
  await model.embed(batch)
  const { user, system } = process.threadCpuUsage(before)
  // A tenth on a busy machine: each slice is a turn of the event loop by itself. Computing here would take all of it.
  expect((user + system) / 1000).toBeLessThan(model.status().ms / 4)
  await model.close()
})

test.each([{ threads: 0 }, { threads: 1.5 }, { runtime: 'gpu' }, { folder: '' }, { thread: 1 }])(
  'an option that makes no sense is refused: %j',
  (options) => {
    expect(() => Reflect.apply(miniLm, undefined, [options])).toThrow(InvalidOption)
  },
)

describe('a model that cannot be loaded', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'varve-model-'))
    for (const [name, path] of Object.entries(packagedModel())) copyFileSync(path, join(folder, name))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const open: EmbeddingModel[] = []
  afterEach(async () => {
    for (const model of open.splice(0)) await model.close()
  })
  const failure = async (): Promise<unknown> => {
    const model = miniLm({ folder })
    open.push(model)
    const error = await model.embed(['x']).then(
      () => undefined,
      (error: unknown) => error,
    )
    await expect(model.embed(['y'])).rejects.toMatchObject({ isRetryable: false })
    expect(model.status()).toMatchObject({ runtime: 'none', threads: 0, failure: expect.stringMatching(/npm run model/) })
    return error
  }

  test('intact files are intact', async () => {
    await verifyModelFiles(modelIn(folder))
    await verifyModelFiles(packagedModel())
  })

  test('a file that is cut off: what it is, and what to do', async () => {
    truncateSync(join(folder, 'minilm.onnx'), 9_000_000)
    expect(await failure()).toMatchObject({
      code: 'MODEL_FAILED',
      isRetryable: false,
      reason: expect.stringMatching(/minilm\.onnx has the sha256 [0-9a-f]{64} in place of .*npm run model/),
    })
    await expect(verifyModelFiles(modelIn(folder))).rejects.toMatchObject({ code: 'MODEL_FAILED' })
  })

  test('an empty file', async () => {
    truncateSync(join(folder, 'minilm.onnx'), 0)
    expect(await failure()).toMatchObject({ reason: expect.stringMatching(/minilm\.onnx has the sha256/) })
  })

  test('one wrong bit, which loads and would give wrong vectors', async () => {
    const onnx = readFileSync(packagedModel()['minilm.onnx'])
    onnx[12_000_000] = (onnx[12_000_000] ?? 0) ^ 1
    writeFileSync(join(folder, 'minilm.onnx'), onnx)
    expect(await failure()).toMatchObject({
      isRetryable: false,
      reason: expect.stringMatching(/minilm\.onnx has the sha256 .*install varve again/),
    })
  })

  test('another tokenizer', async () => {
    copyFileSync(packagedModel()['minilm.onnx'], join(folder, 'minilm.onnx'))
    writeFileSync(join(folder, 'tokenizer.json'), '{}')
    expect(await failure()).toMatchObject({ reason: expect.stringMatching(/tokenizer\.json has the sha256/) })
  })

  test('no file at all', async () => {
    rmSync(join(folder, 'tokenizer.json'))
    expect(await failure()).toMatchObject({ reason: expect.stringMatching(/ENOENT.*tokenizer\.json/) })
  })
})
