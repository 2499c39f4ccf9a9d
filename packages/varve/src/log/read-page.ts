import type { PartitionId, SessionName } from '../scope/partition.ts'
import { type PageRequest, readMessages } from '../storage/log/messages.ts'
import type { Program } from '../storage/program.ts'
import type { Message } from '../messages/message.ts'

/** The most text of one answer, in UTF-16 code units. A page that comes to more ends early. It always has one message. */
export const mostAnswerLength = 16 * 1024 * 1024

/** Messages that are read at once: with 1 MiB each they take 128 MiB, of the 1 GiB that a thread has. */
const firstRead = 16
const mostRead = 128

/** A page of a session as it leaves the store: the newest messages before a place, oldest first. */
export interface MessagePage {
  readonly messages: readonly Message[]
  /** The `before` of the next page, when this one ended early. */
  readonly before?: number
}

/** Reads the wanted number of messages, or as many as an answer may hold. */
export function* readMessagePage(partition: PartitionId, session: SessionName, { limit, ...request }: PageRequest): Program<MessagePage> {
  const newestFirst: Message[] = []
  let { before } = request
  let length = 0
  for (let size = firstRead; newestFirst.length < limit; size = Math.min(2 * size, mostRead)) {
    const wanted = Math.min(size, limit - newestFirst.length)
    const some = yield* readMessages(partition, session, { ...request, limit: wanted, ...(before === undefined ? {} : { before }) })
    for (const message of some.toReversed()) {
      length += lengthOf(message)
      if (length > mostAnswerLength && newestFirst.length > 0) return { messages: newestFirst.toReversed(), before: message.seq + 1 }
      newestFirst.push(message)
    }
    if (some.length < wanted) break
    before = some[0]?.seq
  }
  return { messages: newestFirst.toReversed() }
}

function lengthOf({ content, parts, metadata }: Message): number {
  const structured = parts === undefined && metadata === undefined ? 0 : JSON.stringify([parts, metadata]).length
  return content.length + structured
}
