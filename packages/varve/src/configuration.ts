import { resolve } from 'node:path'
import { type Clock, systemClock } from './clock/clock.ts'
import { InvalidConfiguration } from './errors/invalid-configuration.ts'
import { type Logger, processLogger } from './observe/logger.ts'
import { aiSdkEmbeddingModel } from './models/ai-sdk/ai-sdk-embedding-model.ts'
import type { AiSdkEmbeddingModel } from './models/ai-sdk/embedding-model-shape.ts'
import type { EmbeddingModel } from './models/embedding-model.ts'
import { miniLm } from './models/minilm/minilm.ts'
import { shown } from './scope/name.ts'

export interface MemoryOptions {
  /** `./varve.db`, `sqlite:./varve.db` or `memory:`. Default: VARVE_STORE, then `./varve.db`. */
  readonly store?: string
  /**
   * What turns text into vectors: any embedding model of the AI SDK, or false for none: then words alone find. Default:
   * VARVE_EMBEDDINGS (`auto`, `wasm`, `native` or `off`), then the MiniLM that comes with the package, on the faster runtime that is there.
   */
  readonly embeddingModel?: AiSdkEmbeddingModel | false
  /** Whether background work runs by itself (default) or only in `upkeep.run()`. */
  readonly upkeep?: 'background' | 'manual'
  /** What happens when an anonymous handle is used in a project that has named users. Default `warn`. */
  readonly isolation?: 'warn' | 'error' | 'silent'
  /** The store's clock. Default: the system's. */
  readonly clock?: Clock
  readonly logger?: Logger
  /** The most memory that the index may take, in bytes. Default 512 MiB. */
  readonly segmentBytes?: number
}

export interface Configuration {
  readonly file: string
  readonly embeddingModel: EmbeddingModel | undefined
  readonly upkeep: 'background' | 'manual'
  readonly isolation: 'warn' | 'error' | 'silent'
  readonly clock: Clock
  readonly logger: Logger
  readonly segmentBytes: number
}

const defaultSegmentBytes = 512 * 1024 * 1024
const leastSegmentBytes = 64 * 1024
const known: ReadonlySet<string> = new Set(['store', 'embeddingModel', 'upkeep', 'isolation', 'clock', 'logger', 'segmentBytes'])

/** Options over VARVE_* variables over defaults. */
export function configure(options: MemoryOptions, environment: Readonly<Record<string, string | undefined>>): Configuration {
  const unknown = Object.keys(options).find((key) => !known.has(key))
  if (unknown !== undefined) throw new InvalidConfiguration({ setting: unknown, reason: `is not an option of openMemory; known are ${[...known].join(', ')}` })
  const segmentBytes = options.segmentBytes ?? defaultSegmentBytes
  if (!Number.isInteger(segmentBytes) || segmentBytes < leastSegmentBytes) {
    throw new InvalidConfiguration({ setting: 'segmentBytes', reason: `must be a whole number of at least ${leastSegmentBytes}, received ${shown(segmentBytes)}` })
  }
  return {
    file: options.store === undefined ? storeFile(environment['VARVE_STORE'] ?? './varve.db', 'VARVE_STORE') : storeFile(options.store, 'store'),
    embeddingModel: embedder(options.embeddingModel, environment['VARVE_EMBEDDINGS']),
    upkeep: oneOf('upkeep', options.upkeep, ['background', 'manual']),
    isolation: oneOf('isolation', options.isolation, ['warn', 'error', 'silent']),
    clock: options.clock ?? systemClock,
    logger: options.logger ?? processLogger,
    segmentBytes,
  }
}

/** Nothing is loaded before it is needed. */
function embedder(model: AiSdkEmbeddingModel | false | undefined, setting: string | undefined): EmbeddingModel | undefined {
  if (model === false) return undefined
  if (model !== undefined) return aiSdkEmbeddingModel(model)
  const runtime = oneOf('VARVE_EMBEDDINGS', setting === '' ? undefined : setting, ['auto', 'wasm', 'native', 'off'])
  return runtime === 'off' ? undefined : miniLm({ runtime })
}

function storeFile(store: unknown, setting: string): string {
  if (typeof store !== 'string' || store.trim() === '' || store.includes('\0')) {
    throw new InvalidConfiguration({ setting, reason: `must be a path, sqlite:path or memory:, received ${shown(store)}` })
  }
  if (store === 'memory:') return ':memory:'
  if (/^postgres(ql)?:/.test(store)) throw new InvalidConfiguration({ setting, reason: 'this version of Varve has no PostgreSQL store; use a path, sqlite:path or memory:' })
  return resolve(store.replace(/^sqlite:(\/\/(?=\/))?/, ''))
}

function oneOf<Value extends string>(setting: string, value: string | undefined, values: readonly [Value, ...Value[]]): Value {
  if (value === undefined) return values[0]
  const known = values.find((one) => one === value)
  if (known !== undefined) return known
  throw new InvalidConfiguration({ setting, reason: `must be one of ${values.join(', ')}, received ${shown(value)}` })
}
