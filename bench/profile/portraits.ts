import type { UserMemory } from '../../packages/varve/src/index.ts'

/** Returns the lines of a person's profile: the facts that are always told, then what the person said. */
export async function profileLines(user: UserMemory, person: string): Promise<readonly string[]> {
  const found = (await user.profile()).portraits.find(isOf(person))
  if (found === undefined) return []
  return [...found.facts.map(({ predicate, object }) => `${predicate} ${object}`), ...found.sayings.map(({ text }) => text)]
}

/** Returns the facts on a person alone, the most said first. */
export async function factLinesOf(user: UserMemory, person: string): Promise<readonly string[]> {
  const found = (await user.profile()).subjects.find(isOf(person))
  return (found?.facts ?? []).map(({ predicate, object }) => `${predicate} ${object}`)
}

function isOf(person: string): (one: { readonly subject: string }) => boolean {
  return ({ subject }) => subject.toLowerCase() === person.toLowerCase()
}
