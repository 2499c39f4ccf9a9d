import { uuidv7 } from '../ids/uuid.ts'
import { indexPagesInTurns } from '../pages/index-page.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { keepPrivate, withWithdrawn } from '../storage/bank/sharing.ts'
import { replaceMessage } from '../storage/erase/erasure.ts'
import type { WritingHere } from '../storage/here.ts'
import { messageOf } from '../storage/log/messages.ts'
import type { Session } from '../storage/log/sessions.ts'
import type { Program } from '../storage/program.ts'
import { appendsIn } from './appends.ts'
import type { Message } from './message.ts'
import type { ValidMessage } from './validate.ts'

/** Puts new words in a message's place, and has pages that lose something found by what is left. */
export async function replaceIn(here: WritingHere, partition: PartitionId, id: string, content: string) {
  const { preparation } = appendsIn(here)
  const replaced = await here.write(() => replaceMessage(partition, id, (old, session) => {
    const message = replacement(messageOf(old, session.external_id), old.metadata, content)
    return preparation.prepareReplacement(message, session)
  }, uuidv7(here.now), here.now))
  await indexPagesInTurns(here, here.now)
  return replaced
}

/** Changes a session so that it feeds nothing that is shared, and withdraws what it did. */
export async function changedToPrivate({ write, now }: WritingHere, partition: PartitionId, session: SessionName, change: () => Program<Session>) {
  const { result, ...withdrawn } = await write(() => withWithdrawn(keepPrivate(partition, session, change, uuidv7(now), now)))
  return { session: result, ...withdrawn }
}

/** New words in an old message's place; the parts were those of the old words. */
function replacement({ role, origin, name, externalId, thread, at }: Message, metadata: string | null, content: string): ValidMessage {
  return { role, origin, name: name ?? null, externalId: externalId ?? null, thread: thread ?? null, parts: null, metadata, content, saidAt: at }
}
