import type { Clock } from '../clock/clock.ts'
import { Counting, type CounterName } from './counters.ts'
import { EventHub, type MemoryEvent } from './events.ts'
import type { Logger } from './logger.ts'

// Omit on a union would keep only the fields that all members share.
type WithoutTime<Event> = Event extends MemoryEvent ? Omit<Event, 'at'> : never

/** Events, counters and warnings of one memory. */
export class Observer {
  readonly events = new EventHub()
  readonly counting = new Counting()
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #warned = new Set<string>()

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  emit(event: WithoutTime<MemoryEvent>): void {
    // A union member spread together with its time is that member again.
    this.events.emit({ ...event, at: this.#clock.now() } as MemoryEvent)
  }

  count(name: CounterName, by?: number): void {
    this.counting.add(name, by)
  }

  /** Reports something that is no fault, once a topic. */
  notice(message: string, topic: string): void {
    if (this.#warned.has(topic)) return
    if (this.#warned.size < 10_000) this.#warned.add(topic)
    this.emit({ type: 'notice', message })
    this.#logger.warn(message)
  }

  /** Warns; with a topic, only the first time. Every warning is counted and goes to the events. */
  warn(code: string, message: string, topic?: string): void {
    this.count('warnings')
    this.emit({ type: 'warning', code, message })
    if (topic !== undefined && this.#warned.has(topic)) return
    // Topics are error codes and project names; past the bound a warning may come twice.
    if (topic !== undefined && this.#warned.size < 10_000) this.#warned.add(topic)
    this.#logger.warn(`${code}: ${message}`)
  }
}
