import { AssertionError } from 'node:assert/strict'
import type { PartitionId } from '../../scope/partition.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { userOf } from './check.ts'

/** Two that have one place open; twice the same one where a place cannot be opened twice. */
export type Pair = readonly [StoreUnderTest, StoreUnderTest]

/** A check on what happens when programs run at the same time. */
export interface RaceCheck {
  readonly name: string
  run(stores: Pair): Promise<void>
}

/**
 * How often each race is run. A store that awaits at every step loses each of them, one over a network some: then
 * none may be lost in all rounds.
 */
export const rounds = 12

/** How many claim the same thing at once, and how often: each of them races each other. */
const claimants = 4
export const contests = rounds / 2

/** Runs a race in each round, of a user of its own. */
export async function inRounds(run: (owner: PartitionId, round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await run(userOf('acme', `user ${round}`), round)
}

/**
 * By how many steps more the later of two calls begins behind the earlier in every other round: their steps meet at
 * another place each time.
 */
const stepsBehind = 4

/**
 * Runs two calls at once: each begins first in every other round, at once or some steps before the other, through one
 * handle and through two.
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

/** Runs a claim for several holders at once, through one handle and the other in turn; gives back what each came to. */
export async function contest<Result>(
  [one, other]: Pair,
  claim: (store: StoreUnderTest, holder: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const calls = Array.from({ length: claimants }, (_, place) => claim(place % 2 === 0 ? one : other, `holder ${place}`))
  return (await Promise.allSettled(calls)).map((outcome) => fulfilled(outcome))
}

/** What a call came to, which had no reason to fail. */
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
