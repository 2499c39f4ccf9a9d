import type { PageKey } from '../pages/pages.ts'
import { sql } from 'kysely'
import type { PartitionId } from '../../scope/partition.ts'
import { addedBefore } from '../known/assertions.ts'
import { contextKeys, contextsOf, type ContextsSeen, contextsThatShowed, type ContextKey } from '../log/contexts.ts'
import { type ByHand, type Derived, derivedFrom } from './derived.ts'
import { addedUntil, type ForgetSelection, isWholeSession } from './forget-selection.ts'
import { instructionsByHand } from './instruction-erasure.ts'
import type { AssertionTable } from '../known-tables.ts'
import { type Doomed, lookForAll, searchIn } from './meant.ts'
import { pagesFrom } from './page-erasure.ts'
import { findKnownOf, findPartition, type PartitionRow, nearTo } from '../partitions.ts'
import { abreast, type Program, all } from '../program.ts'
import type { SessionTable } from '../schema.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'

const sessionsOf = statement<{ partition: number }>()((db, p) =>
  db.selectFrom('session').selectAll().where('partition_id', '=', p('partition')),
)

const emptySessions = statement<{ partition: number; limit: number }>()((db, p) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('messages', '=', sql<number>`0`)
    .limit(p('limit')),
)

/** Returns sessions without a message. */
export function someEmptySessions(partition: number, limit: number): Program<readonly SessionTable[]> {
  return all(emptySessions, { partition, limit })
}

export function allSessions(partition: number): Program<readonly SessionTable[]> {
  return all(sessionsOf, { partition })
}

/** The meaning of a selection: its messages, and the session that is forgotten by its name with everything in it. */
export interface Selected {
  readonly doomed: readonly Doomed[]
  readonly session: SessionTable | undefined
}

/** Returns the messages and the session of a selection. */
export function* selectMessages(owner: PartitionRow, selection: ForgetSelection): Program<Selected> {
  const search = yield* searchIn(owner, selection)
  return { doomed: yield* lookForAll(search), session: isWholeSession(selection) ? search.session : undefined }
}

/** Returns everything that rests on the messages to erase, and everything of a session to erase. */
export function* derivedFromAll(owner: PartitionRow, near: string, selected: Selected, selection: ForgetSelection): Program<Derived> {
  return yield* derivedFrom(owner.id, near, yield* saidIn(owner, selected, selection), yield* allAddedByHand(owner, selection))
}

/** Returns the statements that a person added before the time, or all of them. */
export function* allAddedByHand(owner: PartitionRow, selection: ForgetSelection): Program<ByHand> {
  const [facts, instructions] = yield* abreast([addedByHand(owner, selection), instructionsByHand(owner, selection)])
  return { facts, instructions }
}

/** Returns the pages with lines that rest on a message. */
export function* pagesUnderMessage(partition: PartitionId, id: string): Program<readonly PageKey[]> {
  const owner = yield* findPartition(partition)
  if (owner === undefined) return []
  const { pages } = yield* pagesFrom(
    owner.id,
    yield* nearTo(owner.id),
    yield* saidIn(owner, yield* selectMessages(owner, { messages: [id] }), {}),
  )
  return pages
}

/** Returns the places of the selected messages by session; undefined for a session that goes as a whole. */
export function* saidIn(
  owner: PartitionRow,
  { doomed, session }: Selected,
  selection: ForgetSelection,
): Program<ReadonlyMap<number, readonly number[] | undefined>> {
  const said = new Map<number, readonly number[] | undefined>()
  for (const [id, some] of Map.groupBy(doomed, (message) => message.session_id))
    said.set(
      id,
      some.map(({ seq }) => seq),
    )
  const whole = selection.all === true ? yield* allSessions(owner.id) : session === undefined ? [] : [session]
  for (const { id } of whole) said.set(id, undefined)
  return said
}

/** Returns the facts that a person added before the time, or all of them. They go by the time of adding. */
export function* addedByHand(
  owner: PartitionRow,
  { all: everything, session, messages, before, recordedBy }: ForgetSelection,
  limit?: number,
): Program<readonly AssertionTable[]> {
  const isMeant = everything === true || (before !== undefined && session === undefined && messages === undefined)
  const known = isMeant ? yield* findKnownOf(owner.id) : undefined
  return known === undefined ? [] : yield* addedBefore(known.id, addedUntil({ before, recordedBy }) ?? Number.MAX_SAFE_INTEGER, limit)
}

/** The contexts that an erasure touches. Those of an erased session go; of those that showed something, that goes. */
export interface TouchedContexts {
  readonly own: readonly ContextKey[]
  readonly showed: readonly ContextKey[]
  /** Ids of everything that is erased. */
  readonly gone: ReadonlySet<string>
}

/** Returns the contexts of an erased session, and the others that showed erased content. */
export function* affectedContexts(
  owner: PartitionRow,
  { doomed, session }: Selected,
  { items, assertions, instructions, doomedPages: { pages } }: Derived,
  selection: ForgetSelection,
  seen?: ContextsSeen,
): Program<TouchedContexts> {
  const partition = owner.id
  const gone = new Set([
    ...[...doomed, ...items, ...instructions, ...pages].map(({ uuid }) => uuidText(uuid)),
    ...assertions.map(({ fact }) => uuidText(fact)),
  ])
  if (selection.all === true) return { own: yield* contextsOf({ partition }), showed: [], gone }
  const name = isWholeSession(selection) ? selection.session : session?.external_id
  const own = name === undefined ? [] : yield* contextKeys(partition, name)
  const mine = new Set(own.map(({ id }) => id))
  const showed = (yield* contextsThatShowed({ partition }, gone, seen)).filter(({ id }) => !mine.has(id))
  return { own, showed, gone }
}
