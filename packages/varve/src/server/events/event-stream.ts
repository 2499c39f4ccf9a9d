import { InvalidOption } from '../../errors/invalid-option.ts'
import type { Memory } from '../../memory/memory.ts'
import { type EventFrame, frameBytes, keepAliveBytes, openingBytes } from './frame.ts'
import type { ProjectFeed, Waiting } from './project-feed.ts'
import type { EventReader } from './reader.ts'

type Change = Awaited<ReturnType<ProjectFeed['read']>>['changes'][number]

/** The bytes that may wait for a slow reader. Beyond them nothing is read for it; one change may go over. */
const mostWaiting = 64 * 1024

/** A reader that takes nothing for this long is taken for gone: milliseconds. It comes back with its last id. */
const goneAfterMs = 60_000

/** A place that is older is read anew, before its rows are dropped: milliseconds. */
const freshMs = 10 * 60_000

/** Where a stream reads, and how it tells that it is closed. */
export interface StreamMeans {
  readonly memory: Memory
  readonly feed: ProjectFeed
  readonly onClose: () => void
}

/**
 * One reader's stream of events. It knows the place up to which it told, and reads on from there when its reader takes
 * more: so a slow reader costs one page at most, and misses nothing.
 */
export class EventStream implements Waiting {
  readonly body: ReadableStream<Uint8Array>
  readonly user: string | undefined
  readonly isAdmin: boolean
  readonly #reader: EventReader
  readonly #means: StreamMeans
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #place: string | undefined
  /** True when something was told that the stream has not read yet. */
  #isBehind = true
  #isReading = false
  #takenAt = performance.now()
  #readAt = performance.now()

  constructor(reader: EventReader, means: StreamMeans, place: string | undefined) {
    this.#reader = reader
    this.#means = means
    this.#place = place
    this.user = reader.user
    this.isAdmin = reader.isAdmin
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          this.#enqueue(openingBytes(place))
        },
        pull: () => {
          this.#takenAt = performance.now()
          if (this.#isBehind) this.#pump()
        },
        cancel: () => this.close(),
      },
      { highWaterMark: mostWaiting, size: ({ byteLength }) => byteLength },
    )
  }

  wake(): void {
    this.#isBehind = true
    this.#pump()
  }

  /** Tells an event that only this process knows. A slow reader does not get it. */
  tellNow(frame: EventFrame): void {
    if (this.#hasRoom) this.#enqueue(frameBytes(frame))
  }

  keepAlive(): void {
    const now = performance.now()
    if (!this.#hasRoom) {
      if (now - this.#takenAt > goneAfterMs) this.close()
      return
    }
    this.#enqueue(keepAliveBytes(this.#isBehind ? undefined : this.#place))
    if (now - this.#readAt > freshMs) this.wake()
  }

  close(): void {
    const controller = this.#controller
    if (controller === undefined) return
    this.#controller = undefined
    this.#means.onClose()
    try {
      controller.close()
    } catch (error) {
      // The reader cancelled it already.
      if (!(error instanceof TypeError)) throw error
    }
  }

  get #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0
  }

  #enqueue(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes)
  }

  #pump(): void {
    if (this.#isReading) return
    this.#isReading = true
    // A store that fails ends the stream. Its reader comes back, and goes on from its last id.
    this.#readOn().then(
      () => {
        this.#isReading = false
        if (this.#isBehind && this.#hasRoom) this.#pump()
      },
      () => this.close(),
    )
  }

  async #readOn(): Promise<void> {
    while (this.#isBehind && this.#hasRoom) {
      this.#isBehind = false
      const { changes, place, missed } = await this.#read()
      this.#readAt = performance.now()
      if (missed) this.#enqueue(frameBytes({ event: 'missed', data: {}, id: place }))
      if (changes.length === 0) this.#place = place
      // There may be more after a page: only an empty one tells that there is none.
      else this.#isBehind = true
      for (const change of changes) {
        if (!this.#hasRoom) break
        this.#enqueue(frameBytes({ event: change.type, data: await this.#told(change), id: change.id }))
        this.#place = change.id
      }
    }
  }

  /** Reads on. A place that this store did not give counts as one that is too old. */
  async #read(): ReturnType<ProjectFeed['read']> {
    try {
      return await this.#means.feed.read(this.user, this.#place)
    } catch (error) {
      if (!(error instanceof InvalidOption)) throw error
      return { ...(await this.#means.feed.read(this.user, undefined)), missed: true }
    }
  }

  async #told({ id: _id, ...change }: Change): Promise<unknown> {
    const { session, messages, message, seq } = change
    const ids = messages ?? (message === undefined ? [] : [message])
    const isWanted = this.#reader.withContent && ids.length > 0 && this.#reader.mayReadWords(change.user)
    if (!isWanted || session === undefined || seq === undefined) return change
    const { project } = this.#reader
    const handle = this.#means.memory.for({ project, ...(change.user === undefined || change.user === '~' ? {} : { user: change.user }) })
    // Read now: what was forgotten since is not there.
    const found = await handle.messages(session, { limit: ids.length, before: seq + 1 })
    const words = found
      .filter(({ id }) => ids.includes(id))
      .map(({ id, role, name, content }) => ({ id, role, ...(name === undefined ? {} : { name }), content }))
    return { ...change, contents: words }
  }
}
