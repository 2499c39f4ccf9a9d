import type { OpenSystem } from './system.ts'

/** A system of the comparison. */
export interface Listed {
  readonly name: string
  readonly label: string
  /** Its ways of searching. */
  readonly finds: string
  /** Packages whose versions identify the system; none for Varve's own. */
  readonly packages: readonly string[]
  /** Whether kills are tried on it. A system that keeps nothing on disk loses everything, and Varve is Varve with any model. */
  readonly kills: 'measured' | 'keeps nothing on disk' | 'as varve'
  /** Its adapter is loaded only in the process that needs it. */
  load(): Promise<OpenSystem>
}

const varve = async () => import('./systems/varve.ts')
const miniSearch = async () => import('./systems/minisearch.ts')
const noDisk = 'keeps nothing on disk'
const both = 'words + meaning'

export const systems: readonly Listed[] = [
  { name: 'varve', label: 'Varve', finds: both, packages: [], kills: 'measured', load: async () => (await varve()).openVarve },
  {
    name: 'varve-native',
    label: 'Varve, with onnxruntime-node',
    finds: both,
    packages: [],
    kills: 'as varve',
    load: async () => (await varve()).openVarveNative,
  },
  {
    name: 'varve-endpoint',
    label: 'Varve, model at the endpoint',
    finds: both,
    packages: ['@ai-sdk/openai-compatible'],
    kills: 'as varve',
    load: async () => (await varve()).openVarveEndpoint,
  },
  {
    name: 'varve-words',
    label: 'Varve, without a model',
    finds: 'words',
    packages: [],
    kills: 'as varve',
    load: async () => (await varve()).openVarveWords,
  },
  {
    name: 'mem0',
    label: 'mem0ai/oss, infer: false',
    finds: both,
    packages: ['mem0ai', 'better-sqlite3', 'natural', 'compromise'],
    kills: 'measured',
    load: async () => (await import('./systems/mem0.ts')).openMem0,
  },
  {
    name: 'mastra',
    label: '@mastra/memory + libsql',
    finds: 'meaning',
    packages: ['@mastra/memory', '@mastra/libsql', '@mastra/core'],
    kills: 'measured',
    load: async () => (await import('./systems/mastra.ts')).openMastra,
  },
  {
    name: 'langgraph',
    label: 'LangGraph InMemoryStore',
    finds: 'meaning',
    packages: ['@langchain/langgraph-checkpoint', '@langchain/openai'],
    kills: noDisk,
    load: async () => (await import('./systems/langgraph.ts')).openLangGraph,
  },
  {
    name: 'orama',
    label: 'Orama, hybrid',
    finds: both,
    packages: ['@orama/orama', '@orama/stopwords', '@langchain/openai'],
    kills: noDisk,
    load: async () => (await import('./systems/orama.ts')).openOrama,
  },
  {
    name: 'minisearch',
    label: 'MiniSearch, defaults',
    finds: 'words',
    packages: ['minisearch'],
    kills: noDisk,
    load: async () => (await miniSearch()).openMiniSearch,
  },
  {
    name: 'minisearch-stemmed',
    label: 'MiniSearch, stems and stop words',
    finds: 'words',
    packages: ['minisearch', 'stemmer', '@orama/stopwords'],
    kills: noDisk,
    load: async () => (await miniSearch()).openMiniSearchStemmed,
  },
]

export function systemNamed(name: string): Listed {
  const found = systems.find((system) => system.name === name)
  if (found === undefined) throw new RangeError(`there is no system ${name}; known are ${systems.map((system) => system.name).join(', ')}`)
  return found
}
