import { NotFound } from '../errors/not-found.ts'
import { StaleRevision } from '../errors/stale-revision.ts'
import { type NewReceipt, newReceipt } from '../storage/erase/erases.ts'
import { indexPagesInTurns } from '../pages/index-page.ts'
import { unindexInTurns } from '../pages/unindex.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { bankBounds } from '../storage/bank/bank-turns.ts'
import { fedByUser, keepPrivate, withWithdrawn } from '../storage/bank/sharing.ts'
import { replaceMessage } from '../storage/erase/erasure.ts'
import { lookOn, searchFor } from '../storage/erase/meant.ts'
import { pagesUnderMessage } from '../storage/erase/selected.ts'
import { turnBounds } from '../storage/erase/turns.ts'
import type { WritingHere } from '../storage/here.ts'
import { findMessageRow, messageOf } from '../storage/log/messages.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { PreparedMessage } from '../storage/log/prepared-message.ts'
import { type Session, sessionRowById } from '../storage/log/sessions.ts'
import { Needles } from '../storage/needles.ts'
import { findPartition } from '../storage/partitions.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { Program } from '../storage/program.ts'
import type { MessageTable, SessionTable } from '../storage/schema.ts'
import { appendsIn, lengthPerWeight, quickLength } from './appends.ts'
import { dropImportsAhead } from '../storage/transfer/drop-imports-ahead.ts'
import { dropContextsUnder } from '../storage/erase/contexts-ahead.ts'
import { withdrawAhead } from '../storage/erase/entries-ahead.ts'
import type { Message } from '../messages/message.ts'
import type { Preparation, ReplacementState } from './preparation.ts'
import type { ValidMessage } from '../messages/validate.ts'
import { type EditedById, stateVersion } from '../storage/versions.ts'

/** What else loses the old words, in the transaction that replaces them: gives the receipt if it erased something. */
export type AlsoErases = (receipt: NewReceipt, needles: Needles) => Program<Receipt | undefined>

/** Refuses a change that was made on other words. The error names places of messages: it has no words. */
function checkWords({ ord, content }: MessageTable, { id, expected }: EditedById): void {
  if (expected === undefined || expected === content) return
  throw new StaleRevision({ page: `message ${id}`, expected: 'other words', standing: stateVersion([id, ord]) })
}

/** Replaces the words of a message, and indexes the pages again that lose something. Long words are analysed ahead of the transaction. */
export async function replaceIn(here: WritingHere, partition: PartitionId, edited: EditedById, content: string, also?: AlsoErases) {
  const { id } = edited
  const appends = appendsIn(here)
  const ahead =
    content.length < quickLength
      ? undefined
      : await appends.afterLong(async () =>
          inPlace(appends.preparation, content, await here.read(whatStands(appends.preparation, partition, id))),
        )
  const standing = await here.read(standingMessage(partition, id))
  checkWords(standing, edited)
  const { ord } = standing
  const [receipt, needles] = [newReceipt(here.now, { what: 'words', of: partition, message: id, ord }), new Needles()]
  await dropContextsAhead(here, partition, id, receipt, needles)
  await unindexInTurns(here, await here.read(pagesUnderMessage(partition, id)), needles)
  const prepare = function* (old: MessageTable, session: SessionTable): Program<PreparedMessage> {
    checkWords(old, edited)
    // This holds even if the message changed meanwhile. A replacement keeps everything that was read here; nothing is
    // stored for a gone message.
    if (ahead !== undefined) return ahead
    const state = yield* appends.preparation.replacementState(session)
    return inPlace(appends.preparation, content, { old, session: session.external_id, state })
  }
  const replaced = await here.write(
    function* () {
      const done = yield* replaceMessage(partition, id, prepare, receipt, here.now, needles)
      const all = also === undefined ? undefined : yield* also(receipt, needles)
      return all === undefined ? done : { ...done, receipt: all, needles: needles.all }
    },
    Math.ceil(content.length / lengthPerWeight),
  )
  await indexPagesInTurns(here, here.now)
  return replaced
}

async function dropContextsAhead(
  here: WritingHere,
  partition: PartitionId,
  id: string,
  receipt: NewReceipt,
  needles: Needles,
): Promise<void> {
  const selection = { messages: [id] }
  const search = await here.read(searchFor(partition, selection))
  if (search === undefined) return
  const { meant } = await here.read(lookOn(search, 0))
  await dropImportsAhead(here, search.owner, needles)
  await dropContextsUnder(
    here,
    { partition, owner: search.owner.id, selection, receipt, now: here.now, needles, bounds: turnBounds },
    search,
    meant,
    new Set(meant.map(({ uuid }) => uuidText(uuid))),
  )
}

function* standingMessage(partition: PartitionId, id: string): Program<MessageTable> {
  return yield* findMessageRow(yield* findPartition(partition), id)
}

interface Standing {
  readonly old: MessageTable
  readonly session: string
  readonly state: ReplacementState
}

function* whatStands(preparation: Preparation, partition: PartitionId, id: string): Program<Standing> {
  const old = yield* standingMessage(partition, id)
  const session = yield* sessionRowById(old.partition_id, old.session_id)
  if (session === undefined) throw new NotFound({ kind: 'message', id })
  return { old, session: session.external_id, state: yield* preparation.replacementState(session) }
}

function inPlace(preparation: Preparation, content: string, { old, session, state }: Standing): PreparedMessage {
  return preparation.prepareReplacement(replacement(messageOf(old, session), old.metadata, content), state)
}

/** Changes a session so that it feeds nothing shared, and withdraws its bullets. */
export async function changedToPrivate(
  here: WritingHere,
  partition: PartitionId,
  session: SessionName,
  change: () => Program<Session>,
  bounds = bankBounds,
) {
  const receipt = newReceipt(here.now, { what: 'sharing', of: partition, session })
  const turns = { receipt, now: here.now, needles: new Needles() }
  await withdrawAhead(here, turns, await here.read(fedByUser(partition, session)), bounds)
  const { result, ...withdrawn } = await here.write(() =>
    withWithdrawn(keepPrivate(partition, session, change, turns.receipt, turns.now, turns.needles)),
  )
  return { session: result, ...withdrawn }
}

/** Makes a message of new words in an old one's place. It has no parts, since those belong to the old words. */
function replacement({ role, origin, name, externalId, thread, at }: Message, metadata: string | null, content: string): ValidMessage {
  return {
    role,
    origin,
    name: name ?? null,
    externalId: externalId ?? null,
    thread: thread ?? null,
    parts: null,
    metadata,
    content,
    saidAt: at,
  }
}
