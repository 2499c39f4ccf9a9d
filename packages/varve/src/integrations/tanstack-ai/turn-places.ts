import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import { inTime } from '../../turns/in-time.ts'
import type { TurnPlace } from '../../turns/turn-captures.ts'
import type { TurnMemory } from '../../turns/turn-memory.ts'
import type { TanStackTurn } from './tanstack-shapes.ts'

type Place = TurnPlace<TurnMemory & Pick<UserMemory, 'messages'>>

/** The most turns whose places are held. */
const maxHeld = 10_000

/**
 * Gives turns their ids. TanStack gives a turn none, so it is told by its words and its place in the session: the same
 * words at another place are said again, the same words at the same place are delivered again.
 */
export class TurnPlaces {
  /** The newest message of a session when memory was asked for a question, by a digest of both. */
  readonly #places = new LRUCache<string, number | string>({ max: maxHeld })

  /** Notes the place of a turn that begins. Where it cannot be told in time, the turn has one of its own. */
  async begins(of: Place, words: string, deadlineMs: number): Promise<void> {
    const place = await inTime('messages', deadlineMs, () => newest(of, 1, deadlineMs)).then(
      ([message]) => message?.seq ?? 0,
      () => randomUUID(),
    )
    this.#places.set(digest([of.key, words]), place)
  }

  /**
   * Gives the ids of a turn. One that did not begin here is delivered again when it is the newest of its session: the same
   * words are rarely said twice in a row.
   */
  async idsOf(of: Place, turn: TanStackTurn, deadlineMs: number): Promise<TurnIds> {
    const begun = this.#places.get(digest([of.key, turn.user]))
    if (begun !== undefined) return turnIds(begun, turn)
    const last = await newest(of, 2, deadlineMs)
    const again = last.map(({ seq }) => seq - 1).find((place, at) => turnIds(place, turn).user === last[at]?.externalId)
    return turnIds(again ?? last.at(-1)?.seq ?? 0, turn)
  }
}

/** The ids of a turn's messages. */
export interface TurnIds {
  readonly user: string
  readonly assistant: string
}

function newest({ memory, session = '' }: Place, limit: number, deadlineMs: number) {
  return memory.messages(session, { limit, deadlineMs })
}

/** The person's words have the same id before and after they are answered. */
function turnIds(place: number | string, { user, assistant }: TanStackTurn): TurnIds {
  const turn = `turn-${digest([place, user])}`
  return { user: `${turn}-user`, assistant: `${turn}-${digest([assistant])}` }
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
