import type { Message } from '../messages/message.ts'
import type { Memory } from '../memory/memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'

type Receipt = Awaited<ReturnType<Memory['receipts']['get']>>
type UpkeepRun = Awaited<ReturnType<Memory['upkeep']['runs']>>[number]

/** Something that became visible in a store, whichever process did it. */
export type StoreEvent =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'forgotten' | 'erased'; readonly receipt: Receipt }
  | { readonly type: 'upkeep'; readonly run: UpkeepRun }

/** What a follower may tell beside the messages of its user. */
export interface Followable {
  /** The project whose upkeep is told; undefined for that of all projects. */
  readonly project: string | undefined
  /** Receipts name no project, so they are told only to a reader of the whole store. */
  readonly receipts: boolean
  readonly runs: boolean
}

/** The most messages, receipts and runs that one look reads. Messages beyond it come at the next look. */
const mostAtOnce = 100

/** Looks at a store again and again, and tells what came since the look before. It holds at most `mostAtOnce` of each kind. */
export class StoreFollower {
  readonly #memory: Memory
  readonly #handle: UserMemory
  readonly #of: Followable
  #place: string | undefined
  #receipts: ReadonlyMap<string, Receipt['physical']> | undefined
  #runs: ReadonlySet<string> | undefined

  constructor(memory: Memory, handle: UserMemory, of: Followable) {
    this.#memory = memory
    this.#handle = handle
    this.#of = of
  }

  /** Reads what is new. The first look only notes where the store stands. */
  async look(): Promise<readonly StoreEvent[]> {
    return [
      ...(await this.#messages()),
      ...(this.#of.receipts ? await this.#erasures() : []),
      ...(this.#of.runs ? await this.#upkeep() : []),
    ]
  }

  async #messages(): Promise<readonly StoreEvent[]> {
    const options = { limit: mostAtOnce, ...(this.#place === undefined ? {} : { after: this.#place }) }
    const { messages, place } = await this.#handle.follow(options)
    this.#place = place
    return messages.map((message) => ({ type: 'message', message }))
  }

  async #erasures(): Promise<readonly StoreEvent[]> {
    const receipts = await this.#memory.receipts.list({ limit: mostAtOnce })
    const known = this.#receipts
    this.#receipts = new Map(receipts.map(({ id, physical }) => [id, physical]))
    if (known === undefined) return []
    const fresh = newOnes(receipts, ({ id }) => known.has(id))
    const done = receipts.filter((one) => one.physical === 'done' && (known.get(one.id) === 'pending' || fresh.includes(one)))
    return [
      ...fresh.map((receipt) => ({ type: 'forgotten', receipt }) as const),
      ...done.toReversed().map((receipt) => ({ type: 'erased', receipt }) as const),
    ]
  }

  async #upkeep(): Promise<readonly StoreEvent[]> {
    const { project } = this.#of
    const runs = await this.#memory.upkeep.runs({ limit: mostAtOnce, ...(project === undefined ? {} : { project }) })
    const known = this.#runs
    this.#runs = new Set(runs.map(stateOf))
    if (known === undefined) return []
    return newOnes(runs, (run) => known.has(stateOf(run))).map((run) => ({ type: 'upkeep', run }))
  }
}

/** Gives the items before the first known one, the oldest first. Below it, an old item may have come up to the page. */
function newOnes<Item>(newestFirst: readonly Item[], isKnown: (item: Item) => boolean): readonly Item[] {
  const at = newestFirst.findIndex(isKnown)
  return newestFirst.slice(0, at === -1 ? undefined : at).toReversed()
}

/** A run that goes on is stored again under its id, so its end tells it apart. */
function stateOf({ id, project, endedAt }: UpkeepRun): string {
  return JSON.stringify([id, project ?? null, endedAt])
}
