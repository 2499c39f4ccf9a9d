import { uuidv7 } from '../ids/uuid.ts'
import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { keepPrivate, withWithdrawn } from '../storage/bank/sharing.ts'
import { replaceMessage } from '../storage/erase/erasure.ts'
import type { WritingHere } from '../storage/here.ts'
import { type ContextRecord, saveContext } from '../storage/log/contexts.ts'
import { type Appended, messageOf } from '../storage/log/messages.ts'
import { changeSession, ensureSession, type Session, type SessionChanges } from '../storage/log/sessions.ts'
import type { Program } from '../storage/program.ts'
import type { Receipt } from '../storage/erase/receipts.ts'
import { appendsIn } from './appends.ts'
import type { Message } from './message.ts'
import { type BatchPage, itemsOf, resultPages } from './pages.ts'
import type { ValidMessage } from './validate.ts'

/** A session as it was changed; with a receipt when it is not to feed what the project shares any more, and what it did feed is withdrawn. */
export interface ChangedSession {
  readonly session: Session
  readonly receipt?: Receipt
  readonly needles?: readonly Uint8Array[] | undefined
}

/** What can be changed of the log: messages, sessions, and what contexts showed. */
export const logWrites = {
  append: (here: WritingHere, partition: PartitionId, session: SessionName, batch: readonly ValidMessage[]): Promise<readonly Appended[]> =>
    appendsIn(here).append(here, partition, session, batch),
  /** A large batch, as it comes and goes in pages. */
  appendPages: async (here: WritingHere, partition: PartitionId, session: SessionName, pages: readonly BatchPage[]): Promise<readonly string[]> =>
    resultPages(await appendsIn(here).append(here, partition, session, itemsOf(pages))),
  replace: async (here: WritingHere, partition: PartitionId, id: string, content: string) => {
    const { preparation } = appendsIn(here)
    const replaced = await here.write(() => replaceMessage(partition, id, (old, session) => {
      const message = replacement(messageOf(old, session.external_id), old.metadata, content)
      return preparation.prepareReplacement(message, session)
    }, uuidv7(here.now), here.now))
    await indexPagesInTurns(here, here.now)
    return replaced
  },
  ensureSession: ({ now }: WritingHere, partition: PartitionId, session: SessionName, changes: SessionChanges): Program<ChangedSession> =>
    changed(partition, session, changes, () => ensureSession(partition, session, changes, now), now),
  changeSession: ({ now }: WritingHere, partition: PartitionId, session: SessionName, changes: SessionChanges): Program<ChangedSession> =>
    changed(partition, session, changes, () => changeSession(partition, session, changes), now),
  saveContext: ({ now }: WritingHere, partition: PartitionId, session: SessionName, record: ContextRecord) => saveContext(partition, session, record, now),
}

function* changed(partition: PartitionId, session: SessionName, { share }: SessionChanges, change: () => Program<Session>, now: number): Program<ChangedSession> {
  if (share !== false) return { session: yield* change() }
  const { result, ...withdrawn } = yield* withWithdrawn(keepPrivate(partition, session, change, uuidv7(now), now))
  return { session: result, ...withdrawn }
}

/** New words in an old message's place; the parts were those of the old words. */
function replacement({ role, origin, name, externalId, thread, at }: Message, metadata: string | null, content: string): ValidMessage {
  return { role, origin, name: name ?? null, externalId: externalId ?? null, thread: thread ?? null, parts: null, metadata, content, saidAt: at }
}
