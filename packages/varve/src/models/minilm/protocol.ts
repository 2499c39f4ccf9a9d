import type { WireError } from '../../errors/wire.ts'
import type { GateMemory } from './gate.ts'
import type { ModelPaths } from './model-files.ts'
import type { Runtime, RuntimePreference } from './runtime.ts'

/** The options with which a thread is started. */
export interface ThreadOptions {
  readonly paths: ModelPaths
  readonly runtime: RuntimePreference
  readonly gate: GateMemory
}

/** One slice of texts; the next one is sent when this one is answered. */
export interface ToThread {
  readonly texts: readonly string[]
}

/** The message that the model is loaded. */
export interface Ready {
  readonly kind: 'ready'
  readonly runtime: Runtime['kind']
  readonly detail: string
  readonly lacksNative: boolean
  readonly passedOver: string | undefined
}

/** The vectors of a slice, one after the other, each of length 1. */
export interface Done {
  readonly kind: 'done'
  readonly vectors: Float32Array
  readonly tokens: number
  readonly ms: number
}

/** Before `ready`: the model cannot be loaded. After it: the thread is of no further use. */
export interface Failed {
  readonly kind: 'failed'
  readonly error: WireError
}

export type FromThread = Ready | Done | Failed
