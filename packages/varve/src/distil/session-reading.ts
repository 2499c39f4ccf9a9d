import { sittingsOf } from '../bank/sittings.ts'
import { itemsOfSession } from '../storage/derived/items.ts'
import { partsOf } from '../storage/derived/parts.ts'
import type { Program } from '../storage/program.ts'
import { placesBetween, wantedOfSession } from '../storage/derived/reading.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { findWork, workKinds } from '../storage/work.ts'
import { chunksOf, type Place, unread } from './chunks.ts'
import type { Chunk } from '../tasks/parts/read-span.ts'
import { type DistilSettings, settingsOf } from './settings.ts'

/** A session as it stands, and what of it is to be read. */
export interface SessionReading {
  readonly session: number
  readonly name: string
  readonly partition: number
  readonly project: number
  readonly projectName: string
  readonly settings: DistilSettings
  /** What was read is stored only if the epoch is still this one. */
  readonly epoch: number
  /** The last place that there is. */
  readonly seq: number
  /** Bits of the layers that are wanted, and of those that were provisional. */
  readonly wanted: number
  readonly provisional: number
  /** How often it could not be written as it should, in a row. */
  readonly attempts: number
  /** Chunks from which something is to be written, the newest last. */
  readonly chunks: readonly Chunk[]
}

/** How a session is read. */
export interface ReadingOptions {
  /** Bits of the layers that are on where a project says nothing. */
  readonly layers: number
  /** Whether there is a model now that may write again what is provisional. */
  readonly again: boolean
  /** Tokens that one chunk may have; a single message may have more. */
  readonly maxTokens: number
}

/** What of a session is to be read; undefined when it is gone. */
export function* readSession(id: number, { layers, again, maxTokens }: ReadingOptions): Program<SessionReading | undefined> {
  const row = yield* sessionRowById(id)
  if (row === undefined) return undefined
  const { wanted, project, name, settings: stored } = yield* wantedOfSession(id, layers)
  const settings = settingsOf(stored)
  const parts = yield* partsOf(id)
  const places: Place[] = []
  for (const { from, to } of unread(parts, row.seq, wanted)) places.push(...(yield* placesBetween(id, from, to)))
  const sittings = (some: readonly Place[], before: { day: string; lastAt: number } | undefined): string[] =>
    sittingsOf(some, before, settings.timeZone)
  const closedAt = new Set((yield* itemsOfSession(id)).filter(({ hand }) => hand !== null).map((item) => item.hand_seq))
  const chunks = chunksOf(parts, places, { wanted, again: again ? wanted : 0, maxTokens, closedAt, sittings }).filter(
    ({ due }) => due !== 0,
  )
  return {
    session: id,
    name: row.external_id,
    partition: row.partition_id,
    project,
    projectName: name,
    settings,
    epoch: row.epoch,
    seq: row.seq,
    wanted,
    provisional: row.provisional,
    attempts: (yield* findWork({ kind: workKinds.session, ref: id }))?.attempts ?? 0,
    chunks,
  }
}
