import { partitionList } from '../partition-list.ts'
import { sql } from 'kysely'
import type { DeedTextTable } from '../deed-tables.ts'
import { withinPlaces } from '../erase/places.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { derivedKind, ownerKinds } from '../partitions.ts'
import { all, change, type Program, run, runList } from '../program.ts'
import { statement } from '../statement.ts'
import { bankActs, mergeAct, textKinds } from './deeds.ts'

/** A kept text, as an erasure takes it out. */
export type DoomedText = Pick<DeedTextTable, 'deed_id' | 'place' | 'hand' | 'content'>

const columns = ['deed_text.deed_id', 'deed_text.place', 'deed_text.hand', 'deed_text.content'] as const

/** The partition kind of shared banks. */
const sharedBank = ownerKinds.shared + derivedKind

const ofSessions = statement<{ near: string; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('deed_source')
    .select(['session_id', 'deed_id', 'place', 'from_seq', 'to_seq'])
    .where('session_id', 'in', d.numbers(p('sessions')))
    .$call(d.amongApart(p('near'))),
)

const sharedOf = statement<{ near: string; session: number }>()((db, p, d) =>
  db
    .selectFrom('deed_source')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_source.deed_id').$call(d.beside('deed', 'deed_source')))
    .innerJoin('partition', 'partition.id', 'deed.partition_id')
    .select(['deed_source.deed_id', 'deed_source.place'])
    .where('deed_source.session_id', '=', p('session'))
    .$call(d.amongApart(p('near'), 'deed_source'))
    .$call(d.among(p('near'), 'deed'))
    .where('partition.owner_kind', '=', sql<number>`${sql.lit(sharedBank)}`),
)

const ofMember = statement<{ shared: number; member: number }>()((db, p, d) =>
  db
    .selectFrom('deed_source')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'deed_source.session_id').$call(d.joined('session', p('member'))))
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_source.deed_id').$call(d.beside('deed', 'deed_source')))
    .select(['deed_source.deed_id', 'deed_source.place'])
    .where('session.partition_id', '=', p('member'))
    .where('deed.partition_id', '=', p('shared')),
)

const ofPartition = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_text.deed_id').$call(d.beside('deed', 'deed_text')))
    .select(columns)
    .where('deed.partition_id', '=', p('partition')),
)

const ofBank = statement<{ partition: number; acts: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_text.deed_id').$call(d.beside('deed', 'deed_text')))
    .select(columns)
    .where('deed.partition_id', '=', p('partition'))
    .where('deed.act', 'in', d.texts(p('acts'))),
)

const ofBankSessions = statement<{ partition: number; acts: string; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('deed_source')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_source.deed_id').$call(d.beside('deed', 'deed_source')))
    .select(['deed_source.deed_id', 'deed_source.place'])
    .where('deed_source.session_id', 'in', d.numbers(p('sessions')))
    .where('deed.partition_id', '=', p('partition'))
    .where('deed.act', 'in', d.texts(p('acts'))),
)

// An import may have given an id to a thing of another kind, and on SQLite to one of another owner.
const ofInstructions = statement<{ near: string; refs: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_text.deed_id').$call(d.beside('deed', 'deed_text')))
    .select(columns)
    .where('deed_text.ref', 'in', d.ids(p('refs')))
    .where('deed_text.kind', '=', sql<number>`${sql.lit(textKinds.instruction)}`)
    .$call(d.amongApart(p('near'), 'deed_text'))
    .$call(d.among(p('near'), 'deed')),
)

const namesOf = statement<{ partition: number }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .innerJoin('deed', (join) => join.onRef('deed.id', '=', 'deed_text.deed_id').$call(d.beside('deed', 'deed_text')))
    .select(columns)
    .where('deed.partition_id', '=', p('partition'))
    .where('deed.act', '=', sql<string>`${sql.lit(mergeAct)}`),
)

const textsAt = statement<{ near: string; deed: number; places: string }>()((db, p, d) =>
  db
    .selectFrom('deed_text')
    .select(columns)
    .where('deed_id', '=', p('deed'))
    .$call(d.amongApart(p('near')))
    .where('place', 'in', d.numbers(p('places'))),
)

const dropText = statement<Pick<DeedTextTable, 'deed_id' | 'place'> & { near: string }>()((db, p, d) =>
  db
    .deleteFrom('deed_text')
    .where('deed_id', '=', p('deed_id'))
    .$call(d.amongApart(p('near')))
    .where('place', '=', p('place')),
)

const dropSources = statement<Pick<DeedTextTable, 'deed_id' | 'place'> & { near: string }>()((db, p, d) =>
  db
    .deleteFrom('deed_source')
    .where('deed_id', '=', p('deed_id'))
    .$call(d.amongApart(p('near')))
    .where('place', '=', p('place')),
)

const dropDeeds = statement<{ partition: number }>()((db, p) => db.deleteFrom('deed').where('partition_id', '=', p('partition')))

/** Returns the kept texts that rest on messages at some places of each session, or on any of it. */
export function* keptFrom(near: string, said: ReadonlyMap<number, readonly number[] | undefined>): Program<readonly DoomedText[]> {
  if (said.size === 0) return []
  const goes = new Map([...said].map(([session, seqs]) => [session, withinPlaces(seqs)]))
  const sources = yield* all(ofSessions, { near, sessions: JSON.stringify([...said.keys()]) })
  return yield* at(
    near,
    sources.filter((one) => goes.get(one.session_id)?.(one.from_seq, one.to_seq) === true),
  )
}

/** Returns the texts that shared banks keep of a session. */
export function* keptOfShared(near: string, session: number): Program<readonly DoomedText[]> {
  return yield* at(near, yield* all(sharedOf, { near, session }))
}

/** Returns the texts that a shared bank keeps of one member's sessions. */
export function* keptOfMember(shared: number, member: number): Program<readonly DoomedText[]> {
  return yield* at(partitionList([shared]), yield* all(ofMember, { shared, member }))
}

/** Returns the texts kept of a bank; with sessions, those that rest on them. */
export function* keptOfBank(partition: number, sessions?: ReadonlySet<number>): Program<readonly DoomedText[]> {
  const acts = JSON.stringify(bankActs)
  if (sessions === undefined) return yield* all(ofBank, { partition, acts })
  return yield* at(partitionList([partition]), yield* all(ofBankSessions, { partition, acts, sessions: JSON.stringify([...sessions]) }))
}

/** Returns the texts that some partitions keep of instructions, by the ids of these. */
export function* keptOfInstructions(near: string, refs: readonly string[]): Program<readonly DoomedText[]> {
  return refs.length === 0 ? [] : yield* all(ofInstructions, { near, refs: JSON.stringify(refs) })
}

/** Returns the texts kept of merges of some names, by their keys. */
export function* keptOfNames(partition: number, names: ReadonlySet<string>): Program<readonly DoomedText[]> {
  return (yield* all(namesOf, { partition })).filter(({ content }) => content.split('\n').some((name) => names.has(name)))
}

function* at(near: string, places: readonly Pick<DeedTextTable, 'deed_id' | 'place'>[]): Program<readonly DoomedText[]> {
  const found: DoomedText[] = []
  for (const [deed, some] of Map.groupBy(places, ({ deed_id: id }) => id))
    found.push(...(yield* all(textsAt, { near, deed, places: JSON.stringify([...new Set(some.map(({ place }) => place))]) })))
  return found
}

/** Erases kept texts of some partitions, and adds their bytes to the needles. Their deeds stay listed, and cannot be taken back. */
export function* eraseKept(near: string, texts: readonly DoomedText[], needles: Needles): Program<void> {
  const words = texts.flatMap(({ content, hand }) => [content, hand ?? '']).map((text) => new TextEncoder().encode(text))
  needles.add(words.filter(({ length }) => length >= leastTelling))
  yield* runList(
    texts.flatMap(({ deed_id, place }) => [change(dropText, { near, deed_id, place }), change(dropSources, { near, deed_id, place })]),
  )
}

/** Erases all deeds of a partition, with the texts kept for them. */
export function* eraseDeedsOf(partition: number, needles: Needles): Program<void> {
  yield* eraseKept(partitionList([partition]), yield* all(ofPartition, { partition }), needles)
  yield* run(dropDeeds, { partition })
}
