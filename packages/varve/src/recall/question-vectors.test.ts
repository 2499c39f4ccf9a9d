import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ModelFailed } from '../errors/model-failed.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import { Observer } from '../observe/observer.ts'
import { QuestionVectors } from './question-vectors.ts'
import { partitionId, projectName } from '../scope/partition.ts'
import { ManualClock } from '../testing/manual-clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const ada = partitionId(projectName('acme'), { kind: 'user', name: 'ada' })
const unit = Float32Array.of(1)

/** Makes a model that loads and answers when the test says so, and questions over it in a store where everything has a vector. */
function asked(hasAnything = true) {
  const loading = Promise.withResolvers<void>()
  const texts: string[] = []
  const answers: PromiseWithResolvers<readonly Float32Array[]>[] = []
  let loads = 0
  const model: EmbeddingModel = {
    limits: { texts: 1, tokens: 1, textTokens: 1 },
    identity: () => Promise.resolve({ name: 'slow', dimension: 1, quantisation: 'none' }),
    status: () => ({ runtime: 'none', name: 'slow', detail: '', threads: 0, tokens: 0, ms: 0 }),
    verify: () => Promise.resolve(),
    close: () => Promise.resolve(),
    load: () => {
      loads += 1
      return loading.promise
    },
    embed: ([text = '']) => {
      texts.push(text)
      const answer = Promise.withResolvers<readonly Float32Array[]>()
      answers.push(answer)
      return answer.promise
    },
  }
  const warnings: string[] = []
  const reads = {
    question: (_: unknown, text: string) => Promise.resolve({ text, waiting: 0 }),
    embeddingsDue: () => Promise.resolve(hasAnything),
  }
  const questions = new QuestionVectors(model, reads, new Observer(new ManualClock(), { warn: (text) => warnings.push(text) }))
  return {
    model,
    questions,
    loading,
    texts,
    answers,
    warnings,
    loads: () => loads,
    of: (question: string, ms?: number) => questions.of(ada, question, ms),
  }
}

/** Gives `meant`, or the reason why words alone answered a question. */
async function outcome(answer: ReturnType<QuestionVectors['of']>): Promise<string> {
  const { vector, degraded } = await answer
  return vector === undefined ? degraded.join() : 'meant'
}

/** Lets all work run that waits for no time. */
const settle = () => vi.advanceTimersByTimeAsync(0)

test('a question that comes while the model loads has its two seconds from when it is ready', async () => {
  const { loading, answers, of } = asked()
  const answer = outcome(of('ferry'))
  await vi.advanceTimersByTimeAsync(4_900)
  loading.resolve()
  await vi.advanceTimersByTimeAsync(1_900)
  answers[0]?.resolve([unit])
  expect(await answer).toBe('meant')
})

test('loading is waited for five seconds in all, not by each question; then words answer at once, until it is ready', async () => {
  const { loading, texts, answers, of, warnings, loads } = asked()
  const first = outcome(of('ferry'))
  await vi.advanceTimersByTimeAsync(4_999)
  const second = outcome(of('boat'))
  await vi.advanceTimersByTimeAsync(1)
  expect([await first, await second]).toEqual(Array.from({ length: 2 }, () => 'words only: slow is loading'))
  const third = outcome(of('jetty'))
  await settle()
  expect(await third).toBe('words only: slow is loading')
  loading.resolve()
  await settle()
  const fourth = outcome(of('quay'))
  await settle()
  answers[0]?.resolve([unit])
  expect(await fourth).toBe('meant')
  expect([texts, warnings, loads()]).toEqual([['quay'], [], 2])
})

test('loading that was begun ahead leaves questions only what is left of its five seconds', async () => {
  const { questions, of, loads } = asked()
  await questions.prepare()
  await vi.advanceTimersByTimeAsync(4_000)
  const answer = outcome(of('ferry'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await answer).toBe('words only: slow is loading')
  expect(loads()).toBe(1)
})

test('nothing is loaded ahead for a store that holds nothing', async () => {
  const { questions, loads } = asked(false)
  await questions.prepare()
  expect(loads()).toBe(0)
})

test('loading ahead that fails rejects nothing: the first question tells why, and each further one without waiting', async () => {
  const { questions, loading, of, texts, warnings } = asked()
  await questions.prepare()
  loading.reject(new ModelFailed({ model: 'slow', reason: 'no such file', isRetryable: false }))
  await settle()
  for (const question of ['ferry', 'boat']) expect(await outcome(of(question))).toMatch(/^words only: slow failed: no such file\./)
  expect([texts, warnings.length]).toEqual([[], 1])
})

test('a model that cannot be loaded is told where nothing has a vector yet, and the log has it once', async () => {
  const warnings: string[] = []
  const { model } = asked()
  const failure = 'slow failed: its file is missing.'
  const broken: EmbeddingModel = { ...model, status: () => ({ ...model.status(), failure }) }
  const reads = { question: () => Promise.resolve({ text: undefined, waiting: 0 }), embeddingsDue: () => Promise.resolve(true) }
  const questions = new QuestionVectors(broken, reads, new Observer(new ManualClock(), { warn: (text) => warnings.push(text) }))
  for (const question of ['ferry', 'boat']) expect((await questions.of(ada, question)).degraded).toEqual([`words only: ${failure}`])
  expect(warnings).toEqual([`MODEL_FAILED: ${failure}`])
})

test('after a vector that was late the model is paused for a second, and then asked again', async () => {
  const { loading, texts, answers, of, warnings } = asked()
  loading.resolve()
  const late = outcome(of('ferry'))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await late).toBe('words only: slow is late: it gave no vector within 2000 ms')
  await vi.advanceTimersByTimeAsync(999)
  expect(await outcome(of('boat'))).toBe('words only: slow is paused for 1000 ms, since it gave no vector within 2000 ms')
  await vi.advanceTimersByTimeAsync(1)
  const again = outcome(of('boat'))
  await settle()
  answers[1]?.resolve([unit])
  expect(await again).toBe('meant')
  expect(texts).toEqual(['ferry', 'boat'])
  expect(warnings).toEqual(['MODEL_FAILED: slow is late: it gave no vector within 2000 ms'])
})

test('a call with a deadline waits half of it, for loading and for the vector, and nothing is paused', async () => {
  const { loading, answers, warnings, of } = asked()
  const cold = outcome(of('ferry', 300))
  await vi.advanceTimersByTimeAsync(149)
  expect(await Promise.race([cold, settle().then(() => 'waits')])).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await cold).toBe('words only: slow is loading')
  loading.resolve()
  await settle()
  const slow = outcome(of('ferry', 300))
  await vi.advanceTimersByTimeAsync(150)
  expect(await slow).toBe('words only: slow gave no vector within half of the deadline')
  expect(warnings).toEqual([])
  const unhurried = outcome(of('boat'))
  await settle()
  answers.at(-1)?.resolve([unit])
  expect(await unhurried).toBe('meant')
})

test('a vector that came too late serves the same words when they are asked again', async () => {
  const { loading, texts, answers, of } = asked()
  loading.resolve()
  const late = outcome(of('ferry'))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await late).toMatch(/late/)
  answers[0]?.resolve([unit])
  await settle()
  expect(await outcome(of('ferry'))).toBe('meant')
  expect(texts).toEqual(['ferry'])
})

test.each([
  [undefined, 1_000],
  [300, 1_000],
  [4_000, 4_000],
  [60_000, 10_000],
])('after a failure that asks for %s ms the model is paused for %i', async (retryAfterMs, pause) => {
  const { loading, answers, of } = asked()
  loading.resolve()
  const failed = outcome(of('ferry'))
  await settle()
  answers[0]?.reject(new ModelFailed({ model: 'slow', reason: 'it is overloaded', isRetryable: true, retryAfterMs }))
  expect(await failed).toMatch(/^words only: slow failed: it is overloaded\. Try again/)
  await vi.advanceTimersByTimeAsync(pause - 1)
  expect(await outcome(of('boat'))).toBe(`words only: slow is paused for ${pause} ms, since it failed: it is overloaded`)
  await vi.advanceTimersByTimeAsync(1)
  const again = outcome(of('boat'))
  await settle()
  answers[1]?.resolve([unit])
  expect(await again).toBe('meant')
})

test('a question that is refused for good pauses nothing', async () => {
  const { loading, answers, of } = asked()
  loading.resolve()
  const refused = outcome(of('bomb'))
  await settle()
  answers[0]?.reject(new ModelFailed({ model: 'slow', reason: 'it refused', isRetryable: false }))
  expect(await refused).toMatch(/failed: it refused/)
  const next = outcome(of('ferry'))
  await settle()
  answers[1]?.resolve([unit])
  expect(await next).toBe('meant')
})

test('a model that ends with its memory is no failure to warn of', async () => {
  const { questions, loading, answers, warnings, of } = asked()
  loading.resolve()
  const answer = outcome(of('ferry'))
  await settle()
  questions.close()
  answers.at(-1)?.reject(new ModelFailed({ model: 'slow', reason: 'it is closed', isRetryable: false }))
  expect(await answer).toContain('words only')
  expect(warnings).toEqual([])
})
