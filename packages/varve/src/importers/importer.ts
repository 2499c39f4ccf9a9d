import type { MessageInput, Metadata, Origin, Role } from '../messages/message.ts'
import type { ImportFormat } from './formats/all.ts'
import type { RepairReason, SkipReason } from './reasons.ts'
import type { StatedOwner } from './stated-owner.ts'

/** A message as a format gives it, before it is repaired: only `role` is sure to be right. */
export interface RawMessage {
  readonly role: Role
  readonly content: string
  /** The source's own id; without one, an id is derived from session, place, role and content. */
  readonly id?: string | undefined
  readonly name?: string | undefined
  /** UTC milliseconds or ISO 8601; any other value counts as unreadable. */
  readonly at?: unknown
  readonly thread?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly origin?: Origin | undefined
  /** AI SDK parts, such as tool calls and their results; `content` is their readable text. */
  readonly parts?: readonly unknown[] | undefined
}

/** The items of a format, in the order of the file. A session comes before its messages, if it has a name or a time. */
export type ImportItem =
  | {
      readonly kind: 'session'
      readonly id: string
      readonly name?: string | undefined
      readonly at?: unknown
      readonly owner?: StatedOwner | undefined
    }
  | {
      readonly kind: 'message'
      readonly session: string
      readonly message: RawMessage
      readonly owner?: StatedOwner | undefined
      readonly line?: number
    }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly count?: number; readonly line?: number }
  | { readonly kind: 'repaired'; readonly reason: RepairReason; readonly count?: number }

/** Some of a file's items, and the reading progress. */
export interface ItemPage {
  readonly items: readonly ImportItem[]
  /** Bytes read so far, and bytes to read in all. */
  readonly bytes: number
  readonly totalBytes: number
  /** The format: as given, or as told from the file's content. */
  readonly format: ImportFormat | undefined
  /** True for the last page. */
  readonly done: boolean
}

/** One stream to import: a file, or an entry of a zip. */
export interface ImportSource {
  /** For errors: the path as the caller gave it. */
  readonly file: string
  /** The base name without its extension: the session of messages that name none. */
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** True where the content told the format: a later part may tell another. */
  readonly isTold?: boolean
}

/** Reads one format as a stream: its memory is bounded, whatever the size of the file. */
export type Importer = (source: ImportSource) => AsyncGenerator<ImportItem>

/** The target of an import: the part of a user's memory that it needs. */
export interface ImportHandle {
  /** Whose memory it is. Without it, no line is taken that names an owner. */
  readonly scope?: { readonly project: string; readonly user?: string }
  append(session: string, messages: MessageInput[], options?: { restoreForgotten?: boolean }): Promise<ImportedBatch>
  /** For a dry run: tells which messages the session has, and which were forgotten. Without it, only the file's own are counted. */
  standing?(session: string, messages: readonly NamedInFile[]): Promise<StandingMessages>
  readonly sessions: {
    /** Throws NotFound for an unknown session. */
    get(id: string): Promise<{ readonly name?: string }>
    ensure(id: string, options: { name?: string }): Promise<unknown>
  }
}

/** The target of an import that gives each line to its own user: a memory. */
export interface ImportRoutes {
  /** Throws InvalidScope for a name that cannot be used. */
  for(scope: { readonly project?: string; readonly user?: string }): ImportHandle
}

/** A message of a file, as far as the store must know it to tell whether it stands. */
export interface NamedInFile extends Pick<RawMessage, 'role'> {
  readonly externalId: string
  /** UTC milliseconds. */
  readonly saidAt: number
}

/** Ids of messages that a session has, and of those that were forgotten in it. */
export interface StandingMessages {
  readonly stored: readonly string[]
  readonly forgotten: readonly string[]
}

export interface ImportedBatch {
  /** One entry for each message given, except forgotten ones. */
  readonly messages: readonly { readonly duplicate: boolean }[]
  readonly duplicates: readonly string[]
  /** Ids of messages that were forgotten before; they are not stored again. */
  readonly forgotten?: readonly string[]
}

export interface ImportProgress {
  /** Bytes of the file read so far, and bytes to read in all. For a zip: compressed bytes of the entries that are read. */
  readonly bytes: number
  readonly totalBytes: number
  readonly messages: number
  readonly stored: number
  readonly duplicates: number
}

export interface ImportReport {
  readonly format: ImportFormat
  /** Sessions with at least one message. */
  readonly sessions: number
  /** Messages that were read and can be stored. They equal `stored + duplicates + forgotten`. */
  readonly messages: number
  /** New messages. A dry run counts those that an import would store. */
  readonly stored: number
  readonly duplicates: number
  /** Messages that were forgotten before, and are not stored again. `restoreForgotten` stores them. */
  readonly forgotten: number
  /** Counts by reason: `skipped` for left-out content, `repaired` for changes that made content storable. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>
  readonly repaired: Readonly<Partial<Record<RepairReason, number>>>
  /** The first lines that were left out, by reason: of a single file that has a message a line. */
  readonly lines: Readonly<Partial<Record<SkipReason, readonly number[]>>>
  readonly bytes: number
  /** Milliseconds by the given clock. */
  readonly ms: number
}
