import { newestMessage } from '../stored-messages.ts'
import { projectsOf } from './session-marks.ts'
import { type FoldSummary, SessionSummaries, type TranscriptSummary } from './session-summaries.ts'
import type { TranscriptEntry, TranscriptKey } from './transcript-key.ts'
import type { ErasureReceipt, TranscriptMemory } from './transcript-memory.ts'
import { Transcripts } from './transcripts.ts'

export interface SessionStoreOptions {
  /** The SDK's `foldSessionSummary`. With it the store has `listSessionSummaries`; without, the SDK loads each session to list it. */
  readonly foldSessionSummary?: FoldSummary
  /** Stores entries again whose messages were forgotten or replaced. Default false: their words do not come back by a replay. */
  readonly restoreForgotten?: boolean
  /** Gets the receipt of each erasure. */
  readonly erased?: (receipt: ErasureReceipt) => void
}

/** The `SessionStore` of `@anthropic-ai/claude-agent-sdk`. */
export interface VarveSessionStore {
  append(key: TranscriptKey, entries: TranscriptEntry[]): Promise<void>
  load(key: TranscriptKey): Promise<TranscriptEntry[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  listSessionSummaries?(projectKey: string): Promise<TranscriptSummary[]>
  delete(key: TranscriptKey): Promise<void>
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>
}

/**
 * Keeps transcripts of the Claude Agent SDK in a user's memory: `load` gives their entries back as they were, and what
 * was said in them is the user's talk, which recall finds.
 *
 * @example query({ prompt, options: { sessionStore: sessionStore(ada, { foldSessionSummary }) } })
 */
export function sessionStore(memory: TranscriptMemory, options: SessionStoreOptions = {}): VarveSessionStore {
  const { foldSessionSummary: fold, restoreForgotten = false, erased } = options
  const transcripts = new Transcripts(memory, { restoreForgotten, now: Date.now })
  const summaries = new SessionSummaries(memory)
  const listSessions = async (projectKey: string): Promise<{ sessionId: string; mtime: number }[]> => {
    const sessions: string[] = []
    for await (const session of memory.sessions.list({ limit: 1_000 }))
      if (projectsOf(session).includes(projectKey)) sessions.push(session.id)
    return Promise.all(sessions.map(async (sessionId) => ({ sessionId, mtime: await changedAt(memory, sessionId) })))
  }
  return {
    append: (key, entries) => transcripts.append(ownKey(key), entries),
    load: (key) => transcripts.load(ownKey(key)),
    listSessions,
    delete: async (key) => {
      const receipt = await transcripts.erase(ownKey(key))
      if (receipt !== undefined) erased?.(receipt)
    },
    listSubkeys: (key) => transcripts.subpaths(key),
    ...(fold === undefined
      ? {}
      : { listSessionSummaries: (projectKey: string) => summarized({ transcripts, summaries, fold }, projectKey, listSessions) }),
  }
}

interface Summing {
  readonly transcripts: Transcripts
  readonly summaries: SessionSummaries
  readonly fold: FoldSummary
}

async function summarized(
  { transcripts, summaries, fold }: Summing,
  projectKey: string,
  listSessions: (projectKey: string) => Promise<readonly { readonly sessionId: string; readonly mtime: number }[]>,
): Promise<TranscriptSummary[]> {
  await summaries.refresh()
  const all: TranscriptSummary[] = []
  for (const { sessionId, mtime } of await listSessions(projectKey)) {
    const key = { projectKey, sessionId }
    const known = summaries.get(key)
    const entries = known === undefined ? await transcripts.load(key) : []
    if (entries === null) continue
    const summary = known ?? fold(undefined, key, entries, { mtime })
    summaries.keep(key, summary)
    all.push({ ...summary, mtime })
  }
  return all
}

/** Gives the time at which a session's newest message was stored. */
async function changedAt(memory: TranscriptMemory, session: string): Promise<number> {
  return (await newestMessage(memory, session))?.recordedAt ?? 0
}

/** An empty subpath is none, as the SDK's own store has it. */
function ownKey({ projectKey, sessionId, subpath }: TranscriptKey): TranscriptKey {
  return { projectKey, sessionId, ...(subpath === undefined || subpath === '' ? {} : { subpath }) }
}
