import { analyse } from '../../index/analyse.ts'
import { encodeTerms } from '../../index/terms-codec.ts'
import { type PartitionId, partitionId, projectName, type SessionName, sessionName } from '../../scope/partition.ts'
import type { Appended } from '../../storage/log/appended.ts'
import { appendMessages, type Prepare } from '../../storage/log/append.ts'
import type { PreparedMessage } from '../../storage/log/prepared-message.ts'
import { answer } from '../../storage/program.ts'
import type { StoreUnderTest } from '../store-under-test.ts'

/** A check on a store of its own. */
export interface ProgramCheck {
  readonly name: string
  run(store: StoreUnderTest): Promise<void>
}

/** The store's time in all checks: Monday 5 January 2026, 09:00 UTC. */
export const monday = Date.UTC(2026, 0, 5, 9)

export const talkSession: SessionName = sessionName('talk')

export function userOf(project: string, name: string): PartitionId {
  return partitionId(projectName(project), { kind: 'user', name })
}

/** Makes a message as the rooms above the store hand it over. */
export function prepared(content: string, changes: Partial<PreparedMessage> = {}): PreparedMessage {
  return {
    externalId: null,
    role: 'user',
    origin: 'person',
    name: null,
    thread: null,
    content,
    parts: null,
    metadata: null,
    recalled: [],
    saidAt: monday,
    tokens: content.length,
    main: { tokens: content.length, calls: 0, isPause: undefined },
    traits: 0,
    terms: encodeTerms({ role: 'user', language: 'en', name: '', text: analyse(content, 'en') }),
    ...changes,
  }
}

/** Makes a batch that needs no further preparation. */
export function asPrepared(messages: readonly PreparedMessage[]): Prepare {
  return () => answer({ messages, language: 'en', votes: { en: 500 } })
}

export function append(
  store: StoreUnderTest,
  partition: PartitionId,
  session: SessionName,
  messages: readonly (string | PreparedMessage)[],
): Promise<readonly Appended[]> {
  const batch = messages.map((message) => (typeof message === 'string' ? prepared(message) : message))
  return store.write(() => appendMessages(partition, session, asPrepared(batch), monday))
}
