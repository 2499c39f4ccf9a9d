import type { Check } from '../storage/check.ts'
import type { Host } from '../upkeep/host.ts'
import type { Reads, Works, Writes } from './catalogue.ts'
import { type Port, portOf } from './port.ts'

/** Which of an engine's three ports is called: what only looks, what changes the store, what writes layers. */
export type Kind = 'read' | 'write' | 'distil'

/** A call by kind and name. An aborted signal tells the work to end early; what it answers then still comes. */
export type EngineCall = (kind: Kind, name: string, args: readonly never[], signal?: AbortSignal) => Promise<unknown>

/** What happened to an engine by itself. */
export interface EngineTrouble {
  /** The thread by what it does, such as `answers`. */
  readonly thread: string
  readonly reason: string
}

/** How an engine is. */
export interface EngineHealth {
  /** What runs it: threads by what they do, or `inline`. */
  readonly running: readonly string[]
  /** Threads that ended by themselves, since it was started. */
  readonly died: number
  /** Why the last one did. */
  readonly lastReason?: string
}

/** What runs a store's calls: by name, over the catalogue that the rooms offer. */
export interface Engine {
  readonly read: Port<Reads>
  readonly write: Port<Writes>
  readonly distil: Port<Works>
  /** The ports before they have types. */
  readonly call: EngineCall
  diagnose(): Promise<readonly Check[]>
  /** Whether what writes layers runs already. */
  isDistilling(): boolean
  /** Has what writes layers ask this host for models. To be called before the first `distil`. */
  attend(host: Host): void
  /** Calls back when a thread died. */
  onTrouble(told: (trouble: EngineTrouble) => void): void
  health(): EngineHealth
  /** Finishes what is under way, and frees all that is held, whatever fails meanwhile; then rejects if something did. */
  close(): Promise<void>
}

/** The ports of a call by kind and name. */
export function portsOf(call: EngineCall): Pick<Engine, 'read' | 'write' | 'distil' | 'call'> {
  return {
    read: portOf<Reads>((name, args) => call('read', name, args)),
    write: portOf<Writes>((name, args) => call('write', name, args)),
    distil: portOf<Works>((name, args) => call('distil', name, args)),
    call,
  }
}
