import { messagePages } from '../stored-messages.ts'
import { carriedIn, EntryReader } from './carried-entries.ts'
import type { TranscriptMemory } from './transcript-memory.ts'
import { transcriptName } from './transcript-key.ts'

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
