import type { Memory } from '../../memory/memory.ts'
import type { MemoryEvent } from '../../observe/events.ts'
import { EventStream } from './event-stream.ts'
import { ProjectFeed } from './project-feed.ts'
import { type EventReader, placeAsked } from './reader.ts'

/** Events of this process that no store keeps. They are told to whoever may administer, without ids and names. */
const liveOnly: ReadonlySet<MemoryEvent['type']> = new Set(['recalled', 'context', 'compacted', 'forget-asked', 'notice', 'warning'])

/** The pauses between two looks at a project, and between two comments on a quiet connection: milliseconds. */
export interface EventPauses {
  readonly lookMs: number
  readonly keepAliveMs: number
}

/** Writes of other instances within this time share a look: milliseconds. */
const togetherMs = 50

const usualPauses: EventPauses = { lookMs: 250, keepAliveMs: 15_000 }

/** Serves streams of a memory's events. It looks at a project while somebody reads, and at once when this process changed it. */
export class EventFeeds {
  readonly #memory: Memory
  readonly #pauses: EventPauses
  readonly #feeds = new Map<string, ProjectFeed>()
  readonly #streams = new Set<EventStream>()
  readonly #keepingAlive: NodeJS.Timeout
  readonly #events: AsyncIterableIterator<MemoryEvent>
  readonly #stopHearing: () => void
  #soon: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(memory: Memory, pauses = usualPauses) {
    this.#memory = memory
    this.#pauses = pauses
    this.#events = memory.events()
    void this.#listen()
    this.#stopHearing = memory.onHeard(() => this.#lookSoon())
    this.#keepingAlive = setInterval(() => {
      for (const stream of [...this.#streams]) stream.keepAlive()
    }, pauses.keepAliveMs).unref()
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  /** Answers a request for events: from the reader's last id on, or from now on. Calls back once the stream has ended. */
  async serve(request: Request, reader: EventReader, onEnd: () => void = () => undefined): Promise<Response> {
    const place = placeAsked(request) ?? (await this.#placeOfNow(reader))
    const feed = this.#feedOf(reader.project)
    const onClose = (): void => {
      this.#ended(stream, feed, reader.project)
      onEnd()
    }
    const stream: EventStream = new EventStream(reader, { memory: this.#memory, feed, onClose }, place)
    if (this.#isClosed || request.signal.aborted) stream.close()
    else {
      this.#streams.add(stream)
      feed.add(stream)
      request.signal.addEventListener('abort', () => stream.close(), { once: true })
    }
    return new Response(stream.body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  }

  /** Ends every stream. Readers come back with their last id. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#keepingAlive)
    clearTimeout(this.#soon)
    this.#stopHearing()
    void this.#events.return?.()
    for (const stream of [...this.#streams]) stream.close()
  }

  async #placeOfNow({ project, user }: EventReader): Promise<string> {
    return (await this.#memory.project(project).changes(user === undefined ? {} : { user })).place
  }

  #feedOf(project: string): ProjectFeed {
    const feed = this.#feeds.get(project) ?? new ProjectFeed(this.#memory, project, this.#pauses.lookMs)
    this.#feeds.set(project, feed)
    return feed
  }

  #ended(stream: EventStream, feed: ProjectFeed, project: string): void {
    this.#streams.delete(stream)
    feed.remove(stream)
    if (feed.size === 0) this.#feeds.delete(project)
  }

  /** Looks at all projects that are read. Writes of other instances that come together share a look. */
  #lookSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      for (const feed of this.#feeds.values()) feed.look()
    }, togetherMs).unref()
  }

  async #listen(): Promise<void> {
    for await (const event of this.#events) {
      const project = 'project' in event ? event.project : undefined
      if (liveOnly.has(event.type)) this.#tellNow(event, project)
      else if (project !== undefined) this.#feeds.get(project)?.look()
      else for (const feed of this.#feeds.values()) feed.look()
    }
  }

  #tellNow(event: MemoryEvent, project: string | undefined): void {
    const feeds = project === undefined ? [...this.#feeds.values()] : [this.#feeds.get(project)].filter((feed) => feed !== undefined)
    const frame = { event: event.type, data: withoutNames(event) }
    for (const feed of feeds) for (const one of feed.waiting) if (one instanceof EventStream && one.isAdmin) one.tellNow(frame)
  }
}

/** Leaves out ids and names: a live event tells numbers, and the sentences of notices and warnings. */
function withoutNames(event: MemoryEvent): unknown {
  const hidden = new Set(['type', 'id', 'session', 'user', 'project'])
  return Object.fromEntries(Object.entries(event).filter(([name]) => !hidden.has(name)))
}
