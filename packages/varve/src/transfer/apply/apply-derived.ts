import { isPathOf } from '../../bank/path-of-day.ts'
import { itemTerms } from '../../index/item-terms.ts'
import { analysedText } from '../../pages/findable.ts'
import { inOneGo } from '../../pages/turns.ts'
import { blockById } from '../../storage/derived/blocks.ts'
import { raiseEpoch } from '../../storage/derived/reading.ts'
import { eraseItem } from '../../storage/derived/item-erasure.ts'
import { notedStandsFor } from '../../storage/derived/item-lineage.ts'
import { entriesIn, itemKinds } from '../../storage/derived/items.ts'
import { bitOf } from '../../storage/layers.ts'
import { hasForgotten } from '../../storage/log/forgotten-ids.ts'
import { ensureSessionRow, findSessionRow } from '../../storage/log/sessions.ts'
import { ensurePartition } from '../../storage/partitions.ts'
import { type Program, runList } from '../../storage/program.ts'
import type { ItemTable, SessionTable } from '../../storage/schema.ts'
import { termsChange } from '../../storage/segment/terms.ts'
import { itemAtPlace, itemWithId, countStanding, partsBeginning, rowChanges, termsOfMessageAt } from '../../storage/transfer/write-rows.ts'
import { importTrust, notedAt, placeKinds } from '../../storage/transfer/imports.ts'
import { type PartitionId, partitionId } from '../../scope/partition.ts'
import { countIn } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'
import { type Applying, idBytes } from './applying.ts'
import { importedPage } from './apply-pages.ts'
import type { IndexData } from './prepared.ts'

/** Stores a writer's text about some messages, if all of them came with this import. */
export function* applyPart(applying: Applying, record: RecordOf<'part'>): Program<void> {
  const { counts, own } = applying
  const session = yield* applying.session(record.session)
  if (session?.isFresh !== true) return countIn(counts, 'duplicates', 'part')
  if (yield* applying.lacks(session, record.from, record.to)) return countIn(counts, 'leftOut', 'part')
  yield* runList([
    rowChanges.part({
      partition_id: own.id,
      session_id: session.row.id,
      layer: bitOf(record.layer),
      from_seq: record.from,
      to_seq: record.to,
      messages: record.messages,
      sitting: record.sitting,
      first_at: record.firstAt,
      last_at: record.lastAt,
      content: record.content ?? null,
      sources: JSON.stringify(record.sources),
      writer: record.writer,
      provisional: Number(record.provisional),
      written_at: record.at,
    }),
  ])
  countIn(counts, 'stored', 'part')
}

/** Tells whether the bank has a place for an entry. Only the bank has other rungs than the lowest. */
function isPlaced({ type, rung, period }: RecordOf<'item'>): boolean {
  return type === 'bank' ? isPathOf(period, rung) : rung === 0
}

/** The fields of an item that name other rows, by their numbers here. */
type Refers = Pick<ItemTable, 'home_id' | 'session_id' | 'spans' | 'made_of' | 'sources' | 'page_id'>

/** Stores a gist, an entry of the bank, or a passage. */
export function* applyItem(applying: Applying, record: RecordOf<'item'>, indexed: IndexData): Program<void> {
  const { counts } = applying
  if (!isPlaced(record)) return countIn(counts, 'leftOut', 'item')
  const derived = yield* applying.derived()
  const same = yield* itemWithId(derived.id, idBytes(record.id))
  const instead = applying.isOthers(same, derived.id) ? applying.idInstead(record.id) : undefined
  const there = instead === undefined ? same : yield* itemWithId(derived.id, idBytes(instead))
  if (there !== undefined && !(yield* isOlder(applying, there, record))) {
    const isSame = there.content === record.content && there.hand === (record.hand ?? null)
    return countIn(counts, isSame ? 'duplicates' : 'kept', 'item')
  }
  if (there !== undefined) {
    derived.epoch += 1
    yield* eraseItem(derived, there.ord)
  }
  const id = instead ?? record.id
  const found = yield* refers(applying, { ...record, id }, derived.id)
  if (found === undefined) return countIn(counts, 'leftOut', 'item')
  if (found === 'taken') return countIn(counts, 'kept', 'item')
  const { covered, body, ...references } = found
  derived.seq += 1
  derived.messages += 1
  const terms = body ?? { terms: indexed.terms, traits: indexed.traits, tokens: indexed.tokens }
  derived.term_bytes += terms.terms.length
  const row = rowOf(record, id, references, terms.tokens, { partition: derived.id, ord: derived.seq })
  yield* runList([
    rowChanges.item(row),
    termsChange({
      partition_id: row.partition_id,
      ord: row.ord,
      session_id: row.session_id === 0 ? -row.ord : row.session_id,
      seq: row.ord,
      said_at: row.said_at,
      body: terms.terms,
      traits: terms.traits,
    }),
    ...(covered.length === 0 ? [] : [rowChanges.cover(derived.id, row.ord, covered)]),
  ])
  if (record.type === 'bank') applying.note({ kind: placeKinds.item, theirs: row.ord, ours: 1 })
  countIn(counts, 'stored', 'item')
}

/** Tells whether what is here is an older version of the same import, of the same session: the section was written twice. */
function* isOlder(applying: Applying, there: ItemTable, record: RecordOf<'item'>): Program<boolean> {
  const session = record.session === undefined ? undefined : yield* applying.session(record.session)
  return session?.isFresh === true && there.session_id === session.row.id && there.recorded_at < record.recordedAt
}

function rowOf(
  record: RecordOf<'item'>,
  id: string,
  references: Refers,
  tokens: number,
  { partition, ord }: { readonly partition: number; readonly ord: number },
): ItemTable {
  return {
    partition_id: partition,
    ord,
    uuid: idBytes(id),
    kind: itemKinds[record.type],
    rung: record.rung,
    period: record.period,
    ...references,
    content: record.content,
    covered_by: 0,
    hand: record.hand ?? null,
    hand_seq: record.handSeq,
    pinned: Number(record.pinned),
    messages: record.messages,
    conversations: record.conversations,
    first_at: record.firstAt,
    said_at: record.lastAt,
    recorded_at: record.recordedAt,
    tokens,
    writer: record.writer,
    provisional: Number(record.provisional),
  }
}

interface FoundRefers extends Refers {
  /** Ordinals of the children that the digest covers. */
  readonly covered: readonly number[]
  /** The index data, where it is not made of the item's own text alone. */
  readonly body?: IndexData | undefined
}

/** Finds what an item refers to; undefined when some of it is not here, `taken` when something else stands in its place. */
function* refers(applying: Applying, record: RecordOf<'item'>, derived: number): Program<FoundRefers | 'taken' | undefined> {
  if (record.type === 'block') return yield* ofBlock(applying, record)
  if (record.page !== undefined) return yield* ofPage(applying, record.page, record)
  if (record.rung > 0) return yield* ofDigest(applying, record, derived)
  return applying.isShared ? yield* ofMember(applying, record, derived) : yield* ofSession(applying, record, derived)
}

const none = { session_id: 0, spans: '[]', made_of: '[]', sources: '[[]]', page_id: 0, covered: [] } as const

function* ofBlock(applying: Applying, record: RecordOf<'item'>): Program<FoundRefers | undefined> {
  const block = yield* blockById(applying.own.id, idBytes(record.id))
  if (block?.partition_id !== applying.own.id || block.content !== record.content) return undefined
  return {
    ...none,
    home_id: block.partition_id,
    session_id: block.session_id,
    body: itemTerms(`${block.name}\n${block.content}`, record.language),
  }
}

/** Finds the page of a passage. A text that is not on it is no passage of it. */
function* ofPage(applying: Applying, id: string, record: RecordOf<'item'>): Program<FoundRefers | undefined> {
  const page = yield* importedPage(applying, id)
  const searched = page === undefined ? undefined : applying.textsOfPage(page).get(record.content)
  if (page === undefined || searched === undefined) return undefined
  return {
    ...none,
    home_id: page.partition_id,
    page_id: page.id,
    session_id: page.session_id,
    body: inOneGo(analysedText(searched, record.language)),
  }
}

function* ofSession(applying: Applying, record: RecordOf<'item'>, derived: number): Program<FoundRefers | 'taken' | undefined> {
  const session = record.session === undefined ? undefined : yield* applying.session(record.session)
  if (session === undefined) return undefined
  if (!session.isFresh) return 'taken'
  for (const [from, to] of record.spans) if (yield* applying.lacks(session, from, to)) return undefined
  return yield* ofTalk(record, session.row, derived, record.type === 'gist' ? bitOf('gists') : bitOf('bank'))
}

function* ofTalk(
  record: RecordOf<'item'>,
  { id: session, partition_id: home }: SessionTable,
  derived: number,
  layer: number,
): Program<FoundRefers | 'taken'> {
  if ((yield* itemAtPlace(session, derived, itemKinds[record.type], record.period)) !== undefined && record.type !== 'message')
    return 'taken'
  return {
    home_id: home,
    session_id: session,
    spans: JSON.stringify(record.spans),
    made_of: JSON.stringify(yield* partsBeginning(home, session, layer, record.parts ?? [])),
    sources: JSON.stringify(record.sources),
    page_id: 0,
    covered: [],
  }
}

/**
 * Finds the session of a member on which an entry of a shared bank rests. Whose words an entry rests on is the word of
 * the store that made it: from a stranger nobody takes it.
 */
function* ofMember(applying: Applying, record: RecordOf<'item'>, derived: number): Program<FoundRefers | 'taken' | undefined> {
  const { session: name, member } = record
  if (!applying.isVouchedFor || name === undefined || member === undefined) return undefined
  const { id } = yield* ensurePartition(partitionOf(applying, member), applying.now)
  if (record.type === 'message') {
    const session = yield* findSessionRow(id, name)
    const body = session === undefined ? undefined : yield* termsOfMessageAt(id, session.id, record.handSeq)
    if (session === undefined || body === undefined) return undefined
    const found = yield* ofTalk(record, session, derived, bitOf('shared'))
    return found === 'taken'
      ? found
      : { ...found, sources: '[]', made_of: '[]', body: { terms: body.body, traits: body.traits, tokens: body.tokens } }
  }
  const there = yield* findSessionRow(id, name)
  if (yield* mayBeForgotten(applying, record, member, there)) {
    if (there !== undefined) yield* raiseEpoch(id, there.id)
    return undefined
  }
  const session = there ?? (yield* ensureSessionRow(id, name, applying.now))
  return yield* ofTalk(record, session, derived, bitOf('shared'))
}

/**
 * Tells whether an entry may hold words that its member has forgotten or replaced since: it names no messages by their
 * ids. Upkeep makes the entry of what the talk says now. The talk of this store's own lines was here once.
 */
function* mayBeForgotten(
  applying: Applying,
  { spans }: RecordOf<'item'>,
  member: string,
  session: SessionTable | undefined,
): Program<boolean> {
  if (yield* hasForgotten(partitionOf(applying, member))) return true
  if (session === undefined || session.seq === 0) return applying.import.trust === importTrust.own
  if (session.epoch > 0) return true
  for (const [from, to] of spans) if ((yield* countStanding(session.partition_id, session.id, from, to)) < to - from + 1) return true
  return false
}

function partitionOf({ partition }: Applying, member: string): PartitionId {
  return partitionId(partition.project, member === '' ? { kind: 'anonymous' } : { kind: 'user', name: member })
}

/** Finds the children of a digest. A digest of which one is not here may tell of what was left out. */
function* ofDigest(applying: Applying, record: RecordOf<'item'>, derived: number): Program<FoundRefers | 'taken' | undefined> {
  if (applying.isShared && !applying.isVouchedFor) return undefined
  if ((yield* entriesIn(derived, record.rung, record.period)).length > 0) return 'taken'
  const children: { ord: number; id: string; isCovered: boolean; messages: number | undefined }[] = []
  for (const child of record.children ?? []) {
    const standing = child.stands ? yield* childOf(applying, child.id, derived) : undefined
    if (child.stands && standing === undefined) return undefined
    children.push({ ord: standing?.ord ?? 0, id: standing?.id ?? child.id, isCovered: child.covered, messages: child.messages })
  }
  if (!applying.isVouchedFor && (yield* hasOthers(applying, children))) return 'taken'
  const stands = children.flatMap(({ ord, messages }): [number, number][] => (messages === undefined ? [] : [[ord, messages]]))
  return {
    session_id: 0,
    spans: JSON.stringify(record.corrected === true ? notedStandsFor(stands) : []),
    made_of: JSON.stringify(children.map(({ ord, id }) => [ord, id])),
    sources: JSON.stringify(record.sources.map((from) => from.flatMap((place) => children[place]?.ord ?? []))),
    page_id: 0,
    covered: children.flatMap(({ ord, isCovered }) => (isCovered && ord > 0 ? [ord] : [])),
  }
}

/** Tells whether a child was here before the import. No stranger's digest may cover it: upkeep makes one of what stands. */
function* hasOthers(applying: Applying, children: readonly { readonly ord: number }[]): Program<boolean> {
  yield* applying.settleNotes()
  const standing = children.flatMap(({ ord }) => (ord > 0 ? [ord] : []))
  const stored = yield* notedAt(applying.import, placeKinds.item, standing)
  return standing.some((ord) => !stored.has(ord))
}

function* childOf(applying: Applying, id: string, derived: number): Program<{ readonly ord: number; readonly id: string } | undefined> {
  for (const one of [id, applying.idInstead(id)]) {
    const item = yield* itemWithId(derived, idBytes(one))
    if (item?.partition_id === derived) return { ord: item.ord, id: one }
  }
  return undefined
}
