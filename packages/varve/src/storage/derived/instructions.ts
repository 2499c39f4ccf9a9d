import { sql } from 'kysely'
import { uuidv7 } from '../../ids/uuid.ts'
import { byHand, extractive } from '../../models/writer.ts'
import type { InstructionTable } from '../known-tables.ts'
import { contextsThatShowed, takeFromContexts } from '../log/contexts.ts'
import { partitionById, savePartition } from '../partitions.ts'
import { type Program, abreast, all, change, run, runEach, runLast } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidBytes, uuidText } from '../uuid-bytes.ts'
import type { PartOwner, WrittenPart } from './parts.ts'

/** A statement of an instruction, as a writer read it from a message. */
export interface NewInstruction {
  readonly text: string
  readonly seq: number
  /** Characters [from, to) of the message. */
  readonly from: number
  readonly to: number
  readonly saidAt: number
  /** True when it only takes back earlier ones. */
  readonly takesBack: boolean
}

/** The instructions of a part, and the number of refused ones. */
export interface ReadInstructions {
  readonly asked: readonly NewInstruction[]
  readonly refused: number
}

/** A statement with its message: absent for one that was added by hand. */
export type InstructionRow = InstructionTable & {
  readonly session: string | null
  readonly message: Uint8Array | null
  readonly name: string | null
}

/** The text by hand that a statement had, and its time; null for none. */
export interface EarlierHand {
  readonly uuid: Uint8Array
  readonly hand: string | null
  readonly editedAt: number | null
}

/** The id of a statement, and its partition. */
type PlacedInstruction = Pick<InstructionTable, 'uuid' | 'partition_id'>

/** The most statements read from messages, added by hand, and noted by agents, that are looked at: the newest of each. */
const mostRead = 500

const insert = statement<InstructionTable>()((db, p) =>
  db
    .insertInto('instruction')
    .values({
      uuid: p('uuid'),
      partition_id: p('partition_id'),
      session_id: p('session_id'),
      seq: p('seq'),
      starts: p('starts'),
      ends: p('ends'),
      said_at: p('said_at'),
      recorded_at: p('recorded_at'),
      edited_at: p('edited_at'),
      withdrawn_at: p('withdrawn_at'),
      takes_back: p('takes_back'),
      compared: p('compared'),
      provisional: p('provisional'),
      writer: p('writer'),
      content: p('content'),
      hand: p('hand'),
      ended: p('ended'),
      noted_in: p('noted_in'),
    }),
)

// The conditions of partial indexes are literals.

const read = statement<{ partition: number; limit: number }>()((db, p, d) =>
  db
    .selectFrom('instruction')
    .innerJoin('session', (join) => join.onRef('session.id', '=', 'instruction.session_id').$call(d.beside('session', 'instruction')))
    .innerJoin('message', (join) =>
      join
        .onRef('message.session_id', '=', 'instruction.session_id')
        .onRef('message.seq', '=', 'instruction.seq')
        .$call(d.beside('message', 'instruction')),
    )
    .selectAll('instruction')
    .select(['session.external_id as session', 'message.uuid as message', 'message.name as name'])
    .where('instruction.partition_id', '=', p('partition'))
    .where('instruction.session_id', '>', sql<number>`0`)
    .orderBy('instruction.said_at', 'desc')
    .limit(p('limit')),
)

const added = statement<{ partition: number; before: number; limit: number }>()((db, p) =>
  db
    .selectFrom('instruction')
    .selectAll()
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', sql<number>`0`)
    .where('said_at', '<', p('before'))
    .orderBy('said_at', 'desc')
    .limit(p('limit')),
)

const ofSessions = statement<{ partition: number; sessions: string }>()((db, p, d) =>
  db
    .selectFrom('instruction')
    .selectAll()
    .where('session_id', 'in', d.numbers(p('sessions')))
    .$call(d.within(p('partition')))
    .where('session_id', '>', sql<number>`0`),
)

const setRead = statement<Pick<InstructionTable, 'uuid' | 'starts' | 'ends' | 'writer' | 'provisional'> & { partition: number }>()(
  (db, p, d) =>
    db
      .updateTable('instruction')
      .set({ starts: p('starts'), ends: p('ends'), writer: p('writer'), provisional: p('provisional') })
      .where('uuid', '=', p('uuid'))
      .$call(d.within(p('partition'))),
)

const setHand = statement<{ partition: number; uuid: Uint8Array; hand: string; now: number }>()((db, p, d) =>
  db
    .updateTable('instruction')
    .set({ hand: p('hand'), edited_at: p('now'), compared: 0 })
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const setWithdrawn = statement<{ partition: number; uuid: Uint8Array; now: number }>()((db, p, d) =>
  db
    .updateTable('instruction')
    .set({ withdrawn_at: p('now') })
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const setBack = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .updateTable('instruction')
    .set({ withdrawn_at: null })
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const setHandBack = statement<EarlierHand & { partition: number }>()((db, p, d) =>
  db
    .updateTable('instruction')
    .set({ hand: p('hand'), edited_at: p('editedAt'), compared: 0 })
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const setEnded = statement<{ partition: number; uuid: Uint8Array; ended: string }>()((db, p, d) =>
  db
    .updateTable('instruction')
    .set({ ended: p('ended'), compared: 1 })
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

const remove = statement<{ partition: number; uuid: Uint8Array }>()((db, p, d) =>
  db
    .deleteFrom('instruction')
    .where('uuid', '=', p('uuid'))
    .$call(d.within(p('partition'))),
)

/** Returns the statements of a partition, the newest of each kind if there are very many. */
export function* instructionsOf(partition: number): Program<readonly InstructionRow[]> {
  const [said, byHands] = yield* abreast([all(read, { partition, limit: mostRead }), addedInstructions(partition)])
  const isByPerson = ({ writer }: InstructionTable): boolean => writer === byHand
  // Each kind has a bound of its own: what agents note takes no person's place.
  const kept = [isByPerson, (row: InstructionTable) => !isByPerson(row)].flatMap((isMeant) => byHands.filter(isMeant).slice(0, mostRead))
  return [...said, ...kept.map((row) => ({ ...row, session: null, message: null, name: null }))]
}

/** Returns the statements that were added by hand before a time. */
export function addedInstructions(partition: number, before = Number.MAX_SAFE_INTEGER): Program<readonly InstructionTable[]> {
  return all(added, { partition, before, limit: Number.MAX_SAFE_INTEGER })
}

export function instructionsOfSessions(partition: number, sessions: readonly number[]): Program<readonly InstructionTable[]> {
  return all(ofSessions, { partition, sessions: JSON.stringify(sessions) })
}

/** Adds an instruction by hand, or one that an agent notes. Returns its id. */
export function* addInstruction(partition: number, text: string, writer: string, now: number, notedIn = 0): Program<string> {
  const row = rowOf({ text, seq: 0, from: 0, to: 0, saidAt: now, takesBack: false }, { partition, session: 0 }, writer, false, now)
  yield* run(insert, { ...row, noted_in: notedIn })
  return uuidText(row.uuid)
}

/** Puts a person's text in the place of some statements. They are compared anew. */
export function editInstructions(rows: readonly PlacedInstruction[], hand: string, now: number): Program<void> {
  return runEach(
    setHand,
    rows.map(({ uuid, partition_id: partition }) => ({ partition, uuid, hand, now })),
  )
}

/** Ends some statements by hand. They stay, so that no later reading of their messages brings them back. */
export function withdrawInstructions(rows: readonly PlacedInstruction[], now: number): Program<void> {
  return runEach(
    setWithdrawn,
    rows.map(({ uuid, partition_id: partition }) => ({ partition, uuid, now })),
  )
}

/** Has statements stand again that were ended by hand. */
export function reinstateInstructions(rows: readonly PlacedInstruction[]): Program<void> {
  return runEach(
    setBack,
    rows.map(({ uuid, partition_id: partition }) => ({ partition, uuid })),
  )
}

/** Gives statements the texts by hand that they had. They are compared anew. */
export function restoreHands(partition: number, hands: readonly EarlierHand[]): Program<void> {
  return runEach(
    setHandBack,
    hands.map((hand) => ({ partition, ...hand })),
  )
}

export function removeInstructions(rows: readonly PlacedInstruction[]): Program<void> {
  return runEach(
    remove,
    rows.map(({ uuid, partition_id: partition }) => ({ partition, uuid })),
  )
}

/**
 * Stores the instructions read from a range of a session's messages. Instructions found in a message before stay. A
 * language model's reading replaces those found without one, except those that a person edited or withdrew.
 */
export function* storeReadInstructions(
  { partition, session }: Pick<PartOwner, 'partition' | 'session'>,
  { from, to, writer, provisional }: Pick<WrittenPart, 'from' | 'to' | 'writer' | 'provisional'>,
  asked: readonly NewInstruction[],
  now: number,
): Program<void> {
  const before = (yield* instructionsOfSessions(partition, [session])).filter(({ seq }) => seq >= from && seq <= to)
  const isModels = writer !== extractive
  const kept = before.flatMap((row) => {
    const same = asked.find((one) => one.seq === row.seq && one.text === row.content)
    return same === undefined || row.writer !== extractive ? [] : [{ row, same }]
  })
  const replaced = isModels
    ? before.filter((row) => row.writer === extractive && !isTouched(row) && kept.every((one) => one.row !== row))
    : []
  const standing = before.filter((row) => !replaced.includes(row))
  const isKnown = (one: NewInstruction): boolean =>
    kept.some(({ same }) => same === one) ||
    standing.some((row) => row.seq === one.seq && !(isModels && row.writer === extractive && !covers(row, one)))
  const fresh = asked.filter((one) => !isKnown(one))
  yield* dropInstructions(partition, replaced)
  yield* runLast([
    ...kept.map(({ row: { uuid }, same }) =>
      change(setRead, { partition, uuid, starts: same.from, ends: same.to, writer, provisional: Number(provisional) }),
    ),
    ...fresh.map((one) => change(insert, rowOf(one, { partition, session }, writer, provisional, now))),
  ])
}

/** Tells whether a person changed a statement by hand. */
function isTouched({ edited_at: edited, withdrawn_at: withdrawn }: InstructionTable): boolean {
  return edited !== null || withdrawn !== null
}

function covers(row: InstructionTable, { text, from, to }: NewInstruction): boolean {
  return row.content === text || (row.starts < to && from < row.ends)
}

/** Removes statements that nothing needs any more, also from the contexts that showed them: those hold hashes of their words. */
export function* dropInstructions(partition: number, rows: readonly InstructionTable[]): Program<void> {
  const owner = rows.length === 0 ? undefined : yield* partitionById(partition)
  if (owner === undefined) return
  const ids = new Set(rows.map(({ uuid }) => uuidText(uuid)))
  yield* takeFromContexts(yield* contextsThatShowed({ partition }, ids), ids)
  yield* abreast([removeInstructions(rows), savePartition({ ...owner, epoch: owner.epoch + 1 })])
}

function rowOf(
  { text, seq, from, to, saidAt, takesBack }: NewInstruction,
  { partition, session }: Pick<PartOwner, 'partition' | 'session'>,
  writer: string,
  provisional: boolean,
  now: number,
): InstructionTable {
  const uuid = uuidBytes(uuidv7(now))
  if (uuid === undefined) throw new TypeError('a new id is no uuid')
  return {
    uuid,
    partition_id: partition,
    session_id: session,
    seq,
    starts: from,
    ends: to,
    said_at: saidAt,
    recorded_at: now,
    edited_at: null,
    withdrawn_at: null,
    takes_back: Number(takesBack),
    compared: 0,
    provisional: Number(provisional),
    writer,
    content: text,
    hand: null,
    ended: '[]',
    noted_in: 0,
  }
}

/** Statements that were compared with all others: their ids, and for each end the ids of the later and the earlier one. */
export interface ComparedInstructions {
  /** Each with the time of the edit that was compared; null for none. */
  readonly compared: readonly { readonly id: string; readonly editedAt: number | null }[]
  readonly ends: readonly { readonly later: string; readonly earlier: string }[]
}

/** Notes which statements end which. Leaves out those that were edited meanwhile: they wait for another comparison. */
export function* noteEnds(partition: number, { compared, ends }: ComparedInstructions): Program<void> {
  const edits = new Map(compared.map(({ id, editedAt }) => [id, editedAt]))
  const rows = yield* instructionsOf(partition)
  const isFresh = (row: InstructionTable): boolean => edits.get(uuidText(row.uuid)) === row.edited_at
  const fresh = new Set(rows.filter(isFresh).map(({ uuid }) => uuidText(uuid)))
  const noted = rows.flatMap((row) => {
    const id = uuidText(row.uuid)
    const before: readonly string[] = JSON.parse(row.ended)
    const found = ends.filter(({ later, earlier }) => later === id && (fresh.has(later) || fresh.has(earlier)))
    const kept = fresh.has(id) ? [] : before.filter((earlier) => !fresh.has(earlier))
    const ended = JSON.stringify([...new Set([...kept, ...found.map(({ earlier }) => earlier)])])
    return fresh.has(id) || (ended !== row.ended && row.compared === 1) ? [{ partition, uuid: row.uuid, ended }] : []
  })
  yield* runEach(setEnded, noted)
}
