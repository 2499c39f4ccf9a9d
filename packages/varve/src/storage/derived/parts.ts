import { sql } from 'kysely'
import type { Sentence } from '../../models/writer.ts'
import { type Program, type SingleStep, all, change, run, runEach } from '../program.ts'
import type { PartTable } from '../schema.ts'
import { statement } from '../statement.ts'

/** Messages of a session that are read at once. */
export interface PartRange {
  readonly from: number
  readonly to: number
  readonly messages: number
  /** The local day of its sitting: YYYY-MM-DD. */
  readonly sitting: string
  readonly firstAt: number
  readonly lastAt: number
}

/** A part to be stored, with the fields that all layers have. */
export interface WrittenPart extends PartRange {
  readonly layer: number
  readonly sentences: readonly Sentence[]
  readonly writer: string
  readonly provisional: boolean
  /** Messages of a shared part that hold a secret. Other members do not find them. */
  readonly withheld?: readonly number[]
}

/** The number of a session, and its partition. */
export interface PlacedSession {
  readonly partition: number
  readonly session: number
}

/** The number of a part, and its partition. */
type PlacedPart = Pick<PartTable, 'id' | 'partition_id'>

/** The session that a part was read from, its partition and its project, by their numbers. */
export interface PartOwner {
  readonly session: number
  readonly partition: number
  readonly project: number
}

const ofSession = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .selectFrom('part')
    .selectAll()
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .orderBy('from_seq')
    .orderBy('layer'),
)

const insert = statement<Omit<PartTable, 'id'>>()((db, p) =>
  db
    .insertInto('part')
    .values({
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      layer: p('layer'),
      from_seq: p('from_seq'),
      to_seq: p('to_seq'),
      messages: p('messages'),
      sitting: p('sitting'),
      first_at: p('first_at'),
      last_at: p('last_at'),
      content: p('content'),
      sources: p('sources'),
      writer: p('writer'),
      provisional: p('provisional'),
      written_at: p('written_at'),
    }),
)

const dropWithin = statement<{ partition: number; session: number; layer: number; from: number; to: number }>()((db, p, d) =>
  db
    .deleteFrom('part')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition')))
    .where('layer', '=', p('layer'))
    .where('from_seq', '<=', p('to'))
    .where('to_seq', '>=', p('from')),
)

const dropOne = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .deleteFrom('part')
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const dropSession = statement<{ partition: number; session: number }>()((db, p, d) =>
  db
    .deleteFrom('part')
    .where('session_id', '=', p('session'))
    .$call(d.within(p('partition'))),
)

const blank = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('part')
    .set({ content: null, sources: '[]', provisional: 0 })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const awaitReading = statement<{ partition: number; id: number }>()((db, p, d) =>
  db
    .updateTable('part')
    .set({ provisional: 1 })
    .where('id', '=', p('id'))
    .$call(d.within(p('partition'))),
)

const sessionsWithLayer = statement<{ partition: number; layer: number }>()((db, p) =>
  db
    .selectFrom('part')
    .select(['partition_id as partition', 'session_id as session'])
    .distinct()
    .where('partition_id', '=', p('partition'))
    .where('layer', '=', p('layer')),
)

const tellingOfPartition = statement<{ partition: number; layer: number }>()((db, p) =>
  db
    .selectFrom('part')
    .select(['partition_id as partition', 'session_id as session'])
    .distinct()
    .where('partition_id', '=', p('partition'))
    .where('layer', '=', p('layer'))
    .where((e) => e.or([e('content', 'is not', null), e('provisional', '=', 1)])),
)

const tellingOfProject = statement<{ project: number; layer: number }>()((db, p) =>
  db
    .selectFrom('part')
    .select(['partition_id as partition', 'session_id as session'])
    .distinct()
    .where('layer', '=', p('layer'))
    .where((e) => e.or([e('content', 'is not', null), e('provisional', '=', 1)]))
    .where('partition_id', 'in', sql<number>`(select id from partition where project_id = ${p('project')})`),
)

const sharedByProject = statement<{ project: number; layer: number }>()((db, p) =>
  db
    .selectFrom('part')
    .select(['partition_id as partition', 'session_id as session'])
    .distinct()
    .where('layer', '=', p('layer'))
    .where('partition_id', 'in', sql<number>`(select id from partition where project_id = ${p('project')})`),
)

/** Returns a session's parts of all layers, in the order of its talk. */
export function partsOf(partition: number, session: number): Program<readonly PartTable[]> {
  return all(ofSession, { partition, session })
}

/** Returns the steps that store a part in the place of any part that its layer has of the same messages. */
export function partChanges(partition: number, session: number, part: WrittenPart, now: number): readonly SingleStep[] {
  const { layer, from, to } = part
  const row = {
    partition_id: partition,
    session_id: session,
    layer,
    from_seq: from,
    to_seq: to,
    messages: part.messages,
    sitting: part.sitting,
    first_at: part.firstAt,
    last_at: part.lastAt,
    content: sentenceLines(part.sentences),
    sources: sourcesOf(part.sentences),
    writer: part.writer,
    provisional: Number(part.provisional),
    written_at: now,
  }
  return [change(dropWithin, { partition, session, layer, from, to }), change(insert, row)]
}

/** Marks messages as read for a layer, without a word about them. */
export function storeBlankPart(
  partition: number,
  session: number,
  layer: number,
  { from, to, messages, sitting, firstAt, lastAt }: PartRange,
  now: number,
): Program<void> {
  return run(insert, {
    partition_id: partition,
    session_id: session,
    layer,
    from_seq: from,
    to_seq: to,
    messages,
    sitting,
    first_at: firstAt,
    last_at: lastAt,
    content: null,
    sources: '[]',
    writer: '',
    provisional: 0,
    written_at: now,
  })
}

export function dropParts(parts: readonly PlacedPart[]): Program<void> {
  return runEach(
    dropOne,
    parts.map(({ id, partition_id: partition }) => ({ partition, id })),
  )
}

export function dropPartsOfSession(partition: number, session: number): Program<void> {
  return run(dropSession, { partition, session })
}

/** Removes a part's words so that they do not come back. Its messages still count as read. */
export function blankPart({ id, partition_id: partition }: PlacedPart): Program<void> {
  return run(blank, { partition, id })
}

/** Marks a blanked part to be read again. Until it is read, it can be blanked once more. */
export function awaitPart({ id, partition_id: partition }: PlacedPart): Program<void> {
  return run(awaitReading, { partition, id })
}

/** Tells whether a part is blank but its messages are to be read again. */
export function isAwaited({ content, provisional }: Pick<PartTable, 'content' | 'provisional'>): boolean {
  return content === null && provisional === 1
}

/** Returns the sessions of a partition with parts of a layer. */
export function sessionsWithParts(partition: number, layer: number): Program<readonly PlacedSession[]> {
  return all(sessionsWithLayer, { partition, layer })
}

/** Returns the sessions of a project, of all its members, with parts of a layer. */
export function sessionsSharing(project: number, layer: number): Program<readonly PlacedSession[]> {
  return all(sharedByProject, { project, layer })
}

/** The owner of parts: a partition, or all partitions of a project. */
export type PartsOf = { readonly partition: number } | { readonly project: number }

/** Returns the sessions with parts of a layer that have words, or are to be read again. */
export function sessionsTelling(whose: PartsOf, layer: number): Program<readonly PlacedSession[]> {
  return 'project' in whose ? all(tellingOfProject, { ...whose, layer }) : all(tellingOfPartition, { ...whose, layer })
}

/** Joins sentences as they are stored: one a line. Their sources are stored beside them. */
export function sentenceLines(sentences: readonly Sentence[]): string {
  return sentences.map(({ text }) => text).join('\n')
}

export function sourcesOf(sentences: readonly Sentence[]): string {
  return JSON.stringify(sentences.map(({ from }) => from))
}

/** Splits a stored part into its sentences; none for a blanked part. */
export function sentencesOf({ content, sources }: { readonly content: string | null; readonly sources: string }): readonly Sentence[] {
  if (content === null || content === '') return []
  const from: readonly (readonly number[])[] = JSON.parse(sources)
  return content.split('\n').map((text, place) => ({ text, from: from[place] ?? [] }))
}
