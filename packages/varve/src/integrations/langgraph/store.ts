import type { BaseStore, Item, Operation, OperationResults, SearchItem } from '@langchain/langgraph-checkpoint'
import { LRUCache } from 'lru-cache'
import { InvalidOption } from '../../errors/invalid-option.ts'
import { shown } from '../../errors/shown.ts'
import type { ScopeInput } from '../../scope/scope.ts'
import type { TurnMemories } from '../../turns/turn-memory.ts'
import { aMemory, aName, aScope, checkFields, type OptionCheck } from '../../turns/turn-options.ts'
import { passes } from './filter.ts'
import type { PutItem } from './item-message.ts'
import { valueOf } from './item-message.ts'
import { type ItemPlace, KeptItems, type StoreMemory } from './kept-items.ts'
import { checkNamespace, checkOwnNamespace, isMatch, listed, type Namespace, type NamespaceCondition } from './namespace.ts'

export interface GraphStoreOptions {
  /** A memory of the library, or one of `varve/client`. */
  readonly memory: TurnMemories<StoreMemory>
  /** Whose memory the items are in, or a function that tells it of a namespace. */
  readonly scope: ScopeInput | ((namespace: Namespace) => ScopeInput)
  /** The session that holds the items. Default `langgraph`. */
  readonly session?: string | undefined
  /** The paths of a value that are searched, where a put names none. Default: all of its texts. */
  readonly fields?: readonly string[] | undefined
}

type Get = Extract<Operation, { key: string }>
type Search = Extract<Operation, { namespacePrefix: string[] }>
type Put = Extract<Operation, { value: unknown }>
type ListNamespaces = Exclude<Operation, Get | Search | Put>

const paths: OptionCheck = (received) =>
  received === undefined || (Array.isArray(received) && received.every((path) => typeof path === 'string')) ? undefined : 'a list of paths'

/** The users whose items a process knows the places of. */
const mostUsers = 1_000

/** The items of one user, and the last batch that goes through them: one after the other. */
interface Turn {
  readonly items: KeptItems
  last: Promise<unknown>
}

/** A store of LangGraph that is kept in Varve: items by namespace and key, searched by meaning, and erased when they go. */
export class GraphStore implements BaseStore {
  readonly #options: GraphStoreOptions
  readonly #turns = new LRUCache<string, Turn>({ max: mostUsers })

  constructor(options: GraphStoreOptions) {
    checkFields({ ...options }, { memory: aMemory, scope: aScope, session: aName, fields: paths })
    this.#options = options
  }

  /** Does operations. Reads see what stood before the batch; of two puts with one key the last one counts. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    for (const operation of operations) checkOperation(operation)
    const results: unknown[] = operations.map(() => null)
    const byTurn = Map.groupBy([...operations.entries()], ([, operation]) => this.#turnOf(operation))
    await Promise.all([...byTurn].map(([turn, some]) => inTurn(turn, () => this.#done(turn.items, some, results))))
    return resultsOf<Op>(results)
  }

  async get(namespace: string[], key: string): Promise<Item | null> {
    const [item = null] = await this.batch([{ namespace, key }])
    return item
  }

  async search(namespacePrefix: string[], options: Omit<Search, 'namespacePrefix'> = {}): Promise<SearchItem[]> {
    const [items = []] = await this.batch([{ namespacePrefix, ...options }])
    return items
  }

  async put(namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[]): Promise<void> {
    checkOwnNamespace(namespace)
    await this.batch([{ namespace, key, value, ...(index === undefined ? {} : { index }) }])
  }

  /** Deletes an item, and erases it. */
  async delete(namespace: string[], key: string): Promise<void> {
    await this.batch([{ namespace, key, value: null }])
  }

  async listNamespaces(
    options: { prefix?: string[]; suffix?: string[]; maxDepth?: number; limit?: number; offset?: number } = {},
  ): Promise<string[][]> {
    const { prefix, suffix, maxDepth, limit = 100, offset = 0 } = options
    const matchConditions: { matchType: 'prefix' | 'suffix'; path: string[] }[] = [
      ...(prefix === undefined ? [] : [{ matchType: 'prefix' as const, path: prefix }]),
      ...(suffix === undefined ? [] : [{ matchType: 'suffix' as const, path: suffix }]),
    ]
    for (const { path } of matchConditions) checkNamespace(path, { allowEmpty: true })
    const [namespaces = []] = await this.batch([{ matchConditions, ...(maxDepth === undefined ? {} : { maxDepth }), limit, offset }])
    return namespaces
  }

  /** LangGraph calls these; the memory is opened and closed by who has it. */
  start(): void {}
  stop(): void {}

  /** The items of whom an operation is about. A search, or a list, is about those of its prefix alone. */
  #turnOf(operation: Operation): Turn {
    const { memory, scope, session = 'langgraph' } = this.#options
    const asked = typeof scope === 'function' ? scope(namespaceOf(operation)) : scope
    // It refuses a scope that is none, such as a user that is undefined: JSON would leave that out.
    const handle = memory.for(asked)
    const name = JSON.stringify(asked)
    const known = this.#turns.get(name)
    if (known !== undefined) return known
    const turn = { items: new KeptItems(handle, session), last: Promise.resolve() }
    this.#turns.set(name, turn)
    return turn
  }

  async #done(items: KeptItems, operations: readonly (readonly [number, Operation])[], results: unknown[]): Promise<void> {
    await items.refresh()
    for (const [at, operation] of operations) if (!isPut(operation)) results[at] = await this.#answer(items, operation)
    await this.#change(items, operations.map(([, operation]) => operation).filter(isPut))
  }

  async #answer(items: KeptItems, operation: Get | Search | ListNamespaces): Promise<unknown> {
    if ('namespacePrefix' in operation) return searched(items, operation)
    if (!('key' in operation)) return namespacesIn(items, operation)
    const place = items.place(operation.namespace, operation.key)
    return place === undefined ? null : ((await itemsOf(items, [place]))[0] ?? null)
  }

  async #change(items: KeptItems, operations: readonly Put[]): Promise<void> {
    const last = [...new Map(operations.map((put) => [JSON.stringify([put.namespace, put.key]), put])).values()]
    const puts = last.flatMap(({ namespace, key, value, index = this.#options.fields }): PutItem[] =>
      value === null ? [] : [{ namespace, key, value, index: index === false ? false : index && [...index] }],
    )
    const deletions = last.filter(({ value, namespace, key }) => value === null && items.place(namespace, key) !== undefined)
    if (puts.length + deletions.length > 0) await items.change(puts, deletions)
  }
}

/** Does something with a user's items, after what was asked before. */
async function inTurn(turn: Turn, work: () => Promise<void>): Promise<void> {
  const done = turn.last.then(work)
  turn.last = Promise.allSettled([done])
  await done
}

function isPut(operation: Operation): operation is Put {
  return 'value' in operation
}

function checkOperation(operation: Operation): void {
  if ('namespacePrefix' in operation) checkNamespace(operation.namespacePrefix, { allowEmpty: true })
  else if ('namespace' in operation) checkItem(operation)
}

/** Items are known by texts: one whose key is undefined or a number would be stored, and never found or deleted again. */
function checkItem({ namespace, key }: { readonly namespace: string[]; readonly key: unknown }): void {
  checkNamespace(namespace)
  if (typeof key !== 'string') throw new InvalidOption({ option: 'key', received: shown(key), expected: 'a text' })
}

function namespaceOf(operation: Operation): Namespace {
  if ('namespacePrefix' in operation) return operation.namespacePrefix
  if ('namespace' in operation) return operation.namespace
  return operation.matchConditions?.find(({ matchType }) => matchType === 'prefix')?.path ?? []
}

async function searched(items: KeptItems, { namespacePrefix, filter, limit = 10, offset = 0, query }: Search): Promise<SearchItem[]> {
  const all = items.under(namespacePrefix)
  const scores = query === undefined || query === '' || all.length === 0 ? undefined : await items.scores(query, namespacePrefix)
  const scoreOf = ({ id, isSearched }: ItemPlace): number | undefined => (isSearched ? scores?.get(id) : undefined)
  const ranked = scores === undefined ? all : all.toSorted((a, b) => (scoreOf(b) ?? -1) - (scoreOf(a) ?? -1))
  const page = filter === undefined ? ranked.slice(offset, offset + limit) : ranked
  const found = await itemsOf(items, page, scoreOf)
  return filter === undefined ? found : found.filter(({ value }) => passes(value, filter)).slice(offset, offset + limit)
}

/** Reads items. One that another process took away meanwhile is left out. */
async function itemsOf(
  items: KeptItems,
  places: readonly ItemPlace[],
  scoreOf: (place: ItemPlace) => number | undefined = () => undefined,
): Promise<SearchItem[]> {
  const messages = await items.read(places)
  return places.flatMap((place) => {
    const message = messages.get(place.id)
    if (message === undefined) return []
    const { namespace, key, createdAt, updatedAt } = place
    const score = scoreOf(place)
    const item = { namespace: [...namespace], key, value: valueOf(message), createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
    return [score === undefined ? item : { ...item, score }]
  })
}

function namespacesIn(items: KeptItems, { matchConditions = [], maxDepth, limit, offset }: ListNamespaces): string[][] {
  const conditions: readonly NamespaceCondition[] = matchConditions
  const all = items.under([]).map(({ namespace }) => namespace)
  const meant = all.filter((namespace) => conditions.every((condition) => isMatch(namespace, condition)))
  return listed(meant, maxDepth).slice(offset, offset + limit)
}

/** Each operation was answered above with what its kind gives. */
function resultsOf<Op extends Operation[]>(results: unknown): OperationResults<Op>
function resultsOf(results: unknown): unknown {
  return results
}
