import type { UserMemory } from '../../packages/varve/src/index.ts'

/** Returns the lines of a person's profile. */
export async function profileLines(user: UserMemory, person: string): Promise<readonly string[]> {
  const found = (await user.profile()).subjects.find(({ subject }) => subject.toLowerCase() === person.toLowerCase())
  return (found?.facts ?? []).map(({ predicate, object }) => `${predicate} ${object}`)
}
