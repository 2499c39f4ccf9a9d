import { sql } from 'kysely'
import type { AssertionEndTable, AssertionSourceTable, AssertionTable, InstructionTable } from '../known-tables.ts'
import type { Sized } from '../listed.ts'
import { type Program, all } from '../program.ts'
import type { ItemTable, PartTable, Schema } from '../schema.ts'
import { statement } from '../statement.ts'
import type { KeyRange } from './log-rows.ts'

// What was made of messages, in the order of its keys, for an export.

const partsOfSessions = statement<{ partition: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('part')
    .selectAll()
    .where('session_id', 'in', d.numbers(p('sessions')))
    .$call(d.within(p('partition')))
    .orderBy('id'),
)

const itemSizes = statement<KeyRange & { limit: number }>()((db, p) =>
  db
    .selectFrom('item')
    .select([
      'ord as key',
      sql<number>`octet_length(content) + octet_length(sources) + octet_length(spans) + octet_length(made_of)
        + coalesce(octet_length(hand), 0)`.as('bytes'),
    ])
    .where('partition_id', '=', p('partition'))
    .where('ord', '>', p('after'))
    .where('ord', '<=', p('upTo'))
    .orderBy('ord')
    .limit(p('limit')),
)

const items = statement<KeyRange>()((db, p, d) =>
  db
    .selectFrom('item')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'item.session_id').$call(d.atHome('session')))
    .leftJoin('partition as source', 'source.id', 'session.partition_id')
    .leftJoin('page', (join) => join.onRef('page.id', '=', 'item.page_id').$call(d.atHome('page')))
    .leftJoin('message_terms', (join) =>
      join.onRef('message_terms.partition_id', '=', 'item.partition_id').onRef('message_terms.ord', '=', 'item.ord'),
    )
    .selectAll('item')
    .$call(d.withHome)
    .select([
      'session.external_id as session',
      'session.name as title',
      'source.owner as member',
      'page.uuid as page',
      sql<Uint8Array | null>`${d.beginning(sql.ref('message_terms.body'), sql.lit(24))}`.as('terms'),
    ])
    .where('item.partition_id', '=', p('partition'))
    .where('item.ord', '>', p('after'))
    .where('item.ord', '<=', p('upTo'))
    .orderBy('item.ord'),
)

const childrenAt = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('item')
    .select(['ord', 'uuid', 'covered_by'])
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords'))),
)

const partsById = statement<{ partition: number; ids: string }>()((db, p, d) =>
  db
    .selectFrom('part')
    .select(['id', 'layer', 'from_seq'])
    .where('id', 'in', d.numbers(p('ids')))
    .$call(d.within(p('partition'))),
)

const assertions = statement<{ partition: number; source: number; after: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('assertion')
    .leftJoin('session', (join) => join.onRef('session.id', '=', 'assertion.session_id').$call(d.joined('session', p('source'))))
    .leftJoin('session as noted', (join) => join.onRef('noted.id', '=', 'assertion.noted_in').$call(d.joined('noted', p('source'))))
    .leftJoin('message_terms', (join) =>
      join.onRef('message_terms.partition_id', '=', 'assertion.partition_id').onRef('message_terms.ord', '=', 'assertion.ord'),
    )
    .selectAll('assertion')
    .select(['session.external_id as session', 'noted.external_id as noted', 'message_terms.body as terms', 'message_terms.traits'])
    .where('assertion.partition_id', '=', p('partition'))
    .where('assertion.ord', '>', p('after'))
    .orderBy('assertion.ord')
    .limit(p('limit')),
)

const sources = statement<{ partition: number; source: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('assertion_source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'assertion_source.session_id').$call(d.joined('session', p('source'))))
    .selectAll('assertion_source')
    .select('session.external_id as session')
    .where('assertion_source.partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords')))
    .orderBy('ord')
    .orderBy('session_id')
    .orderBy('assertion_source.seq')
    .orderBy('starts'),
)

const ends = statement<{ partition: number; ords: string }>()((db, p, d) =>
  db
    .selectFrom('assertion_end')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('ord', 'in', d.numbers(p('ords')))
    .orderBy('ord'),
)

const names = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('entity')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .orderBy(d.bytewise(sql.ref('name_key'))),
)

const instructionsRead = statement<{ partition: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('instruction')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'instruction.session_id').$call(d.joined('session', p('partition'))))
    .selectAll('instruction')
    .select('session.external_id as session')
    .where('instruction.session_id', 'in', d.numbers(p('sessions')))
    .$call(d.within(p('partition'), 'instruction'))
    .where('instruction.session_id', '>', sql<number>`0`)
    .orderBy('instruction.said_at')
    .orderBy('uuid'),
)

export type ExportedItem = ItemTable & {
  readonly session: string | null
  /** The title of its session. */
  readonly title: string | null
  /** The user whose session it is; '' for the anonymous user. */
  readonly member: string | null
  readonly page: Uint8Array | null
  readonly terms: Uint8Array | null
}

export type ExportedAssertion = AssertionTable & {
  readonly session: string | null
  /** The session in which an agent noted it. */
  readonly noted: string | null
  readonly terms: Uint8Array | null
  readonly traits: number | null
}

export type ExportedInstruction = InstructionTable & { readonly session: string }

export function partsIn(partition: number, sessions: readonly number[]): Program<readonly PartTable[]> {
  return all(partsOfSessions, { partition, sessions: JSON.stringify(sessions) })
}

export function sizesOfItems(range: KeyRange, limit: number): Program<readonly Sized[]> {
  return all(itemSizes, { ...range, limit })
}

export function itemsBetween(range: KeyRange): Program<readonly ExportedItem[]> {
  return all(items, { ...range })
}

/** An entry that a digest was made of, as it stands. */
export type StandingChild = Pick<ItemTable, 'ord' | 'uuid' | 'covered_by'>

export function* childrenStanding(partition: number, ords: readonly number[]): Program<ReadonlyMap<number, StandingChild>> {
  if (ords.length === 0) return new Map()
  return new Map((yield* all(childrenAt, { partition, ords: JSON.stringify(ords) })).map((row) => [row.ord, row]))
}

/** Returns the first message of each of some parts. */
export function* beginningsOfParts(
  partition: number,
  ids: readonly number[],
): Program<ReadonlyMap<number, Pick<PartTable, 'layer' | 'from_seq'>>> {
  if (ids.length === 0) return new Map()
  return new Map((yield* all(partsById, { partition, ids: JSON.stringify(ids) })).map((row) => [row.id, row]))
}

export function assertionsAfter(partition: number, source: number, after: number, limit: number): Program<readonly ExportedAssertion[]> {
  return all(assertions, { partition, source, after, limit })
}

export function sourcesOfAssertions(
  partition: number,
  source: number,
  ords: readonly number[],
): Program<readonly (AssertionSourceTable & { readonly session: string })[]> {
  return all(sources, { partition, source, ords: JSON.stringify(ords) })
}

export function* endsByAssertions(partition: number, ords: readonly number[]): Program<readonly AssertionEndTable[]> {
  return (yield* all(ends, { partition, ords: JSON.stringify(ords) })).toSorted(
    (one, other) => one.ord - other.ord || one.ended - other.ended,
  )
}

export function namesMerged(partition: number): Program<readonly Schema['entity'][]> {
  return all(names, { partition })
}

export function instructionsReadIn(partition: number, sessions: readonly number[]): Program<readonly ExportedInstruction[]> {
  return all(instructionsRead, { partition, sessions: JSON.stringify(sessions) })
}
