import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { parseScope, type ScopeInput } from '../../scope/scope.ts'
import type { TurnPlace } from '../../turns/turn-captures.ts'
import type { TurnDoor } from '../../turns/turn-door.ts'
import { isPersons, itemWords } from './item.ts'

/** What a model is given, as the SDK shows it to a filter. */
export interface ModelInput<Item> {
  input: Item[]
  instructions?: string
}

/** The contexts that a session knows again, by their hashes. */
const mostKnown = 1_000

/** Puts contexts into the input of a session's runs, and knows them again. */
export class AgentContexts {
  readonly #session: string
  readonly #door: TurnDoor
  /** The turn that each user's newest run is in, by partition. */
  readonly #turns = new LRUCache<string, { readonly place: TurnPlace; readonly name: string }>({ max: mostKnown })
  readonly #known = new LRUCache<string, true>({ max: mostKnown })

  constructor(session: string, door: TurnDoor) {
    this.#session = session
    this.#door = door
  }

  /** Puts the context in front of the newest message of a person. Never rejects: a run goes on without memory. */
  async put<Item extends object>(scopeOf: () => ScopeInput, asked: ModelInput<Item>): Promise<ModelInput<Item>> {
    const { input } = asked
    const at = input.findLastIndex(isPersons)
    const said = input[at]
    // Without a user, or with a closed memory, the session itself tells what is wrong.
    const place = said === undefined ? undefined : this.#door.place(() => ({ scope: scopeOf() }))
    if (said === undefined || place === undefined) return asked
    const name = JSON.stringify([place.key, at, said])
    this.#turns.set(partitionKey(scopeOf()), { place, name })
    const question = { name, isUnderWay: at < input.length - 1, query: itemWords(said), excludeSession: this.#session }
    const { text } = await this.#door.told(place, question)
    if (text === undefined) return asked
    this.#known.set(hash('sha256', text), true)
    // The SDK takes a message of a person as it is here.
    return { ...asked, input: input.toSpliced(at, 0, Object({ type: 'message', role: 'user', content: text })) }
  }

  /** A run begins: it was told nothing yet. */
  begins(partition: string): void {
    this.#turns.delete(partition)
  }

  /** Tells whether everything is there that a user's run was told. */
  async stands(partition: string): Promise<boolean> {
    const turn = this.#turns.get(partition)
    return turn === undefined || this.#door.stands(turn.place, turn.name)
  }

  /** Tells whether an item is a context that was put in. */
  isPutIn(item: object): boolean {
    const { content } = Object(item)
    return isPersons(item) && typeof content === 'string' && this.#known.has(hash('sha256', content))
  }
}

/** Identifies a user's memory. Throws InvalidScope. */
export function partitionKey(scope: ScopeInput): string {
  return JSON.stringify(parseScope(scope).partition)
}
