import { ordinalOf } from '../../ids/message-id.ts'
import { saveCursor } from '../../storage/derived/reading.ts'
import { bitsOf, layersSet } from '../../storage/layers.ts'
import { forgottenAmong, restoreForgotten } from '../../storage/log/forgotten-ids.ts'
import { noteStep } from '../../storage/journal/note.ts'
import { appended } from '../../storage/log/append.ts'
import { insertions, messagesNamed, messageWithId } from '../../storage/log/messages.ts'
import { ensureSessionRow, sharing } from '../../storage/log/sessions.ts'
import type { PreparedMessage } from '../../storage/log/prepared-message.ts'
import { type Program, runList, type SingleStep } from '../../storage/program.ts'
import type { SessionTable } from '../../storage/schema.ts'
import { importHolder, placeKinds, sessionModes } from '../../storage/transfer/imports.ts'
import { idsAtPlaces, rowChanges } from '../../storage/transfer/write-rows.ts'
import { uuidText } from '../../storage/uuid-bytes.ts'
import { claimWork, dropWork, workKinds } from '../../storage/work.ts'
import { countIn } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'
import { type Applying, idBytes, type ImportedSession } from './applying.ts'

/** How long upkeep leaves a session alone whose layers are still to come. */
const leaseMs = 10 * 60_000

/** Makes a session, or fills one that has nothing yet. One that has messages keeps its own details. */
export function* applySession(applying: Applying, record: RecordOf<'session'>): Program<void> {
  const session = yield* applying.session(record.id)
  if (session !== undefined && (session.row.seq > 0 || session.row.messages > 0)) {
    if (applying.restores && session.row.messages === 0) yield* restoreNames(session.row, record)
    return countIn(applying.counts, 'duplicates', 'session')
  }
  const { row } = session ?? (yield* freshSession(applying, record.id))
  const isDescribed = record.name !== undefined || record.metadata !== undefined
  const isForgotten = isDescribed && (yield* applying.isForgotten((forgets) => forgets.tookSession(record.id, record.recordedAt)))
  const told = isForgotten ? { ...record, name: undefined, metadata: undefined } : record
  const filled = { ...row, ...detailsOf(told, row, applying.isVouchedFor) }
  yield* runList([rowChanges.sessionDetails(filled)])
  const joined = applying.join(filled, true)
  joined.isChanged = true
  if (session !== undefined) applying.note({ kind: placeKinds.session, theirs: row.id, ours: sessionModes.filled })
  countIn(applying.counts, session === undefined ? 'stored' : 'duplicates', 'session')
}

/** Gives a session without a message its name and metadata again: it lost them with its messages. */
function* restoreNames(row: SessionTable, { name, metadata }: RecordOf<'session'>): Program<void> {
  row.name ??= name ?? null
  row.metadata ??= metadata === undefined ? null : JSON.stringify(metadata)
  yield* runList([rowChanges.sessionDetails(row)])
}

/** A session shares what is in it only if somebody said so here: consent is not imported from a stranger. */
function detailsOf(record: RecordOf<'session'>, row: SessionTable, isVouchedFor: boolean): Partial<SessionTable> {
  const { set, on } = layersSet(record.layers)
  const given = isVouchedFor ? sharing[record.share] : sharing.private
  return {
    name: row.name ?? record.name ?? null,
    share: row.share === sharing.unsaid ? given : row.share,
    shared_from: row.share === sharing.unsaid && isVouchedFor ? (record.sharedFrom ?? 0) : row.shared_from,
    metadata: row.metadata ?? (record.metadata === undefined ? null : JSON.stringify(record.metadata)),
    language: record.language,
    language_votes: JSON.stringify(record.votes),
    seq: record.seq,
    created_at: Math.min(row.created_at, record.createdAt),
    last_recorded_at: record.recordedAt,
    layers_set: row.layers_set | set,
    layers_on: (row.layers_on & row.layers_set) | (on & ~row.layers_set),
    main_tokens: record.main.tokens,
    main_calls: record.main.calls,
    main_pause: record.main.pause,
  }
}

function* freshSession(applying: Applying, name: string): Program<ImportedSession> {
  const row = yield* ensureSessionRow(applying.own.id, name, applying.now)
  yield* claimWork({ kind: workKinds.session, ref: row.id }, applying.own.id, {
    holder: importHolder,
    now: applying.now,
    until: applying.now + leaseMs,
  })
  applying.note({ kind: placeKinds.session, theirs: row.id, ours: sessionModes.made })
  return applying.join(row, true)
}

/** A message with its index data. */
export interface MessageToApply {
  readonly record: RecordOf<'message'>
  readonly message: PreparedMessage
}

/** Stores messages with their ids and times. Forgotten ones are left out, and those that are there stay as they are. */
export function* applyMessages(applying: Applying, messages: readonly MessageToApply[]): Program<void> {
  const { restores } = applying
  const asked = messages.map(({ record: { session, externalId = null, id, role, at } }) => ({ session, externalId, id, role, saidAt: at }))
  const forgotten = new Set(yield* forgottenAmong(applying.partition, asked))
  if (restores) yield* restoreForgotten(applying.partition, [...forgotten])
  const taken = new TakenPlaces()
  const changes: SingleStep[] = []
  const runs = new StoredRuns()
  for (const [at, one] of messages.entries()) {
    const { record } = one
    const session = (yield* applying.session(record.session)) ?? (yield* freshSession(applying, record.session))
    const question = asked[at]
    if (!restores && question !== undefined && forgotten.has(question)) {
      applying.counts.forgotten += 1
      yield* applying.move(session, record.seq, 0)
      continue
    }
    yield* taken.read(session.row, messages)
    const before = applying.own.seq
    changes.push(...(yield* applyMessage(applying, session, one, taken)))
    if (applying.own.seq > before) runs.add(session.row.id, before, applying.own.seq)
  }
  yield* runList([...changes, ...runs.changes(applying)])
}

/** The messages that a transaction stored, as runs of one session's. */
class StoredRuns {
  readonly #runs: { readonly session: number; readonly before: number; seq: number }[] = []

  add(session: number, before: number, seq: number): void {
    const last = this.#runs.at(-1)
    if (last?.session === session) last.seq = seq
    else this.#runs.push({ session, before, seq })
  }

  changes({ own, now }: Applying): readonly SingleStep[] {
    return this.#runs.map(({ session, before, seq }) => noteStep(appended({ ...own, seq }, session, before, now)))
  }
}

/** The places of sessions that have a message already, and the external ids that this transaction gave. */
class TakenPlaces {
  readonly #ids = new Map<number, Map<number, string>>()
  readonly #named = new Map<number, Map<string, number>>()

  /** Returns the place of a message that this transaction stored. */
  placeNamed(session: number, externalId: string): number | undefined {
    return this.#named.get(session)?.get(externalId)
  }

  idAt(session: number, seq: number): string | undefined {
    return this.#ids.get(session)?.get(seq)
  }

  *read({ id: session, partition_id: partition }: SessionTable, messages: readonly MessageToApply[]): Program<void> {
    if (this.#ids.has(session)) return
    const seqs = messages.map(({ record }) => record.seq)
    const found = yield* idsAtPlaces(partition, session, seqs)
    this.#ids.set(session, new Map([...found].map(([seq, uuid]) => [seq, uuidText(uuid)])))
  }

  take(session: number, seq: number, id: string, externalId: string | undefined): void {
    this.#ids.get(session)?.set(seq, id)
    if (externalId === undefined) return
    const named = this.#named.get(session) ?? new Map<string, number>()
    this.#named.set(session, named.set(externalId, seq))
  }
}

function* applyMessage(
  applying: Applying,
  session: ImportedSession,
  { record, message }: MessageToApply,
  taken: TakenPlaces,
): Program<readonly SingleStep[]> {
  const { own, counts } = applying
  const { row } = session
  if (taken.idAt(row.id, record.seq) === record.id) return yield* alreadyThere(applying, session, record, record.seq)
  const standing = yield* messageWithId(own.id, idBytes(record.id))
  if (standing?.session_id === row.id) return yield* alreadyThere(applying, session, record, standing.seq)
  const { externalId } = record
  const named =
    externalId === undefined
      ? undefined
      : (taken.placeNamed(row.id, externalId) ?? (yield* messagesNamed(row.partition_id, row.id, [externalId]))[0]?.seq)
  if (named !== undefined) return yield* alreadyThere(applying, session, record, named)
  const id = standing === undefined ? record.id : applying.idInstead(record.id)
  const isFree = taken.idAt(row.id, record.seq) === undefined
  const seq = isFree ? record.seq : row.seq + 1
  if (seq !== record.seq) yield* applying.move(session, record.seq, seq)
  taken.take(row.id, seq, id, externalId)
  own.seq += 1
  own.messages += 1
  own.term_bytes += message.terms.length
  countInSession(session, seq, message, applying.now)
  countIn(counts, 'stored', 'message')
  const uuid = idBytes(id)
  return [
    ...insertions(own, row, { uuid, seq, recordedAt: record.recordedAt }, message),
    ...(ordinalOf(uuid) === own.seq ? [] : [rowChanges.moved(own.id, uuid, own.seq)]),
  ]
}

/** Counts a message that the session has. A text that was replaced since stays as it is here. */
function* alreadyThere(
  applying: Applying,
  session: ImportedSession,
  record: RecordOf<'message'>,
  seq: number,
): Program<readonly SingleStep[]> {
  const standing = yield* messageWithId(applying.own.id, idBytes(record.id))
  const isOther = standing !== undefined && standing.session_id === session.row.id && standing.content !== record.content
  countIn(applying.counts, isOther ? 'kept' : 'duplicates', 'message')
  // What rests on words that were replaced here is left out, as after a forget.
  if (isOther) yield* applying.move(session, record.seq, 0)
  else if (seq !== record.seq) yield* applying.move(session, record.seq, seq)
  return []
}

function countInSession(session: ImportedSession, seq: number, { saidAt, main }: PreparedMessage, now: number): void {
  const { row, isFresh } = session
  session.isChanged = true
  row.messages += 1
  row.first_said_at = Math.min(row.first_said_at ?? saidAt, saidAt)
  row.last_said_at = Math.max(row.last_said_at ?? saidAt, saidAt)
  row.seq = Math.max(row.seq, seq)
  if (isFresh) return
  // The session goes on here: it is read again from the new message on, or as a whole when that lies before.
  if (seq <= row.read_seq) row.epoch += 1
  row.last_recorded_at = now
  row.main_tokens += main.tokens
  row.main_calls += main.calls
  row.main_pause = Number(main.isPause ?? row.main_pause)
}

/** Notes how far a session was read. One that lost messages on the way is read again. */
export function* applyReading(applying: Applying, record: RecordOf<'reading'>): Program<void> {
  const session = yield* applying.session(record.session)
  if (session?.isFresh !== true) return
  const { row } = session
  const seq = Math.min(record.seq, row.seq)
  const isStale = record.stale || (yield* applying.lacks(session, 1, Number.MAX_SAFE_INTEGER))
  yield* saveCursor(row.partition_id, {
    id: row.id,
    read_seq: seq,
    read_epoch: row.epoch,
    read_layers: bitsOf(record.layers),
    provisional: bitsOf(record.provisional),
  })
  if (isStale) row.epoch += 1
  row.read_seq = seq
  session.isChanged = true
  yield* dropWork({ kind: workKinds.session, ref: row.id })
}
