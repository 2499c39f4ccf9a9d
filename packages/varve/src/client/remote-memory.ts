import type { CallOptions } from '../operations/call-options.ts'
import type { MemoryEvent } from '../observe/events.ts'
import type { Memory } from '../memory/memory.ts'
import type { ProjectMemory } from '../memory/project-memory.ts'
import type { UserMemory } from '../memory/user-memory.ts'
import type { ScopeInput } from '../scope/scope.ts'

/** A handle as it is over the wire: `tools()` needs the library. */
type Remote<Handle> = Omit<Handle, 'tools'>

/** Handles whose `tools()` is not there. */
type WithTools = 'blocks' | 'facts' | 'instructions' | 'documents'

/** One partition's memory at a server. Everything of UserMemory but the agents' `tools()`. */
export type RemoteUserMemory = Omit<UserMemory, WithTools | 'tools'> & { readonly [Name in WithTools]: Remote<UserMemory[Name]> }

/** A project at a server. Everything of ProjectMemory but the agents' `tools()`. */
export type RemoteProjectMemory = Omit<ProjectMemory, 'blocks' | 'documents'> & {
  readonly blocks: Remote<ProjectMemory['blocks']>
  readonly documents: Remote<ProjectMemory['documents']>
}

/** The projects of a server's store. */
export type RemoteProjects = Omit<Memory['projects'], 'create'> & {
  /** Makes a project. One that is there stays as it is. Gives back its handle. */
  create(name: string, options?: CallOptions): Promise<RemoteProjectMemory>
}

type Change = Awaited<ReturnType<UserMemory['changes']>>['changes'][number]

/** An event of a server’s memory. `eventId` is its place in the stream: give it to `lastEventId` to go on after it. */
export type RemoteEvent = (ToldChange | LiveEvent | MissedEvents) & { readonly eventId?: string }

/** A change that the store knows. With `content: true` it has the words of appended messages, where the key may read them. */
export type ToldChange = Change & {
  readonly contents?: readonly { readonly id: string; readonly role: string; readonly name?: string; readonly content: string }[]
}

/** What happens in the server’s process, for a key of an admin: numbers and times, without ids and names. */
export interface LiveEvent {
  readonly type: Exclude<MemoryEvent['type'], Change['type']>
  readonly at: number
  readonly [fact: string]: unknown
}

/** Events were lost: the store no longer knows what came after the last one. Read again what matters. */
export interface MissedEvents {
  readonly type: 'missed'
  readonly [fact: string]: unknown
}

/** Options of `events`. */
export interface EventsOptions {
  /** Default: `default`. */
  readonly project?: string
  /** Only this user. A key of a user needs it. */
  readonly user?: string
  /** Begins after this event: the `eventId` of one that was handled. Default: from now on. */
  readonly lastEventId?: string
  /** Also what was said, where the key may read it. */
  readonly content?: boolean
  /** Aborting ends the loop with Cancelled. */
  readonly signal?: AbortSignal
}

/** A memory at a server. It has the names and types of the library's Memory, except `counters()` and the agents' `tools()`. */
export interface RemoteMemory extends Omit<
  Memory,
  'for' | 'project' | 'projects' | 'events' | 'counters' | 'backup' | 'doorStore' | 'callsFor' | 'callsForShared' | 'callsForStore'
> {
  /** Gives a handle on one partition, as the library does. Nothing is sent. InvalidScope for a name that is none. */
  for(scope: string | ScopeInput): RemoteUserMemory
  /** Gives a handle on a project as a whole. Nothing is sent. */
  project(name: string): RemoteProjectMemory
  readonly projects: RemoteProjects
  /**
   * Gives the events of a project, of every process that shares the server's store. Connects again by itself after the last
   * event that came. Ends when the client is closed.
   */
  events(options?: EventsOptions): AsyncIterableIterator<RemoteEvent>
  /** Waits for the calls under way, and refuses later ones with MemoryClosed. The server's memory stays open. */
  close(): Promise<void>
}
