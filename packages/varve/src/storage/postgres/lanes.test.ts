import { expect, test } from 'vitest'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { NotFound } from '../../errors/not-found.ts'
import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import type { Patience } from '../patience.ts'
import { answer, type Program } from '../program.ts'
import { type AskedOfWrite, Lanes } from './lanes.ts'

const full = { weight: 1, patience: 'full', scope: undefined } as const
const brief = { ...full, patience: 'brief' } as const

/** Runs programs without steps, and notes which were run together. A gate holds a transaction up. */
class Commits {
  readonly all: { readonly said: readonly string[]; readonly patience: Patience }[] = []
  readonly lanes = new Lanes((programs, asked) => this.#write(programs, asked))
  /** Held up before the programs run, by the first word of a transaction. */
  readonly gates = new Map<string, Promise<void>>()
  #said: string[] = []

  /** Notes a word, and answers it. */
  say(word: string): () => Program<string> {
    const said = (): void => void this.#said.push(word)
    return function* () {
      said()
      return yield* answer(word)
    }
  }

  /** Notes a word, and refuses the call. */
  refuse(word: string): () => Program<string> {
    const said = (): void => void this.#said.push(word)
    return function* () {
      said()
      yield* answer(word)
      throw new NotFound({ kind: 'session', id: word })
    }
  }

  async #write(programs: readonly (() => Program<void>)[], { patience }: AskedOfWrite): Promise<void> {
    this.#said = []
    try {
      for (const program of programs) program().next([])
    } finally {
      this.all.push({ said: this.#said, patience })
    }
    await this.gates.get(this.#said[0] ?? '')
  }

  get said(): readonly (readonly string[])[] {
    return this.all.map(({ said }) => said)
  }
}

function gate(): { readonly closed: Promise<void>; open(): void; break(error: Error): void } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { closed: promise, open: resolve, break: reject }
}

test('writes of one lane that wait together share a commit, in their order, and each gets its answer', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const answers = ['a', 'b', 'c'].map((word) => lanes.write(commits.say(word), { ...full, lane: 'ada' }))
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'])
  expect(commits.said).toEqual([['a', 'b', 'c']])
})

test('a lane has one transaction at a time, and what comes meanwhile shares the next', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const first = gate()
  commits.gates.set('a', first.closed)
  const answers = [lanes.write(commits.say('a'), { ...full, lane: 'ada' })]
  await Promise.resolve()
  answers.push(...['b', 'c'].map((word) => lanes.write(commits.say(word), { ...full, lane: 'ada' })))
  // Another lane, and a write without one, do not wait for it.
  expect(await lanes.write(commits.say('x'), { ...full, lane: 'bob' })).toBe('x')
  expect(await lanes.write(commits.say('y'), { ...full, lane: undefined })).toBe('y')
  expect(commits.said).toEqual([['a'], ['x'], ['y']])
  first.open()
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c'])
  expect(commits.said.slice(3)).toEqual([['b', 'c']])
})

test('a refused write does not take the others of its commit with it, and their order stays', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const settled = await Promise.allSettled([
    lanes.write(commits.say('a'), { ...full, lane: 'ada' }),
    lanes.write(commits.refuse('b'), { ...full, lane: 'ada' }),
    lanes.write(commits.say('c'), { ...full, lane: 'ada' }),
  ])
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code))).toEqual(['a', 'NOT_FOUND', 'c'])
  expect(commits.said).toEqual([['a', 'b'], ['a'], ['b'], ['c']])
})

test('without its server no write is tried alone: each gets the error, and the next ones are tried', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const lost = gate()
  commits.gates.set('a', lost.closed)
  const both = Promise.allSettled(['a', 'b'].map((word) => lanes.write(commits.say(word), { ...full, lane: 'ada' })))
  const error = new StoreUnreachable({ store: 'db', reason: 'ECONNRESET' })
  lost.break(error)
  expect((await both).map((one) => one.status === 'rejected' && one.reason)).toEqual([error, error])
  expect(await lanes.write(commits.say('c'), { ...full, lane: 'ada' })).toBe('c')
  expect(commits.said).toEqual([['a', 'b'], ['c']])
})

test('a commit carries at most 500 messages, or one heavier write', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const weights = { a: 300, b: 200, c: 1, d: 900, e: 1 }
  await Promise.all(Object.entries(weights).map(([word, weight]) => lanes.write(commits.say(word), { ...full, lane: 'ada', weight })))
  expect(commits.said).toEqual([['a', 'b'], ['c'], ['d'], ['e']])
})

test('a commit is as patient as its most patient write', async () => {
  const commits = new Commits()
  const { lanes } = commits
  await Promise.all([lanes.write(commits.say('a'), { ...brief, lane: 'ada' }), lanes.write(commits.say('b'), { ...full, lane: 'ada' })])
  await Promise.all([lanes.write(commits.say('c'), { ...brief, lane: 'ada' }), lanes.write(commits.say('d'), { ...brief, lane: 'ada' })])
  expect(commits.all.map(({ patience }) => patience)).toEqual(['full', 'brief'])
})

test('a program that begins anew answers what its last run gave', async () => {
  let run = 0
  const lanes = new Lanes(async (programs) => {
    for (let attempt = 0; attempt < 3; attempt += 1) for (const program of programs) program().next([])
  })
  const counting = function* (): Program<number> {
    run += 1
    return yield* answer(run)
  }
  expect(await lanes.write(counting, { ...full, lane: 'ada' })).toBe(3)
})

test('a close answers what was accepted, in lanes and without, and refuses what comes later', async () => {
  const commits = new Commits()
  const { lanes } = commits
  const first = gate()
  commits.gates.set('a', first.closed)
  const accepted = [lanes.write(commits.say('a'), { ...full, lane: 'ada' }), lanes.write(commits.say('x'), { ...full, lane: undefined })]
  await Promise.resolve()
  accepted.push(lanes.write(commits.say('b'), { ...full, lane: 'ada' }))
  let isClosed = false
  const closing = lanes.close().then(() => {
    isClosed = true
  })
  await expect(lanes.write(commits.say('late'), { ...full, lane: 'ada' })).rejects.toBeInstanceOf(MemoryClosed)
  expect(isClosed).toBe(false)
  first.open()
  await closing
  expect(await Promise.all(accepted)).toEqual(['a', 'x', 'b'])
  expect(commits.said.flat()).not.toContain('late')
})
