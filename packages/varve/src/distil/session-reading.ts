import { sittingsOf } from '../bank/sittings.ts'
import { itemsOfSession } from '../storage/derived/items.ts'
import { partsOf, type PlacedSession } from '../storage/derived/parts.ts'
import type { Program } from '../storage/program.ts'
import { placesBetween, wantedOfSession } from '../storage/derived/reading.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { findWork, workKinds } from '../storage/work.ts'
import { chunksOf, type Place, unread } from './chunks.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'
import { type DistilSettings, settingsOf } from './settings.ts'

/** A session as it stands, with the chunks to read. */
export interface SessionReading {
  readonly session: number
  readonly name: string
  readonly partition: number
  readonly project: number
  readonly projectName: string
  /** The user's name; '' for the anonymous user. */
  readonly owner: string
  readonly settings: DistilSettings
  /** Parts are stored only if the epoch is still this one. */
  readonly epoch: number
  /** The last place of the session. */
  readonly seq: number
  /** Bits of the layers that are wanted, and of those that were provisional. */
  readonly wanted: number
  readonly provisional: number
  /** The time at which it settles, if nothing more is said: UTC milliseconds. */
  readonly settlesAt: number
  /** The number of failed attempts in a row. */
  readonly attempts: number
  /** Chunks from which something is to be written, the newest last. */
  readonly chunks: readonly Chunk[]
}

/** The options of a reading. */
export interface ReadingOptions {
  /** Bits of the layers that are on unless a project says otherwise. */
  readonly layers: number
  /** True when a model is there that may write provisional parts again. */
  readonly again: boolean
  /** The most tokens of a chunk, by the project's settings; a single message may have more. */
  readonly maxTokens: (settings: DistilSettings) => number
  /** The last place that is read. Absent: the last of the session. */
  readonly upTo?: number | undefined
}

/** Reads the chunks of a session that are due; undefined when the session is gone. */
export function* readSession(
  { partition, session: id }: PlacedSession,
  { layers, again, maxTokens, upTo = Infinity }: ReadingOptions,
): Program<SessionReading | undefined> {
  const row = yield* sessionRowById(partition, id)
  const now = row === undefined ? undefined : yield* wantedOfSession(partition, id, layers)
  if (row === undefined || now === undefined) return undefined
  const { wanted, project, name, owner, settings: stored } = now
  const settings = settingsOf(stored)
  const parts = yield* partsOf(partition, id)
  const places: Place[] = []
  const seq = Math.min(row.seq, upTo)
  for (const { from, to } of unread(parts, seq, wanted)) places.push(...(yield* placesBetween(partition, id, from, to)))
  const sittings = (some: readonly Place[], before: { day: string; lastAt: number } | undefined): string[] =>
    sittingsOf(some, before, settings.timeZone, settings.settleMs)
  const closedAt = new Set((yield* itemsOfSession(partition, id)).filter(({ hand }) => hand !== null).map((item) => item.hand_seq))
  const chunks = chunksOf(parts, places, {
    wanted,
    again: again ? wanted : 0,
    maxMessages: settings.partMessages,
    maxTokens: maxTokens(settings),
    closedAt,
    sharedFrom: row.shared_from,
    sittings,
  }).filter(({ due }) => due !== 0)
  return {
    session: id,
    name: row.external_id,
    partition: row.partition_id,
    project,
    projectName: name,
    owner,
    settings,
    epoch: row.epoch,
    seq,
    wanted,
    provisional: row.provisional,
    settlesAt: row.last_recorded_at + settings.settleMs,
    attempts: (yield* findWork({ kind: workKinds.session, ref: id }))?.attempts ?? 0,
    chunks,
  }
}
