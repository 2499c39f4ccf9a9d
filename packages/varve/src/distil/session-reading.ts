import { sittingsOf } from '../bank/sittings.ts'
import { itemsAround } from '../storage/derived/items.ts'
import { partsOf, type PlacedSession } from '../storage/derived/parts.ts'
import { nearTo } from '../storage/partitions.ts'
import { abreast, type Program } from '../storage/program.ts'
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
  const [row, now, parts, near, work] = yield* abreast([
    sessionRowById(partition, id),
    wantedOfSession(partition, id, layers),
    partsOf(partition, id),
    nearTo(partition),
    findWork({ kind: workKinds.session, ref: id }),
  ])
  if (row === undefined || now === undefined) return undefined
  const { wanted, project, name, owner, settings: stored } = now
  const settings = settingsOf(stored)
  const seq = Math.min(row.seq, upTo)
  const [items, ...found] = yield* abreast([
    itemsAround(near, id),
    ...unread(parts, seq, wanted).map(({ from, to }) => placesBetween(partition, id, from, to)),
  ])
  const places: readonly Place[] = found.flat()
  const sittings = (some: readonly Place[], before: { day: string; lastAt: number } | undefined): string[] =>
    sittingsOf(some, before, settings.timeZone, settings.settleMs)
  const closedAt = new Set(items.filter(({ hand }) => hand !== null).map((item) => item.hand_seq))
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
    attempts: work?.attempts ?? 0,
    chunks,
  }
}
