import type { BreachCheck } from './breach-check.ts'
import { joinedAlike, joints, lookAlikes } from './look-alike-keys.ts'
import type { MemoryUnderTest, OpenedMemory, OwnerKey } from './memory-under-test.ts'
import { secretOf, settle } from './owners.ts'
import { wordsWithin } from './words-within.ts'

type Pair = readonly [one: OwnerKey, other: OwnerKey]

/** Checks of names that look alike, one check for each kind of mistake. */
export function apartChecks(apart: readonly (keyof OwnerKey)[]): readonly BreachCheck[] {
  const alike = Object.entries(lookAlikes).map(([kind, names]) =>
    pairsCheck(
      `owners whose names differ in ${kind} are two owners`,
      names.flatMap(([one, other]) => pairsOf(one, other, apart)),
    ),
  )
  const joined = pairsCheck('owners whose joined names are the same are two owners', joints.map(joinedAlike))
  return apart.length === 2 ? [...alike, joined] : alike
}

/** Two owners for each name that tells owners apart. A number goes before the other name, so that pairs are apart too. */
function pairsOf(one: string, other: string, apart: readonly (keyof OwnerKey)[]): Pair[] {
  const base = { project: 'acme', user: 'kim' }
  return apart.map((name): Pair => [
    { ...base, [name]: one },
    { ...base, [name]: other },
  ])
}

function pairsCheck(name: string, pairs: readonly Pair[]): BreachCheck {
  return {
    name,
    breaches: async (memory, opened, seed) => {
      const found: string[] = []
      for (const [place, pair] of pairs.entries()) found.push(...(await breachesOf(memory, opened, pair, seed + place)))
      return found
    },
  }
}

/** Both owners write; then neither sees the other's secret, and one forgets all without the other's loss. */
async function breachesOf<Handle>(
  memory: MemoryUnderTest<Handle>,
  opened: OpenedMemory<Handle>,
  [one, other]: Pair,
  seed: number,
): Promise<readonly string[]> {
  const first = await settle(memory, opened, one, secretOf(seed, 50), 1)
  const second = await settle(memory, opened, other, secretOf(seed, 51), 1)
  if (first === undefined || second === undefined) return []
  const shown = `${JSON.stringify(one)} and ${JSON.stringify(other)}`
  const [hers, his] = [await wordsWithin(await memory.state(first.handle)), await wordsWithin(await memory.state(second.handle))]
  if (hers.includes(second.secret) || his.includes(first.secret)) return [`${shown} are one owner`]
  if (!hers.includes(first.secret) || !his.includes(second.secret)) return [`${shown}: one of them lost what was written`]
  if (memory.forgetAll === undefined) return []
  await memory.forgetAll(first.handle)
  return (await wordsWithin(await memory.state(second.handle))).includes(second.secret)
    ? []
    : [`${shown}: forgetting one forgets the other`]
}
