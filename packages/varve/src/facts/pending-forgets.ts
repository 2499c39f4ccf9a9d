import { NotFound } from '../errors/not-found.ts'
import { askedToForget, dismissedForget } from '../models/writer.ts'
import type { PartitionId } from '../scope/partition.ts'
import { anyPredicate, dismissForgets, isNote, says } from '../storage/known/assertions.ts'
import { type FactSource, rowsBefore, sourcesAt } from '../storage/known/assertion-rows.ts'
import { self } from '../storage/known/entities.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { cursorTo, type Listed, type ListRequest, placeOf } from '../storage/listed.ts'
import { findKnown } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { aimedEnds } from './aimed-ends.ts'
import { type Entities, entitiesOf } from './entities.ts'

/** A request of a person to forget something, which waits for the host: "forget what I said about my car". */
export interface PendingForget {
  readonly id: string
  /** The time when it was said last: UTC milliseconds. */
  readonly at: number
  readonly session: string
  /** The id of the message that asks. */
  readonly message: string
  /** The words of the request, as they stand in the message. */
  readonly text: string
  /** What is to be forgotten, in the words of the message: `car`. */
  readonly topic: string
  /** Ids of the messages that `confirm` erases: those that told the facts, and the request itself. */
  readonly messages: readonly string[]
  /** Ids of the facts that the request is about. */
  readonly facts: readonly string[]
}

/** The most requests that are told in all. */
export const mostPending = 1_000
/** The newest statements about a subject that a request is compared with. */
const mostCompared = 10_000

/** The statements of one request: the same words may be said several times. */
type Asked = readonly [last: AssertionTable, ...earlier: AssertionTable[]]

/** Lists the requests to forget that wait for the host, the last said first. */
export function* listPendingForgets(partition: PartitionId, request: ListRequest): Program<Listed<PendingForget>> {
  const before = Number(placeOf('pending', request, /(\d{1,15})/)?.[0] ?? Number.MAX_SAFE_INTEGER)
  const known = yield* findKnown(partition)
  if (known === undefined) return { items: [] }
  const asked = (yield* waiting(known.id)).filter(([{ ord }]) => ord < before)
  const page = asked.slice(0, request.limit)
  const items: PendingForget[] = []
  const entities = yield* entitiesOf(partition, known.id, Number.POSITIVE_INFINITY)
  for (const one of page) items.push(yield* toldOf(known.id, one, entities))
  const last = page.at(-1)
  return { items, ...(page.length < asked.length && last !== undefined ? { cursor: cursorTo('pending', last[0].ord) } : {}) }
}

/** Finds a request that waits. NotFound for another partition's, and for one that waits no more. */
export function* tellPendingForget(partition: PartitionId, id: string): Program<PendingForget> {
  const { known, asked } = yield* askedBy(partition, id)
  return yield* toldOf(known, asked, yield* entitiesOf(partition, known, Number.POSITIVE_INFINITY))
}

/** Has a request wait no more. Its facts stay ended. */
export function* dismissPendingForget(partition: PartitionId, id: string): Program<void> {
  const { asked } = yield* askedBy(partition, id)
  yield* dismissForgets(asked, dismissedForget)
}

function* askedBy(partition: PartitionId, id: string): Program<{ readonly known: number; readonly asked: Asked }> {
  const known = yield* findKnown(partition)
  const asked = known === undefined ? undefined : (yield* waiting(known.id)).find(([{ fact }]) => uuidText(fact) === id)
  if (known === undefined || asked === undefined) throw new NotFound({ kind: 'pending forget', id })
  return { known: known.id, asked }
}

function* waiting(known: number): Program<readonly Asked[]> {
  const rows = yield* rowsBefore(known, { predicate: anyPredicate }, Number.MAX_SAFE_INTEGER, mostPending)
  const asking = rows.filter(
    (row) => row.says === says.ends && !isNote(row) && row.predicate === askedToForget && row.withdrawn_at === null,
  )
  return [...Map.groupBy(asking, ({ fact }) => uuidText(fact)).values()].flatMap(([last, ...earlier]) =>
    last === undefined ? [] : [[last, ...earlier] as const],
  )
}

function isHeld({ says: kind, withdrawn_at: withdrawn }: AssertionTable): boolean {
  return kind === says.is && withdrawn === null
}

/** Gives what was said of the somebody else whom a request of the user names, and not by that person. */
function* saidOf(known: number, { subject_key: subject, object_key: object, ord }: AssertionTable, entities: Entities) {
  const rows: AssertionTable[] = []
  const entity = entities.of(object)
  if (entity === self || entities.of(subject) !== self) return rows
  for (const name of entities.namesOf(entity)) rows.push(...(yield* rowsBefore(known, { subject: name }, ord, mostCompared)))
  return rows.filter((row) => isHeld(row) && row.of_other > 0)
}

function* toldOf(known: number, asked: Asked, entities: Entities): Program<PendingForget> {
  const [last] = asked
  const about = (yield* rowsBefore(known, { subject: last.subject_key }, last.ord, mostCompared)).filter(isHeld)
  const meant = [...Map.groupBy(about, ({ predicate_key: predicate }) => predicate)].flatMap(([predicate, rows]) => {
    const objects = new Set(aimedEnds([last], rows, predicate).map(({ object_key: object }) => object))
    return rows.filter(({ object_key: object }) => objects.has(object))
  })
  meant.push(...(yield* saidOf(known, last, entities)))
  const sources = yield* sourcesAt(
    known,
    [...asked, ...meant].map(({ ord }) => ord),
  )
  const of = (rows: readonly AssertionTable[]): FactSource[] => rows.flatMap(({ ord }) => sources.get(ord) ?? [])
  const [request] = of([last])
  return {
    id: uuidText(last.fact),
    at: last.said_at,
    session: request?.session ?? '',
    message: request?.message ?? '',
    text: request?.text ?? '',
    topic: last.object,
    messages: [...new Set([...of(meant), ...of(asked)].map(({ message }) => message))],
    facts: [...new Set(meant.map(({ fact }) => uuidText(fact)))],
  }
}
