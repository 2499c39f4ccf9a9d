import type { Check } from '../storage/check.ts'
import type { Host } from '../upkeep/host.ts'
import type { Reads, Works, Writes } from './catalogue.ts'
import { type Port, portOf } from './port.ts'

/** The port of an engine that a call goes to: it reads, changes the store, or writes layers. */
export type Kind = 'read' | 'write' | 'distil'

/** A call by kind and name. An aborted signal tells the work to end early; its answer still comes. */
export type EngineCall = (kind: Kind, name: string, args: readonly never[], signal?: AbortSignal) => Promise<unknown>

/** The death of a thread that the engine did not end. */
export interface EngineTrouble {
  /** The thread's work, such as `answers`. */
  readonly thread: string
  readonly reason: string
}

/** The health of an engine. */
export interface EngineHealth {
  /** The running threads by their work, or `inline`. */
  readonly running: readonly string[]
  /** Threads that ended by themselves since the engine started. */
  readonly died: number
  /** The reason of the last death. */
  readonly lastReason?: string
}

/** Runs a store's calls by name, over the catalogue of the rooms. */
export interface Engine {
  readonly read: Port<Reads>
  readonly write: Port<Writes>
  readonly distil: Port<Works>
  /** The untyped call behind the ports. */
  readonly call: EngineCall
  /** True when the store may only be read here: writes reject with StoreReadOnly. */
  readonly readOnly: boolean
  /** True when erased words can leave the files with the call that erases them; else upkeep takes them out later. */
  readonly erasesAtOnce: boolean
  diagnose(): Promise<readonly Check[]>
  /** The longest pause between two looks for work in a process without any: milliseconds. */
  readonly longestRestMs: number
  /** Sets the host that the layer writer asks for models. Must be called before the first `distil`. */
  attend(host: Host): void
  /** Calls back when a thread died. */
  onTrouble(told: (trouble: EngineTrouble) => void): void
  /** Calls back when another instance may have written, where the store tells of it. */
  onHeard(heard: () => void): void
  health(): EngineHealth
  /** Finishes running calls and frees everything, whatever fails meanwhile; then rejects if something failed. */
  close(): Promise<void>
}

/** Returns the typed ports of a call by kind and name. */
export function portsOf(call: EngineCall): Pick<Engine, 'read' | 'write' | 'distil' | 'call'> {
  return {
    read: portOf<Reads>((name, args) => call('read', name, args)),
    write: portOf<Writes>((name, args) => call('write', name, args)),
    distil: portOf<Works>((name, args) => call('distil', name, args)),
    call,
  }
}
