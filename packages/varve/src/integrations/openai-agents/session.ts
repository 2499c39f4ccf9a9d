import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { IdempotencyReused } from '../../errors/idempotency-reused.ts'
import { StaleRevision } from '../../errors/stale-revision.ts'
import type { MessageInput } from '../../messages/message.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import { TurnDoor } from '../../turns/turn-door.ts'
import { aName, aScope, aWait, type OptionCheck, type TurnOptions } from '../../turns/turn-options.ts'
import { AgentContexts, type ModelInput, partitionKey } from './agent-contexts.ts'
import { type History, type HistoryMark, markedBy, runsOf } from './history.ts'
import { checkedChange, type CheckedChange, type FunctionCallReplacement, type HistoryTransaction, isEqual } from './history-changes.ts'
import { isResult, messageOfItem } from './item.ts'
import { replacedCalls } from './replaced-calls.ts'
import { type AgentMemory, StoredHistory, type StoredPlace } from './stored-history.ts'

/** Whose memory a run uses, from the `context` that the run was started with. */
export type AgentScope = ScopeInput | ((context: unknown) => ScopeInput)

export interface AgentSessionOptions extends Omit<TurnOptions<AgentMemory>, 'waitUntil'> {
  readonly scope: AgentScope
  /** The session of Varve. Default: a new one. */
  readonly session?: string | undefined
  /** The longest wait for a read or a write of the history; then the run fails with DEADLINE_EXCEEDED. Default 10,000. */
  readonly historyDeadlineMs?: number | undefined
}

/** The run's context, as the SDK gives it to a session. */
interface RunContext {
  readonly context: unknown
}

/** The longest wait for the history: a run cannot go on without it, and must not wait without end. */
const longestWaitMs = 10_000

const checks: Readonly<Record<string, OptionCheck>> = {
  ...{ scope: aScope, session: aName, historyDeadlineMs: aWait },
  waitUntil: (received) => (received === undefined ? undefined : 'left out: a run waits for its history itself'),
}

/** The users whose newest message a session knows. */
const mostUsers = 1_000

/** What a caller may try again before it gives up: others popped the same item. */
const mostTries = 100

/** A session of OpenAI's Agents SDK that is kept in Varve: every item as it is, and its words found by recall. */
export class AgentSession<Item extends object> {
  readonly acceptsRunContext = true
  /** Shows the model what Varve remembers: give it to a run as its `callModelInputFilter`. */
  readonly contextFilter: (asked: { readonly modelData: ModelInput<Item>; readonly context?: unknown }) => Promise<ModelInput<Item>>
  /** How often memory gave nothing to a run, by what it was to do and why: `context memory-late`. */
  readonly failures: ReadonlyMap<string, number>
  readonly #options: AgentSessionOptions
  readonly #door: TurnDoor<AgentMemory>
  readonly #session: string
  readonly #contexts: AgentContexts
  /** By partition. */
  readonly #newest = new LRUCache<string, StoredPlace>({ max: mostUsers })

  constructor(options: AgentSessionOptions) {
    this.#door = new TurnDoor('varve/openai-agents', options, checks)
    this.failures = this.#door.failures.counts
    this.#options = options
    this.#session = options.session ?? randomUUID()
    this.#contexts = new AgentContexts(this.#session, this.#door)
    this.contextFilter = ({ modelData, context }) => this.#contexts.put(() => this.#scopeOf(context), modelData)
  }

  async getSessionId(): Promise<string> {
    return this.#session
  }

  /** Gives the items, oldest first: all of them, or the last `limit`. */
  async getItems(limit?: number, run?: RunContext): Promise<Item[]> {
    const { entries } = limit === undefined ? await this.#of(run).whole() : await this.#of(run).last(limit)
    this.#contexts.begins(this.#partitionOf(run))
    this.#note(run, entries.at(-1))
    return itemsOf(entries).filter(isAnItem<Item>)
  }

  async addItems(items: Item[], run?: RunContext): Promise<void> {
    const messages = this.#messagesOf(await this.#standing(items, run))
    if (messages.length > 0) this.#note(run, (await this.#of(run).append(messages)).messages.at(-1))
  }

  /** Removes the last item, and erases it. */
  async popItem(run?: RunContext): Promise<Item | undefined> {
    const history = this.#of(run)
    this.#note(run)
    for (let tries = 1; ; tries += 1) {
      const { entries, dead } = await history.last(1)
      const last = entries.at(-1)
      if (last === undefined) return undefined
      if (await history.erase([...dead, last.id])) return isAnItem<Item>(last.item) ? last.item : undefined
      if (tries === mostTries) throw new StaleRevision({ page: `session ${this.#session}`, expected: last.seq, standing: last.seq + 1 })
    }
  }

  /** Forgets the session, with everything that was derived from it. The receipt is in `memory.receipts`. */
  async clearSession(run?: RunContext): Promise<void> {
    this.#note(run)
    await this.#of(run).clear()
  }

  /** Changes the history as a whole or not at all, once for each operation. */
  async applyHistoryTransaction(args: HistoryTransaction<Item>, run?: RunContext): Promise<void> {
    const history = this.#of(run)
    const change = checkedChange(args)
    if (change.suffix === undefined) await this.#appendOnce(history, change)
    else await this.#replaceSuffix(history, change, change.suffix)
    await this.#noteChange(history, run)
  }

  /** Puts function calls in the place of others with their `callId`. */
  async applyHistoryMutations({ mutations }: { readonly mutations: FunctionCallReplacement<Item>[] }, run?: RunContext): Promise<void> {
    if (mutations.length === 0) return
    const history = this.#of(run)
    const { entries } = await history.whole()
    const replaced = replacedCalls(entries, mutations)
    if (replaced.length === 0) return
    await history.append(replaced.map(({ item, place, drops }) => messageOfItem(item, markedBy({ place, drops: runsOf(drops) }))))
    await this.#settle(history)
    await this.#noteChange(history, run)
  }

  /** Marks where a model goes on after a compaction. What was said before stays, for recall and for people. */
  async replaceHistoryWithCompaction(items: Item[], run?: RunContext): Promise<void> {
    const [compaction, ...kept] = items
    if (compaction === undefined) return
    const history = this.#of(run)
    const { entries } = await history.last(kept.length)
    const first = entries[0]
    if (!isEqual(itemsOf(entries), kept)) await history.append(this.#messagesOf(items))
    else await history.append([messageOfItem(compaction, first === undefined ? undefined : markedBy({ place: first.place - 0.5 }))])
  }

  /**
   * Gives what is to be stored of a run's items. The history may have been forgotten meanwhile: what was said before would come back.
   * With tools, what was said before the last one's result is also left out when something is gone that the run was told.
   */
  async #standing(items: Item[], run: RunContext | undefined): Promise<Item[]> {
    const result = items.findLastIndex(isResult)
    const hasTools = result !== -1
    const partition = this.#partitionOf(run)
    const newest = this.#newest.get(partition)
    const isThere = newest === undefined || (await this.#of(run).has(newest))
    if (isThere && (!hasTools || (await this.#contexts.stands(partition)))) return items
    return hasTools ? items.slice(result + 1) : []
  }

  /** Notes the newest message of the history, as a run has read or written it. Not known after a change. */
  #note(run: RunContext | undefined, newest?: StoredPlace): void {
    const key = this.#partitionOf(run)
    if (newest === undefined) this.#newest.delete(key)
    else this.#newest.set(key, { id: newest.id, seq: newest.seq })
  }

  /** A change of the session's own may take the newest message away: that is no forget. */
  async #noteChange(history: StoredHistory, run: RunContext | undefined): Promise<void> {
    this.#note(run, (await history.last(1)).entries.at(-1))
  }

  async #replaceSuffix(history: StoredHistory, change: CheckedChange<Item>, suffix: readonly Item[]): Promise<void> {
    const before = await history.whole()
    const known = before.changes.get(change.op)
    if (known !== undefined && known !== change.change) throw new IdempotencyReused()
    if (known === undefined) {
      const standing = before.entries.slice(Math.max(before.entries.length - suffix.length, 0))
      if (!isEqual(itemsOf(standing), suffix)) throw this.#stale(before.newest)
      await this.#appendOnce(history, change, { drops: runsOf(standing.map(({ seq }) => seq)), after: before.newest })
    }
    const { failed, newest } = await this.#settle(history)
    if (failed.has(change.op)) throw this.#stale(newest)
  }

  async #appendOnce(history: StoredHistory, { op, change, items }: CheckedChange<Item>, more: HistoryMark = {}): Promise<void> {
    const mark = { ...more, op, change }
    const messages = this.#messagesOf(items, mark)
    // A change without an item leaves a note, so that it is known when it comes again.
    const stored = messages.length > 0 ? messages : [{ role: 'tool' as const, content: '[history change]', metadata: markedBy(mark) }]
    const { messages: kept, duplicates } = await history.append(
      stored.map((message, at) => ({ ...message, id: `agents:${op}:${at}` })),
      `agents:${op}`,
    )
    // The store tells a repeat with other items for a day; after it, the mark of the first one does.
    if (duplicates.length === 0 || (await history.whole()).changes.get(op) === change) return
    await history.erase(kept.filter(({ duplicate }) => !duplicate).map(({ id }) => id))
    throw new IdempotencyReused()
  }

  /** Erases messages that are no longer part of the history. */
  async #settle(history: StoredHistory): Promise<History> {
    const standing = await history.whole()
    // One that is gone by now was erased by another caller, which sees the same ones.
    if (standing.dead.length > 0) await history.erase(standing.dead)
    return standing
  }

  #stale(standing: number): StaleRevision {
    return new StaleRevision({ page: `session ${this.#session}`, expected: 'another end of the history', standing: `item ${standing}` })
  }

  /** Makes messages of items. What Varve itself put into a prompt is not stored. */
  #messagesOf(items: readonly Item[], mark?: HistoryMark): MessageInput[] {
    const own = items.filter((item) => !this.#contexts.isPutIn(item))
    return own.map((item) => messageOfItem(item, mark === undefined ? undefined : markedBy(mark)))
  }

  #of(run: RunContext | undefined): StoredHistory {
    const { memory, historyDeadlineMs = longestWaitMs } = this.#options
    return new StoredHistory(memory.for(this.#scopeOf(run?.context)), this.#session, historyDeadlineMs)
  }

  #partitionOf(run: RunContext | undefined): string {
    return partitionKey(this.#scopeOf(run?.context))
  }

  #scopeOf(context: unknown): ScopeInput {
    const { scope } = this.#options
    return typeof scope === 'function' ? scope(context) : scope
  }
}

function itemsOf(entries: History['entries']): unknown[] {
  return entries.map(({ item }) => item)
}

function isAnItem<Item extends object>(item: unknown): item is Item {
  return typeof item === 'object' && item !== null
}
