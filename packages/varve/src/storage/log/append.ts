import { StoreUnreachable } from '../../errors/store-unreachable.ts'
import { messageId } from '../../ids/message-id.ts'
import type { Role } from '../../messages/message.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import { type Happened, noteStep } from '../journal/note.ts'
import { lost } from '../lost.ts'
import { type PartitionRow, ensurePartition, partitionChange } from '../partitions.ts'
import { type Program, type SingleStep, abreast, answer, runAtOnce, runLast, runList } from '../program.ts'
import type { SessionTable } from '../schema.ts'
import { uuidBytes } from '../uuid-bytes.ts'
import { type ContextsAround, contextsShownTo } from './contexts-around.ts'
import { lookForForgotten, restoreForgotten } from './forgotten-ids.ts'
import type { Appended } from './appended.ts'
import { type Attempts, changesFrom, copyOf, type TalkState } from './kept-talks.ts'
import { insertions, messageIdOf, messagesNamed, messageWithId, type NamedPlace } from './messages.ts'
import type { PreparedBatch, PreparedMessage } from './prepared-message.ts'
import { countersChange, ensureSessionRow, findBoth } from './sessions.ts'

/** Analyses a batch for its session, from the rows as they are within the transaction, and the contexts where they were read. */
export type Prepare = (owner: PartitionRow, session: SessionTable, contexts?: ContextsAround) => Program<PreparedBatch>

/** What an append asks: most of it is about forgotten messages. */
export interface AskedOfAppend {
  /** The messages of the batch that have an external id. */
  readonly messages: readonly { readonly externalId: string; readonly role: Role; readonly saidAt?: number }[]
  /** True when each message of the batch has one. */
  readonly isAll: boolean
  /** True to store forgotten messages again. */
  readonly restores: boolean
  /** True when nothing is written after the batch in its transaction. */
  readonly isWhole?: true
  /** True when the analysis needs the contexts around the session: they are read beside it. */
  readonly looksAround?: true
  /** On a store over a network: what may be taken for granted. */
  readonly attempts?: Attempts<Appended>
}

export const nothingAsked: AskedOfAppend = { messages: [], isAll: false, restores: false }

/**
 * Stores a batch, all or none, in one write step. External ids that the session has are reported, not stored again.
 * Those that were forgotten in it have no result. A batch of nothing else makes neither the session nor its partition.
 */
export function* appendMessages(
  partition: PartitionId,
  session: SessionName,
  prepare: Prepare,
  now: number,
  asked = nothingAsked,
): Program<readonly Appended[]> {
  const { messages: named, isWhole, attempts } = asked
  const granted = attempts?.take()
  const found = granted === undefined ? yield* lookBefore(partition, session, now, asked) : { ...copyOf(granted), ...nothingStands() }
  if (found === undefined) return []
  const { owner, row, contexts, leftOut } = found
  const stored = attempts === undefined ? undefined : yield* storedBefore(owner, attempts)
  if (stored !== undefined) return stored
  const { messages, language, votes } = yield* prepare(owner, row, contexts)
  const known = found.known ?? (yield* knownIds(row, messages))
  const before = owner.seq
  // A line of a transcript may stand although its messages were forgotten.
  const wanted = messages.filter(({ externalId }) => externalId === null || known.has(externalId) || !leftOut.has(externalId))
  const { results, changes } = rowsOf(owner, row, wanted, known, now)
  const isNew = results.every(({ duplicate }) => !duplicate)
  const left =
    changes.length === 0
      ? { owner, row }
      : { owner, row: { ...row, language, language_votes: JSON.stringify(votes), last_recorded_at: now } }
  if (contexts !== undefined) attempts?.keep({ ...left, contexts }, isNew)
  if (changes.length === 0) return results
  changes.push(noteStep(appended(owner, row.id, before, now)))
  if (granted === undefined || attempts === undefined)
    yield* (isWhole === true ? runLast : runList)([...changes, partitionChange(owner), countersChange(left.row)])
  else {
    const list = [...changesFrom(granted, left, attempts.namesOf(idsOf(named))), ...changes]
    yield* isWhole === true ? runKnown(list, () => attempts.mayHaveStored({ owner, results })) : runList(list)
  }
  return results
}

/** Counts messages in their partition and session, and gives the steps that store them. Those that are known are told of. */
function rowsOf(owner: PartitionRow, row: SessionTable, messages: readonly PreparedMessage[], known: KnownIds, now: number) {
  const results: Appended[] = []
  const changes: SingleStep[] = []
  for (const message of messages) {
    const { externalId } = message
    const same = externalId === null ? undefined : known.get(externalId)
    if (same !== undefined) {
      results.push({ ...same, duplicate: true })
      continue
    }
    count(owner, row, message)
    const uuid = messageId(now, owner.seq)
    changes.push(...insertions(owner, row, { uuid, seq: row.seq, recordedAt: now }, message))
    const one = { id: messageIdOf(uuid), seq: row.seq, ...(externalId === null ? {} : { externalId }), duplicate: false }
    if (externalId !== null) known.set(externalId, one)
    results.push(one)
  }
  return { results, changes }
}

/** All that an append finds before it writes. */
interface FoundBefore extends Omit<TalkState, 'contexts'>, Partial<Pick<TalkState, 'contexts'>> {
  /** External ids that were forgotten, and are not stored again. */
  readonly leftOut: ReadonlySet<string>
  /** The messages of the session with an external id of the batch, where they were looked up. */
  readonly known?: KnownIds
}

function nothingStands(): Pick<FoundBefore, 'leftOut' | 'known'> {
  return { leftOut: new Set(), known: new Map() }
}

/**
 * Reads all that an append needs, in one step where it can, and makes its partition and session where they are not there.
 * Undefined when each message of the batch was forgotten, and the session has none of them.
 */
function* lookBefore(
  partition: PartitionId,
  session: SessionName,
  now: number,
  { messages: named, isAll, restores, looksAround, attempts }: AskedOfAppend,
): Program<FoundBefore | undefined> {
  const asked = named.map((one) => ({ ...one, session, id: '' }))
  const guess = named.length === 0 ? undefined : attempts?.likelySession
  const beside = (id: number) =>
    abreast([
      looksAround === true ? contextsShownTo(id, session) : answer(undefined),
      guess === undefined ? answer(undefined) : messagesNamed(id, guess, idsOf(named)),
    ])
  const [{ forgotten, isAny }, standing] = yield* abreast([lookForForgotten(partition, asked), findBoth(partition, session, beside)])
  if (restores) yield* restoreForgotten(partition, forgotten)
  const leftOut = new Set(restores ? [] : forgotten.map(({ externalId }) => externalId))
  const isNothingElse = isAll && named.length > 0 && named.every(({ externalId }) => leftOut.has(externalId))
  if (isNothingElse && (standing.row === undefined || !(yield* hasAny(standing.row, leftOut)))) return undefined
  const owner = standing.owner ?? (yield* ensurePartition(partition, now))
  const row = standing.row ?? (yield* ensureSessionRow(owner.id, session, now))
  const [contexts, stored] = standing.beside ?? []
  const known = stored === undefined || row.id !== guess ? {} : { known: knownOf(stored) }
  if (contexts === undefined) return { owner, row, leftOut, ...known }
  attempts?.found({ owner, row, contexts }, named.length === 0 ? undefined : isAny)
  return { owner, row, contexts, leftOut, ...known }
}

function idsOf(named: AskedOfAppend['messages']): readonly string[] {
  return [...new Set(named.map(({ externalId }) => externalId))]
}

/** Runs a program's only step, and notes when nobody knows whether it was stored. */
function* runKnown(list: readonly SingleStep[], note: () => void): Program<void> {
  try {
    yield* runAtOnce(list)
  } catch (error) {
    if (error instanceof StoreUnreachable && error.mayBeStored) note()
    throw error
  }
}

/** Returns the results of an earlier run that was stored although its answer was lost. */
function* storedBefore({ id, epoch }: PartitionRow, { unknown }: Attempts<Appended>): Program<readonly Appended[] | undefined> {
  for (const { owner, results } of unknown) {
    const uuid = uuidBytes(results[0]?.id ?? '')
    if (uuid !== undefined && owner.id === id && (yield* messageWithId(id, uuid)) !== undefined) return results
    // It may have been stored and forgotten since: the caller hears that nobody knows.
    if (owner.id !== id || owner.epoch !== epoch) throw lost('message')
  }
  return undefined
}

/** Tells of the messages that a transaction stored in a session, after an ordinal. */
export function appended({ id, project_id: project, seq }: PartitionRow, session: number, before: number, at: number): Happened {
  return { kind: 'appended', project, partition: id, session, ords: [before + 1, seq], count: seq - before, at }
}

/** Counts a message in its partition and its session; the caller saves both. */
function count(owner: PartitionRow, row: SessionTable, { terms, saidAt, main }: PreparedMessage): void {
  owner.seq += 1
  owner.messages += 1
  owner.term_bytes += terms.length
  row.seq += 1
  row.messages += 1
  row.first_said_at = Math.min(row.first_said_at ?? saidAt, saidAt)
  row.last_said_at = Math.max(row.last_said_at ?? saidAt, saidAt)
  row.main_tokens += main.tokens
  row.main_calls += main.calls
  row.main_pause = Number(main.isPause ?? row.main_pause)
}

/** Tells whether a session has a message with one of some external ids. A line stands that was restored without its messages. */
function* hasAny({ id: session, partition_id: partition }: SessionTable, externalIds: ReadonlySet<string>): Program<boolean> {
  return (yield* messagesNamed(partition, session, [...externalIds])).length > 0
}

/** Returns the external ids of a batch that the session has. A session without a message needs no lookup: most of an import. */
function* knownIds({ id: session, partition_id: partition, seq }: SessionTable, messages: readonly PreparedMessage[]): Program<KnownIds> {
  const asked = seq === 0 ? [] : [...new Set(messages.flatMap(({ externalId }) => externalId ?? []))]
  return knownOf(asked.length === 0 ? [] : yield* messagesNamed(partition, session, asked))
}

type KnownIds = Map<string, Omit<Appended, 'duplicate'>>

function knownOf(stored: readonly NamedPlace[]): KnownIds {
  return new Map(
    stored.flatMap(({ uuid, seq, external_id: externalId }) =>
      externalId === null ? [] : [[externalId, { id: messageIdOf(uuid), seq, externalId }]],
    ),
  )
}
