import type { MemoryUnderTest, OpenedMemory, OwnerKey } from './memory-under-test.ts'

/** An owner who has memory, with a word that nobody else was told. */
export interface Resident<Handle> {
  readonly key: OwnerKey
  readonly handle: Handle
  readonly secret: string
  readonly ids: readonly string[]
}

/** The session that every owner has. */
export const sharedSession = 'talk'

/** A question that meets every owner's text. It holds no secret, so an answer that repeats it gives nothing away. */
export const harbourQuestion = 'What is the code of the harbour gate?'

const texts = (secret: string): readonly string[] => [
  `The code of the harbour gate is ${secret}.`,
  `I told nobody that ${secret} opens the harbour gate.`,
]

/**
 * Gives an owner texts with the secret. Returns undefined where the memory refuses the name, at once or at the first
 * write: a refused name is apart from every other.
 */
export async function settle<Handle>(
  memory: MemoryUnderTest<Handle>,
  opened: OpenedMemory<Handle>,
  key: OwnerKey,
  secret: string,
  said = 2,
): Promise<Resident<Handle> | undefined> {
  const [first, ...others] = texts(secret).slice(0, said)
  let handle: Handle
  const ids: string[] = []
  try {
    handle = await opened.handle(key)
    ids.push(...(await memory.write(handle, sharedSession, first ?? secret)))
  } catch {
    return undefined
  }
  for (const text of others) ids.push(...(await memory.write(handle, sharedSession, text)))
  return { key, handle, secret, ids }
}

/** Random owners: some share a project, some a user, and some have names that begin alike. The same seed gives the same. */
export function randomOwners(seed: number, apart: readonly (keyof OwnerKey)[]): readonly OwnerKey[] {
  const random = numbers(seed)
  const word = (): string => Array.from({ length: 4 }, () => 'abdegiklmnoprstu'[Math.floor(random() * 16)]).join('')
  const [one, other, third] = [word(), word(), word()]
  const keys = [
    { project: one, user: other },
    { project: one, user: third },
    { project: one, user: `${other}${word()}` },
    { project: third, user: other },
    { project: other, user: one },
  ]
  return keys.filter((key, at) => keys.findIndex((earlier) => apart.every((name) => earlier[name] === key[name])) === at)
}

/** A word that no text holds by chance, and that no stemmer shortens. */
export function secretOf(seed: number, place: number): string {
  const random = numbers(seed * 1_000 + place)
  return `q${Array.from({ length: 11 }, () => 'bcdfghjkmnpqrtvwxz'[Math.floor(random() * 18)]).join('')}k`
}

/** Numbers from 0 to 1, the same for the same seed: a linear congruence with the constants of Numerical Recipes. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
