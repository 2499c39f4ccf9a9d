import { VarveError } from '../../errors/varve-error.ts'
import { carriedIn, EntryReader } from './carried-entries.ts'
import type { StoredMessage, TranscriptMemory } from './transcript-memory.ts'
import { transcriptName } from './transcript-key.ts'

/** The messages that are read at a time. */
const page = 1_000

/** What the store holds of a session. */
export interface HeldSession {
  /** The external ids of its messages. */
  readonly ids: Set<string>
  /** The ids of the entries of each transcript, by its name. */
  readonly entryIds: Map<string, Set<string>>
  /** The projects that its metadata is known to name. */
  readonly marked: Set<string>
  /** The title that was given to it here. */
  title: string | undefined
}

export interface ReadTranscripts {
  readonly held: HeldSession
  readonly transcripts: ReadonlyMap<string, EntryReader>
  /** Rows of entries whose message was forgotten since. */
  readonly orphans: readonly string[]
}

/** Gives what a call gives, or undefined when the session is unknown. */
export async function ifKnown<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (VarveError.is(error) && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** Reads all messages of a session, the newest page first. None when there is no such session. */
export async function* messagePages(memory: TranscriptMemory, session: string, limit = page): AsyncGenerator<readonly StoredMessage[]> {
  let before: number | undefined
  do {
    const asked = before === undefined ? { limit } : { limit, before }
    const messages = await ifKnown(memory.messages(session, asked))
    const [oldest] = messages ?? []
    if (messages === undefined || oldest === undefined) return
    yield messages
    before = messages.before ?? oldest.seq
  } while (before > 1)
}

/** Reads what a session holds, and the entries of its transcripts in order, by their names. */
export async function readTranscripts(memory: TranscriptMemory, session: string): Promise<ReadTranscripts> {
  const pages = await Array.fromAsync(messagePages(memory, session), (messages) =>
    messages.map(({ id, externalId, seq, parts }) => ({ id, externalId, seq, carried: carriedIn(parts) })),
  )
  const rows = pages.toReversed().flat()
  const ids = new Set(rows.flatMap(({ externalId }) => externalId ?? []))
  const orphans: string[] = []
  const transcripts = new Map<string, EntryReader>()
  for (const [at, { id, seq, carried }] of rows.entries()) {
    if (carried === undefined) continue
    if (carried.of?.every((message) => ids.has(message)) === false) {
      orphans.push(id)
      continue
    }
    const name = transcriptName({ projectKey: carried.project, ...carried })
    const reader = transcripts.get(name) ?? new EntryReader()
    transcripts.set(name, reader)
    reader.take(carried, seq - 1 - at)
  }
  const entryIds = new Map([...transcripts].map(([name, reader]) => [name, new Set(reader.ids)]))
  return { held: { ids, entryIds, marked: new Set(), title: undefined }, transcripts, orphans }
}
