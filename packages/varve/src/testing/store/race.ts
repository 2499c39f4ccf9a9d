import { AssertionError } from 'node:assert/strict'
import type { PartitionId } from '../../scope/partition.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { userOf } from './check.ts'

/** Two handles of one open place; twice the same handle when a place cannot be opened twice. */
export type Pair = readonly [StoreUnderTest, StoreUnderTest]

/** A check of programs that run at the same time. */
export interface RaceCheck {
  readonly name: string
  run(stores: Pair): Promise<void>
}

/**
 * The rounds of each race. A faulty store that awaits at every step fails in every round, a faulty store over a network
 * in some. So a race must succeed in all rounds.
 */
export const rounds = 12

/** The number of holders that claim the same thing at once, and the number of contests. All holders of a contest race each other. */
const claimants = 4
export const contests = rounds / 2

/** Runs a race in each round, with a user of its own. */
export async function inRounds(run: (owner: PartitionId, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await run(userOf('acme', `user ${round}`), round)
}

/** Every second round, the later call starts so many steps later than before, so that the steps meet at another place. */
const stepsBehind = 4

/**
 * Runs two calls at once, through one handle and through two. Each begins first in every other round, at once or some
 * steps before the other.
 */
export async function race<First, Second>(
  [one, other]: Pair,
  round: number,
  first: (store: StoreUnderTest) => Promise<First>,
  second: (store: StoreUnderTest) => Promise<Second>,
): Promise<readonly [PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const ways: readonly Pair[] = [
    [one, other],
    [other, one],
    [one, one],
  ]
  const [near, far] = ways[(round >> 1) % ways.length] ?? [one, other]
  const turns = (round >> 1) * stepsBehind
  const isFirst = round % 2 === 0
  return Promise.allSettled([
    isFirst ? first(near) : after(turns, () => first(near)),
    isFirst ? after(turns, () => second(far)) : second(far),
  ])
}

async function after<Result>(turns: number, call: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  return call()
}

/** Runs a claim for several holders at once, through both handles in turn. Returns the result of each. */
export async function contest<Result>(
  [one, other]: Pair,
  claim: (store: StoreUnderTest, holder: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const calls = Array.from({ length: claimants }, (_, place) => claim(place % 2 === 0 ? one : other, `holder ${place}`))
  return (await Promise.allSettled(calls)).map((outcome) => fulfilled(outcome))
}

/** Returns the result of a call that had no reason to fail. */
export function fulfilled<Result>(outcome: PromiseSettledResult<Result>): Result {
  if (outcome.status === 'fulfilled') return outcome.value
  throw new AssertionError({
    message: `a call that could be done beside another was refused: ${String(outcome.reason)}`,
    actual: outcome.reason,
  })
}

export function allFulfilled(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  for (const outcome of outcomes) fulfilled(outcome)
}
