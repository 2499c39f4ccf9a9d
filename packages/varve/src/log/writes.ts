import type { PartitionId, SessionName } from '../scope/partition.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import type { WritingHere } from '../storage/here.ts'
import type { Epochs } from '../storage/epochs.ts'
import { shinglesOf } from '../messages/echo.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { type ContextRecord, recalledName, saveContext, type ShownTo } from '../storage/log/contexts.ts'
import type { Retold } from '../storage/log/append-keys.ts'
import {
  changeSession,
  type EditedSession,
  ensureSession,
  type Session,
  type SessionChanges,
  sessionVersion,
} from '../storage/log/sessions.ts'
import type { Patience } from '../storage/patience.ts'
import type { Program } from '../storage/program.ts'
import { checkStands, onVersion } from '../storage/versions.ts'
import { appendsIn } from './appends.ts'
import { type BatchPage, itemsOf, resultPages } from './pages.ts'
import type { ValidMessage } from '../messages/validate.ts'

/** A session after a change. The receipt is there when the change stopped its sharing and withdrew its bullets. */
export interface ChangedSession {
  readonly session: Session
  readonly receipt?: Receipt
  readonly needles?: readonly Uint8Array[] | undefined
}

/**
 * The writes of the log: messages, sessions, and the record of shown contexts. Erasing code is loaded when it is
 * needed: most programs begin with an append.
 */
export const logWrites = {
  append: (
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    batch: readonly ValidMessage[],
    restores?: boolean,
    idempotencyKey?: string,
  ): Promise<readonly Retold[]> => appendsIn(here).append(here, partition, session, batch, restores, idempotencyKey),
  /** Appends a large batch, in pages. */
  appendPages: async (
    here: WritingHere,
    partition: PartitionId,
    session: SessionName,
    pages: readonly BatchPage[],
    restores?: boolean,
    idempotencyKey?: string,
  ): Promise<readonly string[]> =>
    resultPages(await appendsIn(here).append(here, partition, session, itemsOf(pages), restores, idempotencyKey)),
  replace: async (here: WritingHere, partition: PartitionId, id: string, content: string) =>
    (await import('./replace.ts')).replaceIn(here, partition, { id }, content),
  ensureSession: (here: WritingHere, partition: PartitionId, edited: EditedSession, changes: SessionChanges): Promise<ChangedSession> =>
    changed(here, partition, edited, changes, () => ensureSession(partition, edited.session, changes, here.now)),
  changeSession: (here: WritingHere, partition: PartitionId, edited: EditedSession, changes: SessionChanges): Promise<ChangedSession> =>
    changed(here, partition, edited, changes, () => changeSession(partition, edited.session, changes, here.now)),
  saveContext: ({ now, write }: WritingHere, partition: PartitionId, session: ShownTo, record: ContextRecord, patience: Patience) =>
    write(() => saveContext(partition, session, record, now), 1, patience),
  /** Notes what recalls and renders showed a user. */
  noteShown: (
    { now, key, write }: WritingHere,
    partition: PartitionId,
    shown: readonly { id: string; text: string }[],
    epochs: Epochs,
    patience: Patience,
  ) => {
    const record = {
      id: uuidv7(now),
      messages: [...new Set(shown.map(({ id }) => id))],
      shingles: shinglesOf([...new Set(shown.map(({ text }) => text))].join('\n'), key),
      epochs,
    }
    return write(() => saveContext(partition, recalledName, record, now), 1, patience)
  },
}

async function changed(
  here: WritingHere,
  partition: PartitionId,
  { session, expected }: EditedSession,
  { share }: SessionChanges,
  change: () => Program<Session>,
): Promise<ChangedSession> {
  const checked = (): Program<Session> => onVersion({ page: `session ${session}`, expected }, sessionVersion(partition, session), change())
  if (share !== false) return { session: await here.write(checked) }
  // What is withdrawn ahead of the last transaction comes back by upkeep when that one refuses the change.
  if (expected !== undefined) checkStands(`session ${session}`, expected, await here.read(sessionVersion(partition, session)))
  const { changedToPrivate } = await import('./replace.ts')
  return changedToPrivate(here, partition, session, checked)
}
