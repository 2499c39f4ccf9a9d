import { GraphStore, type GraphStoreOptions } from './store.ts'

export type { StoreMemory } from './kept-items.ts'
export type { Namespace } from './namespace.ts'
export type { GraphStore, GraphStoreOptions } from './store.ts'

/**
 * Makes a store of LangGraph that Varve keeps: the `store` of a graph.
 *
 * @example
 * const store = varveStore({ memory, scope: ([user = '']) => ({ project: 'kiosk', user }) })
 * await store.put(['ada', 'memories'], 'food', { text: 'likes lentil soup' })
 */
export function varveStore(options: GraphStoreOptions): GraphStore {
  return new GraphStore(options)
}
