import { itemOf } from '../../storage/derived/distilled.ts'
import { blockOf } from '../../blocks/block.ts'
import { sectionsToTell } from '../../notes/told.ts'
import { pagePassages } from '../../pages/passages.ts'
import { derivedHit, foundPage, itemLineage } from '../../recall/derived-hits.ts'
import { withToldStates } from '../../recall/derived-states.ts'
import type { DerivedHit, PageHit } from '../../recall/hit.ts'
import { partitionId } from '../../scope/partition.ts'
import { blockById, textOfRevision } from '../../storage/derived/blocks.ts'
import { itemsAt } from '../../storage/derived/items.ts'
import type { ShownItem } from '../../storage/log/past-contexts.ts'
import { findPage, type StoredPage } from '../../storage/pages/pages.ts'
import { pageRevisionAt } from '../../storage/pages/page-revisions.ts'
import { findDerived, findPartition } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { uuidBytes } from '../../storage/uuid-bytes.ts'
import { blockCandidate } from '../blocks.ts'
import { gistCandidate } from '../gists.ts'
import { documentCandidate, notesCandidate } from '../pages.ts'
import { type Form, type PastInput, type Remade, remade } from './remade.ts'

/** Tells whose a row is: the context's own user's, or the project's. Undefined for anybody else's. */
function* whose({ partition, owner }: PastInput, of: number): Program<'own' | 'shared' | undefined> {
  if (of === owner.id) return 'own'
  const shared = yield* findPartition(partitionId(partition.project, { kind: 'shared' }))
  return shared !== undefined && of === shared.id ? 'shared' : undefined
}

/** Returns the project's own partition; 0 where it has none. */
function* sharedOf({ partition }: PastInput): Program<number> {
  return (yield* findPartition(partitionId(partition.project, { kind: 'shared' })))?.id ?? 0
}

/** Makes blocks again, in the revision that was shown. */
export function* remadeBlock(input: PastInput, item: ShownItem): Program<Remade> {
  const uuid = uuidBytes(item.id ?? '')
  const row =
    uuid === undefined ? undefined : ((yield* blockById(input.owner.id, uuid)) ?? (yield* blockById(yield* sharedOf(input), uuid)))
  const owner = row === undefined ? undefined : yield* whose(input, row.partition_id)
  if (row === undefined || owner === undefined) return remade(input, item, undefined)
  const block = blockOf(row, owner === 'shared')
  const text = item.revision === undefined ? undefined : yield* textOfRevision(row.partition_id, row.id, item.revision)
  const present = blockCandidate(block, 0)
  const forms = [...(text === undefined ? [] : [blockCandidate({ ...block, text }, 0)]), present]
  return remade(input, item, { forms, present, recordedAt: block.createdAt })
}

/** Makes a gist again. A gist that was written anew has no text of before. */
export function* remadeGist(input: PastInput, item: ShownItem): Program<Remade> {
  const own = yield* findDerived(input.partition)
  const found = own === undefined ? undefined : yield* itemOf(own.id, item.id ?? '')
  const [named] = found === undefined || own === undefined ? [] : yield* itemsAt(own.id, [found.ord])
  if (named === undefined) return remade(input, item, undefined)
  const hit = derivedHit(named, 0, [], { isShared: false, lineage: yield* itemLineage(named, false) })
  const forms = (yield* markedThenAndNow(input, [hit])).map((marked: DerivedHit) => gistCandidate(marked))
  return remade(input, item, { forms, recordedAt: named.recorded_at })
}

/** Makes a passage of a document again, in the revision that was shown. */
export function* remadeDocument(input: PastInput, item: ShownItem): Program<Remade> {
  const found = yield* pageOfItem(input, item)
  if (found === undefined) return remade(input, item, undefined)
  const { page, content, at, isShared } = found
  const hits: PageHit[] = []
  for (const text of content === undefined ? [page.content] : [page.description, ...pagePassages(content).map((one) => one.text)])
    hits.push({ ...(yield* foundPage(page, null, text, { score: 0, signals: [], isShared })), at })
  const forms = (isShared ? hits : yield* markedThenAndNow(input, hits)).map((hit) => documentCandidate(hit, 0))
  const text = pagePassages(page.content)[0]?.text ?? page.description
  const present = documentCandidate(yield* foundPage(page, null, text, { score: 0, signals: [], isShared }), 0)
  return remade(input, item, { forms, present, recordedAt: page.created_at })
}

/** Makes a section of notes again, in the revision that was shown. */
export function* remadeNotes(input: PastInput, item: ShownItem): Program<Remade> {
  const found = yield* pageOfItem(input, item)
  if (found === undefined) return remade(input, item, undefined)
  const { page, content } = found
  const formsOf = (text: string): Form[] =>
    sectionsToTell(text).map((section) => notesCandidate({ id: item.id ?? '', revision: 0 }, section, section.place))
  const present = formsOf(page.content)[0]
  return remade(input, item, { forms: content === undefined ? [] : formsOf(content), present, recordedAt: page.created_at })
}

interface FoundPageOfItem {
  readonly page: StoredPage
  /** The shown revision; undefined when its words are not kept any more. */
  readonly content: string | undefined
  readonly at: number
  readonly isShared: boolean
}

function* pageOfItem(input: PastInput, { id = '', revision = 0 }: ShownItem): Program<FoundPageOfItem | undefined> {
  const page = (yield* findPage(input.owner.id, id)) ?? (yield* findPage(yield* sharedOf(input), id))
  const owner = page === undefined ? undefined : yield* whose(input, page.partition_id)
  if (page === undefined || owner === undefined) return undefined
  const isShared = owner === 'shared'
  if (page.revision === revision) return { page, content: page.content, at: page.updated_at, isShared }
  const before = yield* pageRevisionAt(page, revision)
  return { page, content: before?.content ?? undefined, at: before?.written_at ?? page.updated_at, isShared }
}

/** Gives hits with the notes on ended states as they were known then, as they are known of then now, with none, and as they are now. */
function* markedThenAndNow<Marked extends DerivedHit | PageHit>(
  { partition, owner, at, now }: PastInput,
  hits: readonly Marked[],
): Program<readonly Marked[]> {
  const of = (time: number, asOf?: number) => withToldStates(partition, owner.id, hits, time, asOf)
  return [...(yield* of(at, at)), ...(yield* of(at)), ...hits, ...(yield* of(now))]
}
