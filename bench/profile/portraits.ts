import type { UserMemory } from '../../packages/varve/src/index.ts'

/** Returns the lines of a person's portrait. */
export async function profileLines(user: UserMemory, person: string): Promise<readonly string[]> {
  return ((await user.profile()).portraits.find(isOf(person))?.sayings ?? []).map(({ text }) => text)
}

/** Returns the facts on a person alone, the most said first. */
export async function factLinesOf(user: UserMemory, person: string): Promise<readonly string[]> {
  const found = (await user.profile()).subjects.find(isOf(person))
  return (found?.facts ?? []).map(({ predicate, object }) => `${predicate} ${object}`)
}

function isOf(person: string): (one: { readonly subject: string }) => boolean {
  return ({ subject }) => subject.toLowerCase() === person.toLowerCase()
}
