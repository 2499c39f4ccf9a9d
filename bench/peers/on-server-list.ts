import type { Quality } from '../talk/quality.ts'
import type { OpenSystem } from './system.ts'

/** The cost of one call: its median time, and CPU ms of the process, of the embedding endpoint and of the server. */
export interface ServerShare {
  readonly p50Ms: number
  readonly own: number
  readonly endpoint: number
  readonly server: number
}

export interface OnServer {
  readonly turns: number
  readonly questions: number
  readonly append: ServerShare
  readonly recall: ServerShare
  /** The database's growth, its tables and the extension included. */
  readonly storedBytes: number
  readonly quality: Quality
  /** Requests for a language model. */
  readonly refused: number
}

interface ListedOnServer {
  readonly name: string
  readonly label: string
  load(): Promise<OpenSystem>
}

const varve = async () => import('./systems/varve.ts')
const others = async () => import('./systems/on-server.ts')

/** The memories that keep their data on a PostgreSQL server. */
export const serverSystems: readonly ListedOnServer[] = [
  { name: 'varve-words', label: 'Varve, words alone', load: async () => (await varve()).openVarveWords },
  { name: 'varve-endpoint', label: 'Varve, model at the endpoint', load: async () => (await varve()).openVarveEndpoint },
  { name: 'mem0', label: 'mem0ai/oss, pgvector, infer: false', load: async () => (await others()).openMem0OnServer },
  { name: 'langgraph', label: 'LangGraph PostgresStore, pgvector', load: async () => (await others()).openLangGraphOnServer },
]

export function serverSystemNamed(name: string): ListedOnServer {
  const found = serverSystems.find((system) => system.name === name)
  if (found === undefined)
    throw new RangeError(`there is no system ${name}; known are ${serverSystems.map((system) => system.name).join(', ')}`)
  return found
}
