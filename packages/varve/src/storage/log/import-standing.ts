import type { Role } from '../../messages/message.ts'
import type { PartitionId, SessionName } from '../../scope/partition.ts'
import type { Program } from '../program.ts'
import { namedInSession } from './external-ids.ts'
import { forgottenAmong } from './forgotten-ids.ts'

/** A message of which only the external id, the role, and maybe the time are given. */
export interface NamedMessage {
  readonly externalId: string
  readonly role: Role
  readonly saidAt?: number
}

/** The external ids among those asked that a session has, and those that were forgotten in it. */
export interface ImportStanding {
  readonly stored: readonly string[]
  readonly forgotten: readonly string[]
}

/** Tells what an append of these messages would meet. */
export function* importStanding(partition: PartitionId, session: SessionName, asked: readonly NamedMessage[]): Program<ImportStanding> {
  const forgotten = yield* forgottenAmong(
    partition,
    asked.map((one) => ({ ...one, session, id: '' })),
  )
  const stored = yield* namedInSession(
    partition,
    session,
    asked.map(({ externalId }) => externalId),
  )
  return { stored: stored.map(({ externalId }) => externalId), forgotten: forgotten.map(({ externalId }) => externalId) }
}
