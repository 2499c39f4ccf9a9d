import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { ScopeNames } from './tanstack-scope.ts'
import type { TanStackTurn } from './tanstack-shapes.ts'

/** The most turns whose places are held. */
const maxHeld = 10_000

/**
 * Gives turns their ids. TanStack gives a turn none, so it is told by its words and its place in the session: the same
 * words at another place are said again, the same words at the same place are delivered again.
 */
export class TurnPlaces {
  /** The newest message of a session when memory was asked for a question, by a digest of both. */
  readonly #places = new LRUCache<string, number>({ max: maxHeld })

  /** Notes the place of a turn that begins. */
  async begins(memory: Pick<UserMemory, 'messages'>, names: ScopeNames, words: string, deadlineMs: number): Promise<void> {
    this.#places.set(keyOf(names, words), (await newest(memory, names, { limit: 1, deadlineMs }))[0]?.seq ?? 0)
  }

  /**
   * Gives the id of a turn. One that did not begin here is delivered again when it is the newest of its session: the same
   * words are rarely said twice in a row.
   */
  async idOf(memory: Pick<UserMemory, 'messages'>, names: ScopeNames, turn: TanStackTurn): Promise<string> {
    const begun = this.#places.get(keyOf(names, turn.user))
    if (begun !== undefined) return turnId(begun, turn)
    const [first, last = first] = await newest(memory, names, { limit: 2 })
    const again = turnId((first?.seq ?? 1) - 1, turn)
    return first?.externalId?.startsWith(again) === true ? again : turnId(last?.seq ?? 0, turn)
  }
}

function newest(memory: Pick<UserMemory, 'messages'>, { session }: ScopeNames, options: Parameters<UserMemory['messages']>[1]) {
  return memory.messages(session, options)
}

function keyOf({ project, user, session }: ScopeNames, words: string): string {
  return digest([project, user, session, words])
}

function turnId(place: number, { user, assistant }: TanStackTurn): string {
  return `turn-${digest([place, user, assistant])}`
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
