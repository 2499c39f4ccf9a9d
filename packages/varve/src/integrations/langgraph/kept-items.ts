import type { UserMemory } from '../../memory/user-memory.ts'
import type { Message, MessageInput } from '../../messages/message.ts'
import { ifKnown, messagePages, newestMessage } from '../stored-messages.ts'
import { itemHeadOf, type ItemHead, labelsOf, messageOfPut, type PutItem } from './item-message.ts'
import { isUnder, type Namespace } from './namespace.ts'

/** The part of a user's memory that keeps the items of a graph's store. */
export type StoreMemory = Pick<UserMemory, 'append' | 'messages' | 'recall' | 'forget'> & {
  readonly sessions: Pick<UserMemory['sessions'], 'get' | 'ensure'>
}

/** Where an item lies, and what is known of it without its value. */
export interface ItemPlace extends ItemHead {
  readonly id: string
  readonly seq: number
}

/** Items that are read one by one rather than with all that lies between them. */
const fewItems = 50

/** The most messages that one call forgets, and the tries when others erase the same. */
const mostForgotten = 1_000
const mostTries = 20

/** What was known of the session when it was last looked at. */
interface Seen {
  readonly createdAt: number | undefined
  readonly messages: number
  readonly newest: number
}

const nothingSeen: Seen = { createdAt: undefined, messages: 0, newest: 0 }

/** No layer is made of the items: they are no talk. */
const noLayers = { gists: false, bank: false, facts: false, documents: false, notes: false, instructions: false }

/**
 * The items of one user: messages of one session. Places are held and not values. The number of messages and the last one
 * tell whether another process changed something: each change adds a message or takes one away.
 */
export class KeptItems {
  readonly #memory: StoreMemory
  readonly #session: string
  readonly #places = new Map<string, ItemPlace>()
  /** Items that a later one of their key took the place of, and that are still to be erased. */
  #outdated: ItemPlace[] = []
  #seen: Seen = nothingSeen

  constructor(memory: StoreMemory, session: string) {
    this.#memory = memory
    this.#session = session
  }

  /** Reads what other processes changed. */
  async refresh(): Promise<void> {
    const session = await ifKnown(this.#memory.sessions.get(this.#session))
    // A session that was forgotten and made again counts its messages anew.
    if (session?.createdAt !== this.#seen.createdAt) await this.#rebuild(session?.createdAt)
    if (session === undefined) return
    const last = (await newestMessage(this.#memory, this.#session))?.seq ?? 0
    if (last > this.#seen.newest) await this.#readFrom(this.#seen.newest)
    if (session.messages !== this.#seen.messages) await this.#rebuild(session.createdAt)
  }

  place(namespace: Namespace, key: string): ItemPlace | undefined {
    return this.#places.get(nameOf(namespace, key))
  }

  /** Gives the items under a prefix in the order in which they were first put. */
  under(prefix: Namespace): ItemPlace[] {
    return [...this.#places.values()]
      .filter(({ namespace }) => isUnder(namespace, prefix))
      .sort((a, b) => a.createdAt - b.createdAt || compared(nameOf(a.namespace, a.key), nameOf(b.namespace, b.key)))
  }

  /** Gives the scores of the items that recall finds, by the ids of their messages. */
  async scores(query: string, prefix: Namespace): Promise<ReadonlyMap<string, number>> {
    const { hits } = await this.#memory.recall(query, {
      ...{ session: this.#session, limit: 1_000, minConfidence: 0 },
      ...(prefix.length === 0 ? {} : { metadata: labelsOf(prefix) }),
    })
    return new Map(hits.map(({ id, score }) => [id, score]))
  }

  /** Reads the messages of items, by their ids. One that is gone by now is left out. */
  async read(places: readonly ItemPlace[]): Promise<ReadonlyMap<string, Message>> {
    const wanted = new Set(places.map(({ id }) => id))
    const seqs = places.map(({ seq }) => seq)
    const one = (seq: number) => newestMessage(this.#memory, this.#session, seq + 1)
    const read = places.length > fewItems ? await this.#from(Math.min(...seqs), Math.max(...seqs) + 1) : await Promise.all(seqs.map(one))
    return new Map(read.flatMap((message) => (message !== undefined && wanted.has(message.id) ? [[message.id, message] as const] : [])))
  }

  /** Puts items, and erases the ones that they take the place of and those that are to go. */
  async change(puts: readonly PutItem[], deletions: readonly { readonly namespace: Namespace; readonly key: string }[]): Promise<void> {
    const gone = [...puts, ...deletions].map(({ namespace, key }) => nameOf(namespace, key))
    const before = this.#idsOf(new Set(gone))
    const messages = puts.map((put) => messageOfPut(put, this.place(put.namespace, put.key)?.createdAt))
    if (messages.length > 0) await this.#append(messages)
    await this.#erase(before, new Set(deletions.map(({ namespace, key }) => nameOf(namespace, key))))
  }

  async #append(messages: readonly MessageInput[]): Promise<void> {
    if (this.#seen.createdAt === undefined)
      await this.#memory.sessions.ensure(this.#session, { name: 'LangGraph store', share: false, layers: noLayers })
    await this.#memory.append(this.#session, messages)
  }

  /** Erases messages; when another caller was faster, what is left of them. */
  async #erase(ids: readonly string[], names: ReadonlySet<string>): Promise<void> {
    let left = ids
    for (let tries = 0; left.length > 0 && tries < mostTries; tries += 1) {
      const some = left.slice(0, mostForgotten)
      const receipt = await ifKnown(this.#memory.forget({ session: this.#session, messages: some }))
      if (receipt?.counts['message'] === some.length) {
        this.#wereErased(new Set(some))
        left = left.slice(some.length)
      } else {
        await this.#rebuild(this.#seen.createdAt)
        const outdated = new Set(this.#outdated.map(({ id }) => id))
        left = this.#idsOf(names).filter((id) => outdated.has(id) || left.includes(id))
      }
    }
  }

  #wereErased(ids: ReadonlySet<string>): void {
    for (const [name, { id }] of this.#places) if (ids.has(id)) this.#places.delete(name)
    this.#outdated = this.#outdated.filter(({ id }) => !ids.has(id))
    this.#seen = { ...this.#seen, messages: this.#seen.messages - ids.size }
  }

  /** The messages of some keys, and all that are outdated. */
  #idsOf(names: ReadonlySet<string>): string[] {
    const standing = [...names].flatMap((name) => this.#places.get(name)?.id ?? [])
    return [...standing, ...this.#outdated.map(({ id }) => id)]
  }

  async #rebuild(createdAt: number | undefined): Promise<void> {
    this.#places.clear()
    this.#outdated = []
    this.#seen = { ...nothingSeen, createdAt }
    await this.#readFrom(0)
  }

  /** Takes the messages after a place. */
  async #readFrom(after: number): Promise<void> {
    for (const message of await this.#from(after + 1)) {
      this.#seen = { ...this.#seen, messages: this.#seen.messages + 1, newest: message.seq }
      const head = itemHeadOf(message)
      if (head === undefined) continue
      const name = nameOf(head.namespace, head.key)
      const before = this.#places.get(name)
      if (before !== undefined) this.#outdated.push(before)
      this.#places.set(name, { ...head, id: message.id, seq: message.seq })
    }
  }

  /** Reads the messages from one place to another, which is left out, oldest first. */
  async #from(from: number, before?: number): Promise<readonly Message[]> {
    const pages: (readonly Message[])[] = []
    for await (const page of messagePages(this.#memory, this.#session, { before })) {
      pages.unshift(page.filter(({ seq }) => seq >= from))
      if ((page[0]?.seq ?? 0) <= from) break
    }
    return pages.flat()
  }
}

function nameOf(namespace: Namespace, key: string): string {
  return JSON.stringify([...namespace, key])
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
