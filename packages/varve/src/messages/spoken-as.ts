import type { Message, Origin, Role } from './message.ts'

/** A message, as far as it tells whose words it has. */
export type SpokenWords = Pick<Message, 'role' | 'name'> & { readonly origin?: Origin }

/** Gives the role that a message's words have. Words in the user's place that no person said have their origin's: a subagent's task. */
export function spokenAs({ role, origin = 'person' }: Pick<SpokenWords, 'role' | 'origin'>): Role {
  return role === 'user' && origin !== 'person' ? origin : role
}

/** Names the speaker of a message: by name, or by the role of its words. */
export function spokenBy(message: SpokenWords): string {
  return message.name ?? spokenAs(message)
}
