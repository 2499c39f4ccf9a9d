import { readersOf } from '../storage/erase/page-contexts.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { type NewReceipt, newReceipt } from '../storage/erase/erases.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { NotFound } from '../errors/not-found.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { dropContextsOfItems } from '../storage/erase/contexts-ahead.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import {
  blocksIn,
  type BlockScope,
  changeBlock,
  countBlocks,
  eraseBlock,
  findBlock,
  placeBlock,
  type StoredBlock,
  storeBlock,
  storeRevision,
  textOfRevision,
} from '../storage/derived/blocks.ts'
import type { Erasure } from '../storage/erase/erasure.ts'
import type { WritingHere } from '../storage/here.ts'
import { lost } from '../storage/lost.ts'
import { Needles } from '../storage/needles.ts'
import { ensurePartition, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { saveReceipt } from '../storage/erase/receipts.ts'
import { ensureSessionRow, findSessionRow } from '../storage/log/sessions.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { checkStands } from '../storage/versions.ts'
import { type Block, blockChars, blockOf, maxBlocks, revisionsKept } from './block.ts'
import { indexBlock } from './index-block.ts'

/** The address of a block: its name, and its session if it has one. */
export interface BlockAddress {
  readonly name: string
  readonly session: SessionName | undefined
}

/** The address of a block, and the revision that a change was made on; undefined for any. */
export interface EditedBlock extends BlockAddress {
  readonly expected?: number | undefined
}

/** The writer of a text. A tool writes during a session. */
export interface BlockWriter {
  readonly writer: string
  readonly during: SessionName | undefined
}

/** Puts a text in a block's place; a new block goes last. A left-out cap stays as it was, and a left-out revision is any. */
export function* setBlock(
  partition: PartitionId,
  { name, session }: BlockAddress,
  { text, maxChars, revision }: { text: string; maxChars: number | undefined; revision?: number | undefined },
  by: BlockWriter,
  now: number,
): Program<Block> {
  const scope = yield* ensureScope(partition, session, now)
  const old = yield* findBlock(scope, name)
  checkStands(name, revision, old?.revision ?? 0)
  return yield* write({ partition, scope, name, by, now }, old, text, maxChars ?? old?.max_chars ?? blockChars.usual)
}

/** Adds to a block's text; makes the block when there is none. */
export function* appendToBlock(
  partition: PartitionId,
  { name, session }: BlockAddress,
  { text, separator }: { text: string; separator: string },
  by: BlockWriter,
  now: number,
): Program<Block> {
  const scope = yield* ensureScope(partition, session, now)
  const old = yield* findBlock(scope, name)
  return yield* write(
    { partition, scope, name, by, now },
    old,
    old === undefined ? text : `${old.content}${separator}${text}`,
    old?.max_chars ?? blockChars.usual,
  )
}

/** Gives a block the text of one of its revisions again. NotFound for a block or a revision that is not there. */
export function* restoreBlock(
  partition: PartitionId,
  { name, session, expected }: EditedBlock,
  revision: number,
  by: BlockWriter,
  now: number,
): Program<Block> {
  const { scope, row } = yield* standing(partition, name, session)
  checkStands(name, expected, row.revision)
  const text = yield* textOfRevision(row.partition_id, row.id, revision)
  if (text === undefined) throw new NotFound({ kind: 'block revision', id: String(revision) })
  return yield* write({ partition, scope, name, by, now }, row, text, row.max_chars)
}

/** Puts the named blocks first, in that order; the others keep theirs. NotFound for a name that is not there. */
export function* reorderBlocks(
  partition: PartitionId,
  names: readonly string[],
  session: SessionName | undefined,
): Program<readonly Block[]> {
  const scope = yield* findScope(partition, session)
  const rows = scope === undefined ? [] : yield* blocksIn(scope, maxBlocks)
  const named = names.map((name, place) => {
    if (names.indexOf(name) !== place)
      throw new InvalidOption({ option: 'names', received: 'one of them twice', expected: 'each of them once' })
    const row = rows.find((one) => one.name === name)
    if (row === undefined) throw new NotFound({ kind: 'block', id: name })
    return row
  })
  const ordered = [...named, ...rows.filter(({ name }) => !names.includes(name))]
  for (const [place, row] of ordered.entries()) yield* placeBlock(row.partition_id, row.id, place + 1)
  return ordered.map((row, place) => blockOf({ ...row, place: place + 1 }, partition.owner.kind === 'shared'))
}

/** Erases a block as deleteBlock() does. Looks through many contexts ahead of the transaction. */
export async function deleteBlockAhead(here: WritingHere, partition: PartitionId, address: EditedBlock): Promise<Erasure> {
  const needles = new Needles()
  const { name, session } = address
  const receipt = newReceipt(here.now, { what: 'block', of: partition, name, session })
  const { where, row } = await here.read(shown(partition, address))
  await dropContextsOfItems(here, where, [row], needles)
  return here.write(() => deleteBlock(partition, address, receipt, here.now, needles))
}

function* shown(partition: PartitionId, { name, session, expected }: EditedBlock) {
  const { scope, row } = yield* standing(partition, name, session)
  checkStands(name, expected, row.revision)
  return { row, where: (yield* readersOf(scope.partition)) ?? { partition: scope.partition } }
}

/** Erases a block with all of its revisions. */
export function* deleteBlock(
  partition: PartitionId,
  { name, session, expected }: EditedBlock,
  receiptId: NewReceipt,
  now: number,
  needles = new Needles(),
): Program<Erasure> {
  const { row } = yield* standing(partition, name, session)
  checkStands(name, expected, row.revision)
  yield* eraseBlock(row, needles)
  return { receipt: yield* saveReceipt(receiptId, { block: 1 }, 'pending', now), needles: needles.all }
}

interface Writing {
  readonly partition: PartitionId
  readonly scope: BlockScope
  readonly name: string
  readonly by: BlockWriter
  readonly now: number
}

function* write({ partition, scope, name, by, now }: Writing, old: StoredBlock | undefined, text: string, most: number): Program<Block> {
  if (text.length > most)
    throw new LimitExceeded({ what: `the block ${JSON.stringify(name)}`, unit: 'characters', count: text.length, most })
  const place = old?.place ?? (yield* countBlocks(scope)) + 1
  if (place > maxBlocks) throw new LimitExceeded({ what: ownerOf(partition, scope), unit: 'blocks', count: place, most: maxBlocks })
  const isNew = old?.content !== text
  const revision = (old?.revision ?? 0) + Number(isNew)
  const stands = { max_chars: most, revision, content: text, updated_at: isNew ? now : (old?.updated_at ?? now) }
  const id =
    old?.id ??
    (yield* storeBlock({
      id: uuidv7(now),
      partition_id: scope.partition,
      session_id: scope.session,
      name,
      place,
      ...stands,
      created_at: now,
    }))
  if (old !== undefined) yield* changeBlock({ id, partition_id: scope.partition, ...stands })
  if (isNew)
    yield* storeRevision(
      scope.partition,
      { block_id: id, revision, content: text, writer: by.writer, written_at: now, ...(yield* spanOf(scope.partition, by)) },
      revisionsKept,
    )
  const row = yield* findBlock(scope, name)
  if (row === undefined) throw lost('block')
  if (isNew) yield* indexBlock({ id: uuidText(row.uuid), name, text, createdAt: row.created_at }, scope, now)
  return blockOf(row, partition.owner.kind === 'shared')
}

function ownerOf({ owner }: PartitionId, { session }: BlockScope): string {
  return session > 0 ? 'the session' : owner.kind === 'shared' ? 'the project' : 'the user'
}

/** Gives the messages of a tool's session so far. */
function* spanOf(partition: number, { during }: BlockWriter): Program<{ session_id: number; from_seq: number; to_seq: number }> {
  const row = during === undefined ? undefined : yield* findSessionRow(partition, during)
  return row === undefined || row.seq === 0
    ? { session_id: 0, from_seq: 0, to_seq: 0 }
    : { session_id: row.id, from_seq: 1, to_seq: row.seq }
}

/** Finds the scope of a block. Makes a session that is not there: an agent writes its working memory before the first message. */
function* ensureScope(partition: PartitionId, session: SessionName | undefined, now: number): Program<BlockScope> {
  const { id } = yield* ensurePartition(partition, now)
  return { partition: id, session: session === undefined ? 0 : (yield* ensureSessionRow(id, session, now)).id }
}

function* findScope(partition: PartitionId, session: SessionName | undefined): Program<BlockScope | undefined> {
  const owner = yield* findPartition(partition)
  if (owner === undefined || session === undefined) return owner === undefined ? undefined : { partition: owner.id, session: 0 }
  const row = yield* findSessionRow(owner.id, session)
  return row === undefined ? undefined : { partition: owner.id, session: row.id }
}

function* standing(
  partition: PartitionId,
  name: string,
  session: SessionName | undefined,
): Program<{ scope: BlockScope; row: StoredBlock }> {
  const scope = yield* findScope(partition, session)
  const row = scope === undefined ? undefined : yield* findBlock(scope, name)
  if (scope === undefined || row === undefined) throw new NotFound({ kind: 'block', id: name })
  return { scope, row }
}
