import { InvalidOption } from '../errors/invalid-option.ts'
import { shown } from '../errors/shown.ts'
import type { Message } from '../messages/message.ts'
import type { PartitionId } from '../scope/partition.ts'
import { fitting, inOrder } from '../storage/listed.ts'
import { messagesAt } from '../storage/log/messages.ts'
import { storedAfter } from '../storage/log/stored-after.ts'
import type { Program } from '../storage/program.ts'
import { partitionState } from '../storage/segment/terms.ts'

/** The messages to follow: at most `limit`, after the `place` of an earlier answer. */
export interface FollowRequest {
  readonly limit: number
  readonly after?: string | undefined
}

/** Messages in the order of storing, and the place after the last one. */
export interface Followed {
  readonly messages: readonly Message[]
  /** The `after` of the next call. */
  readonly place: string
}

export const expectedPlace = 'the `place` of an earlier call'

/** The longest place: two numbers of 15 digits, and their marks. */
export const longestPlace = 40

/** The number of a partition that nobody has written to. */
const unwritten = 0

/**
 * Returns the messages that were stored in a partition after a place. While nothing is stored, it costs one look at the
 * partition's row.
 *
 * A place names its partition's number: a partition that was deleted and made anew is followed from its beginning.
 */
export function* follow(partition: PartitionId, { limit, after }: FollowRequest): Program<Followed> {
  const from = after === undefined ? undefined : placeOf(after)
  const state = yield* partitionState(partition)
  if (state === undefined) return { messages: [], place: placeAt(unwritten, 0) }
  const { id, seq } = state
  if (from === undefined) return { messages: [], place: placeAt(id, seq) }
  const ord = from.partition === id ? from.ord : 0
  if (ord >= seq) return { messages: [], place: placeAt(id, seq) }
  const rows = yield* storedAfter(id, ord, limit + 1)
  const fit = fitting(rows, limit)
  const read = function* (ords: readonly number[]) {
    return [...(yield* messagesAt(id, ords))]
  }
  const messages = yield* inOrder(
    fit,
    read,
    ([at]) => at,
    ([, { message }]) => message,
  )
  return { messages, place: placeAt(id, fit.length < rows.length ? (fit.at(-1)?.key ?? ord) : seq) }
}

function placeAt(partition: number, ord: number): string {
  return `follow:${partition}.${ord}`
}

function placeOf(after: string): { readonly partition: number; readonly ord: number } {
  const [, partition, ord] = /^follow:(\d{1,15})\.(\d{1,15})$/.exec(after) ?? []
  if (partition === undefined || ord === undefined)
    throw new InvalidOption({ option: 'after', received: shown(after), expected: expectedPlace })
  return { partition: Number(partition), ord: Number(ord) }
}
