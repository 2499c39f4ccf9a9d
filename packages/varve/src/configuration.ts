import { resolve } from 'node:path'
import { type Clock, systemClock } from './clock/clock.ts'
import { InvalidConfiguration } from './errors/invalid-configuration.ts'
import { type Logger, processLogger } from './observe/logger.ts'
import type { AiSdkEmbeddingModel } from './models/ai-sdk/embedding-model-shape.ts'
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
  /** The host's own model, not yet looked at. */
  readonly embeddingModel: AiSdkEmbeddingModel | undefined
  /** Without one: what runs the model in the package, `off` for none. */
  readonly embeddings: EmbeddingRuntime
  readonly upkeep: 'background' | 'manual'
  readonly isolation: 'warn' | 'error' | 'silent'
  readonly clock: Clock
  readonly logger: Logger
  readonly segmentBytes: number
}

/** What VARVE_EMBEDDINGS may be. */
export type EmbeddingRuntime = 'auto' | 'wasm' | 'native' | 'off'

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
    embeddingModel: options.embeddingModel === false ? undefined : options.embeddingModel,
    embeddings: options.embeddingModel === false ? 'off' : oneOf<EmbeddingRuntime>('VARVE_EMBEDDINGS', environment['VARVE_EMBEDDINGS'] || undefined, ['auto', 'wasm', 'native', 'off']),
    upkeep: oneOf('upkeep', options.upkeep, ['background', 'manual']),
    isolation: oneOf('isolation', options.isolation, ['warn', 'error', 'silent']),
    clock: options.clock ?? systemClock,
    logger: options.logger ?? processLogger,
    segmentBytes,
  }
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
