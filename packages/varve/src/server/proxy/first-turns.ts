import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The longest time until an equal request counts as the same words sent again. A session settles after it too. */
const againMs = 600_000
const maxHeld = 10_000

/** A request without history: the first turn of a conversation, or its newest message alone. It holds no words and no names. */
export interface FirstTurn {
  /** UTC milliseconds. */
  readonly at: number
  /** Identifies its messages. */
  readonly asked: string
  /** Makes the ids of its messages, which are the same when it is sent again. */
  readonly seed: string
  /** True until another message without history came in its session. */
  readonly isFirst: boolean
  /** The session that its first reply named, once that is known. */
  session: string | undefined
  /** True when a reply came to its end. */
  isAnswered: boolean
}

/**
 * Holds the first turns of conversations, of this process. One that is sent again gets another reply: both belong to
 * one session, which the first reply names.
 */
export class FirstTurns {
  readonly #now: () => number
  readonly #turns = new LRUCache<string, FirstTurn>({ max: maxHeld })
  /** The sessions of first replies by which they are not named. */
  readonly #sessions = new LRUCache<string, string>({ max: maxHeld })
  /** The first reply from which a session went on. */
  readonly #branches = new LRUCache<string, string>({ max: maxHeld })
  /** Keys whose programs send their history. */
  readonly #historyKeys = new LRUCache<string, true>({ max: maxHeld })

  constructor(now: () => number) {
    this.#now = now
  }

  /** Gives the turn that this one repeats, when that was lately and `isSame` holds; else begins a new one. */
  turn(
    key: string,
    asked: string,
    seed: string,
    isSame: (before: FirstTurn) => boolean,
  ): { readonly turn: FirstTurn; readonly isAgain: boolean } {
    const before = this.#turns.get(key)
    const at = this.#now()
    if (before !== undefined && before.asked === asked && at - before.at <= againMs && isSame(before))
      return { turn: before, isAgain: true }
    const turn = { at, asked, seed, isFirst: before === undefined, session: undefined, isAnswered: false }
    this.#turns.set(key, turn)
    return { turn, isAgain: false }
  }

  learnHistoryOf(keyId: string): void {
    this.#historyKeys.set(keyId, true)
  }

  sendsHistory(keyId: string): boolean {
    return this.#historyKeys.has(keyId)
  }

  /** True when a person spoke again after a first reply of the session. */
  hasGoneOn(session: string): boolean {
    return this.#branches.has(session)
  }

  /** Puts a first reply into the session of its turn. */
  learn(opening: string, session: string): void {
    if (session !== sessionOpenedBy(opening)) this.#sessions.set(opening, session)
  }

  /**
   * Gives the session of a conversation by what opened it. Of two replies to one first turn, the one from which the
   * conversation goes on first keeps the session; from then on the other's is a conversation of its own.
   */
  session(opening: string, isContinued: boolean): string {
    const session = this.#sessions.get(opening) ?? sessionOpenedBy(opening)
    const branch = this.#branches.get(session)
    if (!isContinued || branch === opening) return session
    const own = branch === undefined ? session : sessionOpenedBy(createHash('sha256').update(`${session} ${opening}`).digest('base64url'))
    this.#branches.set(own, opening)
    this.learn(opening, own)
    return own
  }
}

/** Names a session by a hash of what opened it. */
export function sessionOpenedBy(opening: string): string {
  return `proxy-${opening.slice(0, 22)}`
}
