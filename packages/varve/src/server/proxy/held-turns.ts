import { LRUCache } from 'lru-cache'
import type { UserMemory } from '../../memory/user-memory.ts'
import type { ErasureWatch, HeldWords } from '../erasure-watch.ts'
import type { MemoryPlace } from './injected.ts'
import type { WireApi } from './wire-api.ts'

/** What is held of past turns: at most this many, this much, and this long. */
const maxTurns = 1_000
const maxTurnBytes = 64 * 1024 * 1024
const maxPromptCharacters = 4 * 1024 * 1024
const heldMs = 3_600_000

/** A call that went through the proxy: what was sent, and what was remembered of it. */
export interface ProxyTurn {
  readonly id: string
  /** UTC milliseconds. */
  readonly at: number
  readonly api: WireApi['name']
  status: 'running' | 'done' | 'stopped' | 'cut' | 'failed'
  /** The status of the upstream's answer. */
  upstreamStatus?: number
  /** The request as it was sent, to the byte. Absent when it was no UTF-8, or over 4 Mi characters. */
  prompt?: string
  promptBytes: number
  readonly memory: {
    context?: string
    tokens: number
    /** True when the context of an earlier call of this turn was sent again: a turn with tools. */
    isKept: boolean
    items: readonly TurnItem[]
    degraded: readonly string[]
  }
  readonly remembered: {
    status: 'none' | 'pending' | 'stored' | 'failed'
    session?: string
    messages: readonly { readonly id: string; readonly seq: number; readonly duplicate: boolean }[]
    /** The code of the error by which storing failed. */
    code?: string
  }
  readonly timings: { memoryMs?: number; firstByteMs?: number; totalMs?: number; captureMs?: number }
}

export interface TurnItem {
  readonly tier: string
  readonly id: string
  readonly reason: string
}

/** Remembered text as it was put into a request. */
export interface KeptContext {
  readonly id: string
  readonly text: string
  readonly place: MemoryPlace
  readonly tokens: number
  readonly items: readonly TurnItem[]
}

interface Owned<Value> {
  readonly project: string
  /** Project, user and key. */
  readonly owner: string
  readonly value: Value
}

type Sections = Awaited<ReturnType<UserMemory['context']>>['sections']

export function turnItems(sections: Sections): TurnItem[] {
  return sections.flatMap(({ tier, items }) => items.map(({ id, reason }) => ({ tier, id, reason })))
}

/**
 * Turns and contexts in this process, with their text. What is forgotten must not be read here: a project's are dropped
 * when anything is forgotten in it, also by another member, since shared layers show one's words to others.
 */
export class HeldTurns implements HeldWords {
  readonly #erasures: ErasureWatch
  readonly #turns: LRUCache<string, Owned<ProxyTurn>>
  readonly #contexts: LRUCache<string, Owned<KeptContext>>
  #forgets = 0

  constructor(now: () => number, erasures: ErasureWatch) {
    this.#erasures = erasures
    erasures.add(this)
    const bounds = { max: maxTurns, ttl: heldMs, perf: { now }, ttlResolution: 0 }
    this.#turns = new LRUCache<string, Owned<ProxyTurn>>({
      ...bounds,
      maxSize: maxTurnBytes,
      sizeCalculation: ({ value }) => 4_096 + 2 * (value.prompt?.length ?? 0),
    })
    this.#contexts = new LRUCache<string, Owned<KeptContext>>({
      ...bounds,
      maxSize: maxTurnBytes / 8,
      sizeCalculation: ({ value }) => 1_024 + 2 * value.text.length,
    })
  }

  /** To be awaited before memory is read, and before its mark is taken. */
  ready(): Promise<void> {
    return this.#erasures.ready()
  }

  /** Marks the time before memory is read. What was read before a forget is not held after it. */
  mark(): number {
    return this.#forgets
  }

  hold(mark: number, project: string, owner: string, turn: ProxyTurn): void {
    if (mark !== this.#forgets) return
    if ((turn.prompt?.length ?? 0) > maxPromptCharacters) delete turn.prompt
    this.#turns.set(turn.id, { project, owner, value: turn })
    this.#erasures.follow()
  }

  /** Gives a turn to its owner, after a look for erasures by any process. Rejects when the store cannot be read. */
  async turn(id: string, owner: string): Promise<ProxyTurn | undefined> {
    if (this.#turns.peek(id)?.owner !== owner) return undefined
    await this.#erasures.look()
    return this.#turns.get(id)?.value
  }

  keep(mark: number, project: string, owner: string, key: string, context: KeptContext): void {
    if (mark !== this.#forgets) return
    this.#contexts.set(`${owner} ${key}`, { project, owner, value: context })
    this.#erasures.follow()
  }

  /** Gives a context that was kept, after a look as well. */
  async kept(owner: string, key: string): Promise<KeptContext | undefined> {
    if (!this.#contexts.has(`${owner} ${key}`)) return undefined
    await this.#erasures.look()
    return this.#contexts.get(`${owner} ${key}`)?.value
  }

  /** Drops what is held of a project, and what is being read there. */
  drop(project: string | undefined): void {
    this.#forgets += 1
    for (const held of [this.#turns, this.#contexts])
      for (const [key, { project: of }] of [...held.entries()]) if (project === undefined || of === project) held.delete(key)
  }

  holds(): boolean {
    for (const held of [this.#turns, this.#contexts]) held.purgeStale()
    return this.#turns.size + this.#contexts.size > 0
  }
}
