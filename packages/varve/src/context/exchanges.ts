import type { Message } from '../messages/message.ts'
import type { MessageHit } from '../recall/hit.ts'
import { messageHit, type NumberedHit } from '../recall/message-hit.ts'
import { supersededMessages } from '../recall/states.ts'
import { type PartitionId, sessionName } from '../scope/partition.ts'
import { readMessages } from '../storage/log/messages.ts'
import type { Program } from '../storage/program.ts'

/** The best hits whose other half is shown too. */
const mostExchanges = 3

/** A message that may be shown. One that recall did not find has no ordinal. */
export interface Detail extends Pick<NumberedHit, 'hit'> {
  readonly ord?: number
}

/**
 * Puts the other half of an exchange after each of the best hits: the assistant's answer after a user's message, the
 * user's message after an answer.
 */
export function* withExchanges(partition: PartitionId, found: readonly Detail[], now: number): Program<readonly Detail[]> {
  const all: Detail[] = []
  const placed = new Set<string>()
  for (const [place, one] of found.entries()) {
    if (placed.has(one.hit.id)) continue
    placed.add(one.hit.id)
    all.push(one)
    const other = place < mostExchanges ? yield* otherHalf(partition, one.hit) : undefined
    if (other === undefined || placed.has(other.id)) continue
    placed.add(other.id)
    all.push(found.find(({ hit }) => hit.id === other.id) ?? { hit: hitOf(other, one.hit) })
  }
  const read = all.filter(({ ord }) => ord === undefined).map(({ hit }) => hit)
  const marks = yield* supersededMessages(partition, read, now)
  return all.map((one) => {
    const superseded = marks.get(one.hit.id)
    return superseded === undefined ? one : { ...one, hit: { ...one.hit, superseded } }
  })
}

function* otherHalf(partition: PartitionId, { role, session, seq }: MessageHit): Program<Message | undefined> {
  if (role !== 'user' && role !== 'assistant') return undefined
  const at = role === 'user' ? seq + 1 : seq - 1
  const [other] = yield* readMessages(partition, sessionName(session), { limit: 1, before: at + 1, tools: true })
  return other?.seq === at && other.role === (role === 'user' ? 'assistant' : 'user') ? other : undefined
}

function hitOf(message: Message, beside: MessageHit): MessageHit {
  const text = message.role === 'assistant' ? 'answers a message that was found' : 'was answered by a message that was found'
  return messageHit(message, beside.score, [{ name: 'around', value: beside.score, text }], [])
}
