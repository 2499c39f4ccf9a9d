import type { KeyObject } from 'node:crypto'
import { type Clock, systemClock } from '../clock/clock.ts'
import { InvalidConfiguration } from '../errors/invalid-configuration.ts'
import { type Logger, processLogger } from '../observe/logger.ts'
import type { AiSdkLanguageModel } from '../models/ai-sdk/language-model-shape.ts'
import { isSwitched, type LayerOptions, layersOn, switchedLayers } from '../storage/layers.ts'
import type { AiSdkEmbeddingModel } from '../models/ai-sdk/embedding-model-shape.ts'
import { shown } from '../errors/shown.ts'
import { folderPlace, storePlace } from './places.ts'
import type { Ed25519Key } from '../signing/keys.ts'
import { signingKeyOf } from './signing-key.ts'

/** The options of `openMemory`. Each has a default, and some a VARVE_* variable. */
export interface MemoryOptions {
  /**
   * `./varve.db`, `sqlite:./varve.db`, `file:///srv/varve.db` or `memory:`. Anything that is not plainly a path is
   * refused: a bare word, another database's address. Default: VARVE_STORE, then `./varve.db`.
   */
  readonly store?: string
  /**
   * The model that turns text into vectors: any embedding model of the AI SDK. With false there are no vectors, and
   * recall finds by words alone. Default: VARVE_EMBEDDINGS (`auto`, `wasm`, `native` or `off`), then the MiniLM that
   * comes with the package, on the fastest runtime there.
   */
  readonly embeddingModel?: AiSdkEmbeddingModel | false
  /**
   * The model that writes gists, facts, the bank, documents and notes: any language model of the AI SDK, or one for
   * each task. A left-out `edit` or `notes` is the `distil` model. With false, the extractive writers write without a
   * model. Default: the model at VARVE_MODEL_URL, by its name in VARVE_MODEL, with the key in VARVE_MODEL_KEY.
   */
  readonly languageModel?: AiSdkLanguageModel | ModelsByTask | false
  /**
   * The most tokens that the language model takes in and gives out at once. Default: VARVE_MODEL_WINDOW, then the
   * window that its server tells, then 8,192.
   */
  readonly modelWindow?: number
  /**
   * The most time of one call of the language model, in milliseconds. Default: VARVE_MODEL_DEADLINE_MS, then a minute,
   * 20 ms a token of the prompt and 100 ms a token of the answer's room: what a model on a laptop's processor takes.
   */
  readonly modelDeadlineMs?: number
  /** The layers that are derived from messages, unless a project's settings say otherwise. Default: gists and facts. */
  readonly layers?: LayerOptions
  /**
   * A folder in which each session's notes are a markdown file, to be read and edited by hand. Default:
   * VARVE_NOTES_DIRECTORY, then none.
   */
  readonly notesDirectory?: string
  /**
   * A private Ed25519 key, PEM or KeyObject: receipts are signed with it beside the store's own key, so that anybody can
   * verify them with its public half. Default: the PEM file at VARVE_SIGNING_KEY, then none.
   */
  readonly signingKey?: string | KeyObject
  /**
   * The engine of the store. `threads` (default on a file): neither a commit nor a search holds up the host's event
   * loop. `inline`: the caller's own thread, which opens in some 10 ms; for short programs and tests. `memory:` is
   * always inline. Default: VARVE_ENGINE, then threads.
   */
  readonly engine?: 'threads' | 'inline'
  /** `background` (default): background work runs by itself. `manual`: it runs only in `upkeep.run()`. */
  readonly upkeep?: 'background' | 'manual'
  /**
   * The answer to an anonymous handle in a project that has named users: a warning, an IsolationWarning error, or
   * nothing. Default `warn`.
   */
  readonly isolation?: 'warn' | 'error' | 'silent'
  /** The store's clock. Default: the system's. */
  readonly clock?: Clock
  /** The receiver of warnings. Default: `process.emitWarning`. */
  readonly logger?: Logger
  /** The most memory that the index may take, in bytes; at least 65,536. Default 512 MiB. */
  readonly segmentBytes?: number
  /**
   * The counting of the tokens of a context. `o200k_base` (default) counts exactly, by a table that takes a new process
   * 100 CPU-ms and 30 MB. `estimate` loads nothing and counts some 20 % too many: for a short program, such as a hook.
   */
  readonly tokenizer?: 'o200k_base' | 'estimate'
}

/** Language models of the AI SDK by task: `distil` reads messages, `edit` edits documents, `notes` keeps notes. */
export interface ModelsByTask {
  readonly distil?: AiSdkLanguageModel
  readonly edit?: AiSdkLanguageModel
  readonly notes?: AiSdkLanguageModel
}

export interface Configuration {
  /** The host's own language model, not checked yet, or the address of one; undefined for none. */
  readonly languageModel: LanguageModelChoice | undefined
  /** Milliseconds of a call of a language model; undefined: as its tokens want it. */
  readonly modelDeadlineMs: number | undefined
  /** Bits of the layers that are on unless a project says otherwise. */
  readonly layers: number
  readonly file: string
  /** Absolute; undefined for none. */
  readonly notesDirectory: string | undefined
  /** The key that signs beside the store's; undefined for none. */
  readonly signingKey: Ed25519Key | undefined
  /** The host's own embedding model, not checked yet. */
  readonly embeddingModel: AiSdkEmbeddingModel | undefined
  /** The runtime of the model in the package when the host gave none; `off` for no model. */
  readonly embeddings: EmbeddingRuntime
  readonly engine: 'threads' | 'inline'
  readonly upkeep: 'background' | 'manual'
  readonly isolation: 'warn' | 'error' | 'silent'
  readonly clock: Clock
  readonly logger: Logger
  readonly segmentBytes: number
  readonly tokenizer: 'o200k_base' | 'estimate'
}

export type LanguageModelChoice =
  | { readonly given: ModelsByTask; readonly window: number | undefined }
  | { readonly url: string; readonly model: string; readonly key: string | undefined; readonly window: number | undefined }

/** The values of VARVE_EMBEDDINGS. */
export type EmbeddingRuntime = 'auto' | 'wasm' | 'native' | 'off'

const defaultSegmentBytes = 512 * 1024 * 1024
const leastSegmentBytes = 64 * 1024
const known: ReadonlySet<string> = new Set([
  'store',
  'embeddingModel',
  'languageModel',
  'modelWindow',
  'modelDeadlineMs',
  'layers',
  'notesDirectory',
  'signingKey',
  'engine',
  'upkeep',
  'isolation',
  'clock',
  'logger',
  'segmentBytes',
  'tokenizer',
])

/** Reads the configuration: options first, then VARVE_* variables, then defaults. */
export function configure(options: MemoryOptions, environment: Readonly<Record<string, string | undefined>>): Configuration {
  const unknown = Object.keys(options).find((key) => !known.has(key))
  if (unknown !== undefined)
    throw new InvalidConfiguration({ setting: unknown, reason: `is not an option of openMemory; known are ${[...known].join(', ')}` })
  const segmentBytes = options.segmentBytes ?? defaultSegmentBytes
  if (!Number.isInteger(segmentBytes) || segmentBytes < leastSegmentBytes) {
    throw new InvalidConfiguration({
      setting: 'segmentBytes',
      reason: `must be a whole number of at least ${leastSegmentBytes}, received ${shown(segmentBytes)}`,
    })
  }
  return {
    file:
      options.store === undefined
        ? storePlace(environment['VARVE_STORE'] ?? './varve.db', 'VARVE_STORE')
        : storePlace(options.store, 'store'),
    embeddingModel: options.embeddingModel === false ? undefined : options.embeddingModel,
    embeddings:
      options.embeddingModel === false
        ? 'off'
        : oneOf<EmbeddingRuntime>('VARVE_EMBEDDINGS', environment['VARVE_EMBEDDINGS'] || undefined, ['auto', 'wasm', 'native', 'off']),
    languageModel: languageModelOf(options, environment),
    modelDeadlineMs: wholeOf(
      ['modelDeadlineMs', options.modelDeadlineMs],
      ['VARVE_MODEL_DEADLINE_MS', environment['VARVE_MODEL_DEADLINE_MS'] || undefined],
      { least: leastDeadlineMs, unit: 'milliseconds' },
    ),
    layers: layerBitsOf(options.layers),
    notesDirectory: notesFolder(options.notesDirectory, environment['VARVE_NOTES_DIRECTORY'] || undefined),
    signingKey: signingKeyOf(options.signingKey, environment['VARVE_SIGNING_KEY'] || undefined),
    engine:
      options.engine === undefined
        ? oneOf<'threads' | 'inline'>('VARVE_ENGINE', environment['VARVE_ENGINE'] || undefined, ['threads', 'inline'])
        : oneOf('engine', options.engine, ['threads', 'inline']),
    upkeep: oneOf('upkeep', options.upkeep, ['background', 'manual']),
    isolation: oneOf('isolation', options.isolation, ['warn', 'error', 'silent']),
    clock: options.clock ?? systemClock,
    logger: options.logger ?? processLogger,
    segmentBytes,
    tokenizer: oneOf<'o200k_base' | 'estimate'>('tokenizer', options.tokenizer, ['o200k_base', 'estimate']),
  }
}

function notesFolder(option: unknown, variable: string | undefined): string | undefined {
  if (option !== undefined) return folderPlace(option, 'notesDirectory')
  return variable === undefined ? undefined : folderPlace(variable, 'VARVE_NOTES_DIRECTORY')
}

function oneOf<Value extends string>(setting: string, value: string | undefined, values: readonly [Value, ...Value[]]): Value {
  if (value === undefined) return values[0]
  const known = values.find((one) => one === value)
  if (known !== undefined) return known
  throw new InvalidConfiguration({ setting, reason: `must be one of ${values.join(', ')}, received ${shown(value)}` })
}

const leastWindow = 1_024
const leastDeadlineMs = 1_000

function languageModelOf(
  { languageModel, modelWindow }: MemoryOptions,
  environment: Readonly<Record<string, string | undefined>>,
): LanguageModelChoice | undefined {
  if (languageModel === false) return undefined
  const window = wholeOf(['modelWindow', modelWindow], ['VARVE_MODEL_WINDOW', environment['VARVE_MODEL_WINDOW'] || undefined], {
    least: leastWindow,
    unit: 'tokens',
  })
  if (languageModel !== undefined) return { given: isByTask(languageModel) ? languageModel : { distil: languageModel }, window }
  const url = environment['VARVE_MODEL_URL'] || undefined
  const model = environment['VARVE_MODEL'] || undefined
  if (url === undefined && model === undefined) return undefined
  if (url === undefined)
    throw new InvalidConfiguration({ setting: 'VARVE_MODEL', reason: 'names a model, but VARVE_MODEL_URL does not say where it is served' })
  if (model === undefined)
    throw new InvalidConfiguration({ setting: 'VARVE_MODEL_URL', reason: 'is set, but VARVE_MODEL does not say which model to ask there' })
  return { url, model, key: environment['VARVE_MODEL_KEY'] || undefined, window }
}

/** Reads a whole number from an option, or else from a variable. */
function wholeOf(
  [option, given]: readonly [string, number | undefined],
  [variable, text]: readonly [string, string | undefined],
  { least, unit }: { readonly least: number; readonly unit: string },
): number | undefined {
  const received = given ?? (text === undefined ? undefined : Number(text))
  if (received === undefined || (Number.isInteger(received) && received >= least)) return received
  throw new InvalidConfiguration({
    setting: given === undefined ? variable : option,
    reason: `must be a whole number of ${unit} of at least ${least}, received ${shown(given ?? text)}`,
  })
}

const tasks: ReadonlySet<string> = new Set(['distil', 'edit', 'notes'])

function isByTask(model: NonNullable<MemoryOptions['languageModel']>): model is ModelsByTask {
  if (typeof model !== 'object' || 'doGenerate' in model) return false
  const keys = Object.keys(model)
  return keys.length > 0 && keys.every((key) => tasks.has(key))
}

/** Gives the bits of the layers that are on. Refuses an unknown name: its layer would stay off in silence. */
export function layerBitsOf(layers: unknown): number {
  const given = checkedLayers('layers', layers ?? {})
  const unknown = Object.keys(given).find((name) => !isSwitched(name))
  if (unknown !== undefined)
    throw new InvalidConfiguration({ setting: `layers.${unknown}`, reason: `is not known; layers are ${switchedLayers.join(', ')}` })
  return layersOn(given)
}

function checkedLayers(setting: string, received: unknown): Readonly<Record<string, boolean>> {
  if (isOfBooleans(received)) return received
  throw new InvalidConfiguration({ setting, reason: `must say true or false for each layer, received ${shown(received)}` })
}

function isOfBooleans(received: unknown): received is Readonly<Record<string, boolean>> {
  return (
    typeof received === 'object' &&
    received !== null &&
    !Array.isArray(received) &&
    Object.values(received).every((on) => typeof on === 'boolean')
  )
}
