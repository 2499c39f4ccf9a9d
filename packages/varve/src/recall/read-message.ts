import type { Message, Metadata } from '../messages/message.ts'
import { messagesBetween, type Stored } from '../storage/log/messages.ts'
import type { Program } from '../storage/program.ts'

/** Reads the messages around a hit in its session, without the hit itself. */
export function* messagesAround({ message, session, partition }: Stored, distance: number): Program<readonly Message[]> {
  if (distance === 0) return []
  const messages = yield* messagesBetween(
    { id: session, partition_id: partition, external_id: message.session },
    message.seq - distance,
    message.seq + distance,
  )
  return messages.filter(({ seq }) => seq !== message.seq)
}

/** Tells whether metadata has all wanted values. */
export function hasMetadata(metadata: Metadata | undefined, wanted: Metadata | undefined): boolean {
  return Object.entries(wanted ?? {}).every(
    ([key, value]) => metadata !== undefined && Object.hasOwn(metadata, key) && metadata[key] === value,
  )
}
