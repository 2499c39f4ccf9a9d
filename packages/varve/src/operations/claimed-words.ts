import { type Origin, origins } from '../messages/message.ts'
import { claimedOrigin } from '../messages/validate.ts'
import type { AnyOperation } from './operation.ts'

/**
 * Whose words a write stores, for keys that may not claim every origin.
 * `none`: nobody's, or only what is stored already. `messages`: each message claims an origin. `writer`: an agent's or, where
 * it names no writer, a person's. `person`: a person's. `any`: those of all origins, as an export has them.
 */
export type ClaimedWords = 'none' | 'messages' | 'writer' | 'person' | 'any'

/** The decision for each write. A write without one is refused to such a key. */
export const claimedWords: Readonly<Record<string, ClaimedWords>> = {
  append: 'messages',
  // The message keeps its origin, which may be a person.
  replace: 'person',
  import: 'any',
  'project.import': 'any',
  'imports.accept': 'any',
  'imports.discard': 'none',
  distil: 'none',
  forget: 'none',
  confirmForget: 'none',
  'sessions.ensure': 'none',
  'sessions.rename': 'none',
  'sessions.share': 'none',
  'sessions.delete': 'none',
  'settings.set': 'none',
  'blocks.set': 'writer',
  'blocks.append': 'writer',
  'blocks.delete': 'none',
  'blocks.reorder': 'none',
  // What a restore writes bears the name of a person.
  'blocks.restore': 'person',
  'gists.write': 'person',
  'gists.restore': 'person',
  'gists.distil': 'none',
  'facts.add': 'writer',
  'facts.correct': 'writer',
  'facts.retract': 'writer',
  // It undoes what a person may have corrected.
  'facts.restore': 'person',
  // A merge makes all that is known of a name count for another, the user included.
  'facts.merge': 'person',
  'facts.unmerge': 'person',
  'instructions.add': 'writer',
  'instructions.edit': 'person',
  'instructions.withdraw': 'writer',
  'instructions.restore': 'person',
  'pendingForget.confirm': 'none',
  'pendingForget.dismiss': 'none',
  'readings.next': 'none',
  // What an answer states cites messages of persons, and counts as their words.
  'readings.done': 'person',
  'documents.edit': 'writer',
  'documents.restore': 'person',
  'documents.delete': 'none',
  'documents.memorize': 'none',
  'notes.update': 'none',
  'notes.edit': 'person',
  'notes.restore': 'person',
  'notes.delete': 'none',
  'bank.pin': 'none',
  'bank.correct': 'person',
  'bank.delete': 'none',
  'bank.clear': 'none',
  'bank.restore': 'person',
  'bank.rebuild': 'none',
  'bank.setSharing': 'none',
  'bank.withdraw': 'none',
  'project.settings.set': 'none',
  'projects.create': 'none',
  'projects.delete': 'none',
  'receipts.replay': 'none',
  'upkeep.run': 'none',
  backup: 'none',
  'keys.create': 'none',
  'keys.revoke': 'none',
}

/**
 * The field by which a write rests on messages of a person. A key that may not claim a person leaves it out: what cites a
 * person's message counts as that person's words, whatever the message says.
 */
export const citing: Readonly<Record<string, string>> = { 'facts.add': 'sources' }

/** The writer of a key that may not claim a person and names no writer. */
export const agentWriter = 'agent'

/**
 * Gives the input of a call as a key may make it. Undefined when the call would store words of an origin that the key may
 * not claim: nothing was stored then.
 */
export function withinOrigins<Input extends object>(
  claims: readonly Origin[] | undefined,
  { name, kind }: Pick<AnyOperation, 'name' | 'kind'>,
  input: Input,
): Input | undefined {
  if (claims === undefined || kind === 'read') return input
  const words = Object.hasOwn(claimedWords, name) ? claimedWords[name] : undefined
  if (words === 'none') return input
  if (words === 'messages') return originsIn(input).every((origin) => claims.includes(origin)) ? input : undefined
  if (words === 'any') return origins.every((origin) => claims.includes(origin)) ? input : undefined
  if (claims.includes('person')) return words === undefined ? undefined : input
  if (cites(name, input)) return undefined
  return words === 'writer' ? { ...input, writer: Reflect.get(input, 'writer') ?? agentWriter } : undefined
}

function cites(name: string, input: object): boolean {
  const field = Object.hasOwn(citing, name) ? citing[name] : undefined
  const cited: unknown = field === undefined ? undefined : Reflect.get(input, field)
  return cited !== undefined && !(Array.isArray(cited) && cited.length === 0)
}

/** Gives the origins that the messages of an append claim. One that cannot be stored claims none: append refuses it. */
function originsIn(input: object): readonly Origin[] {
  const given: unknown = Reflect.get(input, 'messages')
  const messages: readonly unknown[] = Array.isArray(given) ? given : [given]
  return messages.flatMap((message) => (typeof message === 'object' && message !== null ? (claimedOrigin(message) ?? []) : []))
}
