import { lineageOf as lineageOfBlock } from '../blocks/block.ts'
import { membersOf, ownedLines, shownLine } from '../bank/owned-lines.ts'
import { granularityOf, periodOfPath } from '../bank/path.ts'
import { embeddingOf } from '../index/embedding-state.ts'
import type { Segments } from '../index/segments.ts'
import type { Span } from '../lineage/span.ts'
import { partitionId, type PartitionId } from '../scope/partition.ts'
import { pagePassages } from '../pages/passages.ts'
import { lineageOfPage } from '../pages/lineage.ts'
import { blockById } from '../storage/derived/blocks.ts'
import { itemKinds, itemsAt, leavesUnder, type NamedItem, ordinalsOf, homeOfItem } from '../storage/derived/items.ts'
import { spansOf } from '../storage/derived/item-lineage.ts'
import { kindOfItem, writtenKinds } from '../storage/kinds.ts'
import { pageById, pageKinds, type StoredPage } from '../storage/pages/pages.ts'
import { findDerived, findPartition, type PartitionRow } from '../storage/partitions.ts'
import { messagesBetween } from '../storage/log/messages.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { AskedVector } from './asked-vector.ts'
import { type AskedCalendar, askedCalendar } from './calendar.ts'
import { withToldStates } from './derived-states.ts'
import {
  type BlockHit,
  type DerivedHit,
  type Hit,
  type HitKind,
  type MessageHit,
  ownKinds,
  type PageHit,
  sharedKinds,
  type Signal,
} from './hit.ts'
import { messageHit } from './message-hit.ts'
import { type Ranked, rank } from './rank.ts'
import type { RecallRequest } from './request.ts'
import { sessionFilter } from './session-filter.ts'

/** The most derived texts that are ranked. They are few beside the messages. */
const mostRanked = 500

/** The most passages that are ranked. A document has several. */
const mostPassagesRanked = 1_000

/** The most spans in the lineage of a digest. */
const mostSpans = 100

/**
 * Finds gists, bank entries, blocks and pages of a partition, and those of its project, best first. A search by
 * metadata finds none of them: only messages have metadata.
 */
export function* findDerivedHits(
  segments: Segments,
  partition: PartitionId,
  request: RecallRequest,
  asked: AskedVector | undefined,
): Program<readonly Hit[]> {
  if (request.metadata !== undefined) return []
  const found: Hit[] = []
  const calendar = yield* askedCalendar(partition, request.now)
  const own = partition.owner.kind === 'shared' ? undefined : yield* findDerived(partition)
  const kinds = request.kinds
  if (own !== undefined) {
    const source = yield* findPartition(partition)
    const hits = yield* ranked(segments, { owner: own, source, isShared: false, calendar }, kinds, request, asked)
    found.push(...(source === undefined ? hits : yield* withToldStates(partition, source.id, hits, request.now)))
  }
  // The project's own bank is the only way to another user's messages, and only to those of shared sessions.
  const wanted = kinds.filter((kind) => (partition.owner.kind === 'shared' ? !ownKinds.has(kind) : sharedKinds.has(kind)))
  if (wanted.length === 0) return found
  const shared = yield* findDerived(partitionId(partition.project, { kind: 'shared' }))
  if (shared !== undefined)
    found.push(...(yield* ranked(segments, { owner: shared, source: undefined, isShared: true, calendar }, wanted, request, asked)))
  return found
}

interface Source {
  readonly owner: PartitionRow
  /** The partition whose sessions a filter names. */
  readonly source: PartitionRow | undefined
  readonly isShared: boolean
  readonly calendar: AskedCalendar
}

function* ranked(
  segments: Segments,
  { owner, source, isShared, calendar }: Source,
  kinds: readonly HitKind[],
  request: RecallRequest,
  asked: AskedVector | undefined,
): Program<readonly Hit[]> {
  if (owner.messages === 0) return []
  const session = source === undefined && request.session !== undefined ? null : yield* sessionFilter(source?.id ?? 0, request.session)
  if (session === null) return []
  const excludeSession = (yield* sessionFilter(source?.id ?? 0, request.excludeSession)) ?? undefined
  const embedding = asked === undefined ? undefined : yield* embeddingOf(owner.id, asked.maker)
  // Blocks are few, and may stand among all messages that a project shares.
  const most = kinds.includes('block') ? Number.POSITIVE_INFINITY : kinds.includes('document') ? mostPassagesRanked : mostRanked
  const options = {
    ...request,
    calendar,
    session,
    excludeSession,
    // What is derived of a session is left out with it, whatever its time.
    excludeSince: undefined,
    most,
    isApart: !isShared,
    isByEither: kinds.every((kind) => kind === 'document'),
  }
  const ranking = yield* segments.look(owner, embedding, (index) => rank(index, { text: request.query, vector: asked?.vector }, options))
  const blocks = kinds.includes('block') ? new Set(yield* ordinalsOf(owner.id, itemKinds.block)) : undefined
  const best = blocks === undefined ? ranking.best(Math.min(most, mostPassagesRanked)) : chosen(ranking.best(ranking.matched), blocks)
  const items = new Map(
    (yield* itemsAt(
      owner.id,
      best.map(({ ord }) => ord),
      source?.id,
    )).map((item) => [item.ord, item]),
  )
  const hits: Hit[] = []
  const pages = new Set<number>()
  const places = new Map(best.map(({ ord }, place) => [ord, place]))
  for (const { ord, at, score } of best) {
    const item = items.get(ord)
    if (hits.length >= request.limit) break
    if (item === undefined || !kinds.includes(kindOf(item)) || pages.has(item.page_id)) continue
    if (item.kind === itemKinds.message) hits.push(...(yield* sharedMessage(item, score, ranking.signals(at))))
    else if (item.kind === itemKinds.block) hits.push(...(yield* blockHit(item, score, ranking.signals(at), isShared)))
    else if (item.page_id > 0) {
      // A page is one hit, by its best passage. Its description is not part of its text.
      pages.add(item.page_id)
      const passage = [...items.values()]
        .filter((one) => one.page_id === item.page_id)
        .toSorted((a, b) => (places.get(a.ord) ?? 0) - (places.get(b.ord) ?? 0))
      hits.push(...(yield* pageHit(item, passage, { score, signals: ranking.signals(at), isShared })))
    } else {
      const hit = derivedHit(item, score, ranking.signals(at), { isShared, lineage: yield* itemLineage(item, isShared) })
      hits.push(isShared ? { ...hit, ...(yield* sharedWords(item)) } : hit)
    }
  }
  return hits
}

/** Gives the best of all kinds, and all blocks. */
function chosen(ranked: readonly Ranked[], blocks: ReadonlySet<number>): readonly Ranked[] {
  return ranked.filter(({ ord }, place) => place < mostRanked || blocks.has(ord))
}

function kindOf({ kind }: NamedItem): HitKind {
  return kindOfItem(kind) ?? 'message'
}

/** Gives the block that an item stands for; none when it is gone. */
function* blockHit(item: NamedItem, score: number, signals: readonly Signal[], isShared: boolean): Program<readonly BlockHit[]> {
  const block = yield* blockById(homeOfItem(item), item.uuid)
  if (block === undefined) return []
  return [
    {
      kind: 'block',
      id: uuidText(block.uuid),
      name: block.name,
      ...(block.session === null ? {} : { session: block.session }),
      at: block.updated_at,
      firstAt: block.created_at,
      text: block.content,
      score,
      signals,
      lineage: lineageOfBlock(block),
      writer: block.writer,
      provisional: false,
      ...(isShared ? { shared: true } : {}),
      neighbours: [],
    },
  ]
}

/**
 * Gives the page of some passages, the best first; none when it is gone. When only its description was found, the hit
 * shows its first passage.
 */
function* pageHit(
  item: NamedItem,
  passages: readonly NamedItem[],
  { score, signals, isShared }: { score: number; signals: readonly Signal[]; isShared: boolean },
): Program<readonly PageHit[]> {
  const page = yield* pageById({ id: item.page_id, partition_id: homeOfItem(item) })
  if (page === undefined) return []
  const text =
    passages.find(({ content }) => content !== page.description)?.content ?? pagePassages(page.content)[0]?.text ?? page.description
  return [yield* foundPage(page, item.name, text, { score, signals, isShared })]
}

/** Makes a hit of a page. `name` is the title of its session. */
export function* foundPage(
  page: StoredPage,
  name: string | null,
  text: string,
  { score, signals, isShared }: { readonly score: number; readonly signals: readonly Signal[]; readonly isShared: boolean },
): Program<PageHit> {
  const found = {
    id: uuidText(page.uuid),
    description: page.description,
    ...(page.session === null ? {} : { session: page.session }),
    at: page.updated_at,
    firstAt: page.created_at,
    text,
    score,
    signals,
    lineage: isShared ? [] : yield* lineageOfPage(page),
    revision: page.revision,
    writer: page.writer,
    provisional: false as const,
    ...(isShared ? { shared: true as const } : {}),
    neighbours: [],
  }
  return page.kind === pageKinds.notes
    ? { ...found, kind: 'notes', name: name ?? page.session ?? '' }
    : { ...found, kind: 'document', name: page.name }
}

/** Gives an entry's text with its members before each line, and the members. */
function* sharedWords(item: NamedItem) {
  const lines = yield* ownedLines(item)
  return { text: lines.map(shownLine).join('\n'), members: yield* membersOf(item) }
}

/** Gives the message that a reference stands for; none when it is gone. The name of its session stays private to its member. */
function* sharedMessage(item: NamedItem, score: number, signals: readonly Signal[]): Program<readonly MessageHit[]> {
  const messages = yield* messagesBetween(
    { id: item.session_id, partition_id: homeOfItem(item), external_id: '' },
    item.hand_seq,
    item.hand_seq,
  )
  const members = yield* membersOf(item)
  return messages.map((message) => ({ ...messageHit(message, score, signals, []), lineage: [], members }))
}

/**
 * Gives the messages that an item was made from. A digest's are those of the conversations of its period. On a shared
 * bank lineage stays private to the members.
 */
export function* itemLineage(item: NamedItem, isShared: boolean): Program<readonly Span[]> {
  if (isShared) return []
  if (item.rung === 0) return spansIn(item)
  return (yield* leavesUnder(item.partition_id, item.period, mostSpans)).flatMap(spansIn).slice(0, mostSpans)
}

function spansIn(item: NamedItem): Span[] {
  const session = item.session ?? ''
  return spansOf(item).map(([from, to]) => ({ session, from, to }))
}

/** Makes a hit of a gist or an entry. */
export function derivedHit(
  item: NamedItem,
  score: number,
  signals: readonly Signal[],
  { isShared, lineage }: { isShared: boolean; lineage: readonly Span[] },
): DerivedHit {
  const found = kindOf(item)
  const kind = writtenKinds.find((known) => known === found) ?? 'bank'
  const isBank = kind === 'bank'
  return {
    kind,
    id: uuidText(item.uuid),
    ...(item.session === null || isShared ? {} : { session: item.session }),
    ...(item.name === null || isShared ? {} : { name: item.name }),
    at: item.said_at,
    firstAt: item.first_at,
    text: item.content.replaceAll('\n', isBank ? '\n' : ' '),
    score,
    signals,
    lineage,
    writer: item.writer,
    provisional: item.provisional === 1,
    neighbours: [],
    ...(isBank ? { granularity: granularityOf(item.rung), period: periodOfPath(item.period), ...(isShared ? { shared: true } : {}) } : {}),
  }
}
