import { noKey, type OpenOptions } from '../system.ts'

/** A memory that is served on loopback. */
export interface ServedSystem {
  readonly url: string
  readonly key: string
  /** Ends when every saved message can be found in every way; absent where a save waits for that. */
  settle?(): Promise<void>
  close(): Promise<void>
}

/** Serves with an embedding model, or without one when `endpoint` is empty. */
export type ServeSystem = (options: OpenOptions) => Promise<ServedSystem>

/** Each is loaded only in the process that serves it. */
export const serversByName: ReadonlyMap<string, () => Promise<ServeSystem>> = new Map([
  ['varve', async () => (await import('./varve.ts')).serveVarve],
  ['mastra', async () => (await import('./mastra.ts')).serveMastra],
  ['langgraph', async () => (await import('./langgraph.ts')).serveLangGraph],
])

/** Servers of other makers ask for no key here. */
export const withoutKey = noKey
