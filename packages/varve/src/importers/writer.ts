import { InvalidMessage } from '../errors/invalid-message.ts'
import { NotFound } from '../errors/not-found.ts'
import type { MessageInput } from '../messages/message.ts'
import type { Tally } from './reasons.ts'
import type { TrackedSession } from './sessions.ts'

/** The most messages and characters of one append. */
export const maxBatchMessages = 500
export const maxBatchChars = 2 * 1024 * 1024
/** The most that waits over all sessions; then all of it is sent. */
export const maxPendingMessages = 5_000
export const maxPendingChars = 8 * 1024 * 1024
/** The most running appends, and their most messages in all: the store makes one commit of many small ones. */
export const maxAppends = 32
export const maxOnWayMessages = 4 * maxBatchMessages
const maxOnWayChars = 4 * maxBatchChars

interface Batch {
  readonly session: TrackedSession
  readonly messages: MessageInput[]
  chars: number
}

/**
 * Gathers messages into batches of one session and sends several at a time, in order within a session. After the
 * store's first failure the next `add` or `flush` throws it, when no append is running any more.
 */
export class ImportWriter {
  readonly #tally: Tally
  readonly #options: { readonly restoreForgotten: boolean }
  readonly #pending = new Map<string, Batch>()
  readonly #lastOf = new Map<string, Promise<void>>()
  readonly #onWay = new Set<Promise<void>>()
  /** Batches that wait for room. */
  readonly #waiting: (() => void)[] = []
  #onWayMessages = 0
  #onWayChars = 0
  #pendingMessages = 0
  #pendingChars = 0
  #failure: { readonly error: unknown } | undefined
  stored = 0
  duplicates = 0
  forgotten = 0

  constructor(tally: Tally, restoreForgotten = false) {
    this.#tally = tally
    this.#options = { restoreForgotten }
  }

  async add(session: TrackedSession, message: MessageInput): Promise<void> {
    const batch = this.#pending.get(session.key) ?? { session, messages: [], chars: 0 }
    this.#pending.set(session.key, batch)
    const chars = typeof message.content === 'string' ? message.content.length : 0
    batch.messages.push(message)
    batch.chars += chars
    this.#pendingMessages += 1
    this.#pendingChars += chars
    if (batch.messages.length >= maxBatchMessages || batch.chars >= maxBatchChars) await this.#send(batch)
    else if (this.#pendingMessages >= maxPendingMessages || this.#pendingChars >= maxPendingChars) await this.#sendAll()
  }

  /** Sends all waiting messages, and resolves when the store has acknowledged them. */
  async flush(): Promise<void> {
    await this.#sendAll()
    await this.settled()
    this.#throwFailure()
  }

  /** Resolves when no append is running, without sending the waiting messages. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#onWay)
  }

  async #sendAll(): Promise<void> {
    for (const batch of [...this.#pending.values()]) {
      const wait = this.#send(batch)
      if (wait !== undefined) await wait
    }
  }

  /** Sends at once where there is room: batches of one turn cross to the store in one message. */
  #send(batch: Batch): Promise<void> | undefined {
    if (!this.#hasRoom(batch) || this.#failure !== undefined) return this.#sendLater(batch)
    this.#begin(batch)
    return undefined
  }

  async #sendLater(batch: Batch): Promise<void> {
    while (!this.#hasRoom(batch)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#failure !== undefined) await this.settled()
    this.#throwFailure()
    this.#begin(batch)
  }

  #begin(batch: Batch): void {
    const { key } = batch.session
    this.#pending.delete(key)
    this.#pendingMessages -= batch.messages.length
    this.#pendingChars -= batch.chars
    this.#onWayMessages += batch.messages.length
    this.#onWayChars += batch.chars
    const sending: Promise<void> = this.#sendAfter(this.#lastOf.get(key), batch).finally(() => {
      this.#onWay.delete(sending)
      this.#onWayMessages -= batch.messages.length
      this.#onWayChars -= batch.chars
      for (const resolve of this.#waiting.splice(0)) resolve()
      if (this.#lastOf.get(key) === sending) this.#lastOf.delete(key)
    })
    this.#onWay.add(sending)
    this.#lastOf.set(key, sending)
  }

  #hasRoom({ messages, chars }: Batch): boolean {
    const { size } = this.#onWay
    return (
      size === 0 ||
      (size < maxAppends && this.#onWayMessages + messages.length <= maxOnWayMessages && this.#onWayChars + chars <= maxOnWayChars)
    )
  }

  async #sendAfter(before: Promise<void> | undefined, batch: Batch): Promise<void> {
    await before
    if (this.#failure !== undefined) return
    try {
      // A title may be made of the messages. So it does not come back without them.
      if (await this.#append(batch.session, batch.messages)) await this.#name(batch.session)
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  /** A session that had a name before this import keeps it: somebody may have given it since the last import. */
  async #name(session: TrackedSession): Promise<void> {
    const { id, name, handle } = session
    if (name === undefined || name === session.toldName || session.keepsName) return
    session.keepsName = session.toldName === undefined && (await this.#hasName(session))
    if (session.keepsName) return
    await handle.sessions.ensure(id, { name })
    session.toldName = name
  }

  async #hasName({ id, handle }: TrackedSession): Promise<boolean> {
    try {
      return (await handle.sessions.get(id)).name !== undefined
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

  // Appends a batch, and returns whether the store has any of it. A message that the store refuses would block its whole
  // batch: it is taken out, and the rest is sent again.
  async #append({ id, handle }: TrackedSession, messages: MessageInput[]): Promise<boolean> {
    let rest = messages
    while (rest.length > 0) {
      try {
        const { messages: written, forgotten = [] } = await handle.append(id, rest, this.#options)
        const duplicates = written.filter(({ duplicate }) => duplicate).length
        this.duplicates += duplicates
        this.stored += written.length - duplicates
        this.forgotten += forgotten.length
        return written.length > 0
      } catch (error) {
        if (!(error instanceof InvalidMessage) || rest[error.index] === undefined) throw error
        const { index } = error
        this.#tally.skip('refused by the store')
        rest = rest.filter((_message, at) => at !== index)
      }
    }
    return false
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
