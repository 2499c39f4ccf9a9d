import { NotFound } from '../errors/not-found.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { itemKinds, itemsAt, itemsOfSession, type NamedItem, newestItems } from '../storage/derived/items.ts'
import { spansOf } from '../storage/derived/item-lineage.ts'
import { deedsOfSession, keptTexts } from '../storage/deeds/deeds.ts'
import { itemsAmong } from '../storage/deeds/kept-items.ts'
import { cursorTo, type Listed, type ListRequest, placeOf, timedPage, timedPlace } from '../storage/listed.ts'
import { findDerived, findPartition } from '../storage/partitions.ts'
import { sentencesOf } from '../storage/derived/parts.ts'
import type { Program } from '../storage/program.ts'
import { countUnread } from '../storage/derived/reading.ts'
import { findSessionRow } from '../storage/log/sessions.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { stateVersion, versionOfNothing } from '../storage/versions.ts'
import type { Gist, GistRevision } from './gist.ts'

/** Reads a session's gist; undefined while there is none. NotFound for a session that is not there. */
export function* readGist(partition: PartitionId, session: SessionName): Program<Gist | undefined> {
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw new NotFound({ kind: 'session', id: session })
  const item = (yield* itemsOfSession(row.partition_id, row.id)).find(({ kind }) => kind === itemKinds.gist)
  return item === undefined ? undefined : gistOf({ ...item, session, name: row.name, member: null })
}

/** Gives the version of a session's gist. NotFound for a session that is not there. */
export function* gistVersion(partition: PartitionId, session: SessionName): Program<string> {
  return (yield* readGist(partition, session))?.version ?? versionOfNothing
}

/** Lists gists, the newest talk first. */
export function* listGists(partition: PartitionId, request: ListRequest): Program<Listed<Gist>> {
  const [after, { limit }] = [timedPlace('gist', request), request]
  const derived = yield* findDerived(partition)
  if (derived === undefined) return { items: [] }
  const places = yield* newestItems(derived.id, itemKinds.gist, after, limit + 1)
  return yield* timedPage(
    'gist',
    places,
    limit,
    (ords) => itemsAt(derived.id, ords),
    (item) => item.ord,
    gistOf,
  )
}

/** Lists the texts that a session's gist had, the standing one first. NotFound for a session that is not there. */
export function* gistRevisions(partition: PartitionId, session: SessionName, request: ListRequest): Program<Listed<GistRevision>> {
  const [last] = placeOf('gist-revision', request, /(\d{1,15})/) ?? []
  const owner = yield* findPartition(partition)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw new NotFound({ kind: 'session', id: session })
  const item = (yield* itemsOfSession(row.partition_id, row.id)).find(({ kind }) => kind === itemKinds.gist)
  const derived = yield* findDerived(partition)
  const deeds = derived === undefined ? [] : yield* deedsOfSession(derived.id, row.id)
  const found: GistRevision[] =
    item === undefined ? [] : [revisionOf((deeds[0]?.place ?? 0) + 1, sentencesOf(item), item.writer, item.recorded_at)]
  for (const deed of deeds) {
    for (const { item: kept, recordedAt } of itemsAmong(yield* keptTexts(deed)))
      found.push({ ...revisionOf(deed.place, kept.sentences, kept.writer, recordedAt), replacedAt: deed.done_at, replacedBy: deed.writer })
  }
  const left = found.filter(({ revision }) => last === undefined || revision < Number(last))
  const items = left.slice(0, request.limit)
  const end = items.at(-1)
  return { items, ...(items.length < left.length && end !== undefined ? { cursor: cursorTo('gist-revision', end.revision) } : {}) }
}

function revisionOf(revision: number, sentences: readonly { readonly text: string }[], writer: string, at: number): GistRevision {
  return { revision, text: sentences.map(({ text }) => text).join(' '), writer, at }
}

/** Counts the messages that wait to be read: of a session, or of all. NotFound for a session that is not there. */
export function* pendingMessages(partition: PartitionId, session: SessionName | undefined): Program<number> {
  const owner = yield* findPartition(partition)
  if (session === undefined) return owner === undefined ? 0 : yield* countUnread(owner.id, undefined)
  const row = owner === undefined ? undefined : yield* findSessionRow(owner.id, session)
  if (row === undefined) throw new NotFound({ kind: 'session', id: session })
  return yield* countUnread(row.partition_id, row.id)
}

export function gistOf(item: NamedItem): Gist {
  const session = item.session ?? ''
  const sentences = sentencesOf(item)
  return {
    id: uuidText(item.uuid),
    session,
    ...(item.name === null ? {} : { name: item.name }),
    text: sentences.map(({ text }) => text).join(' '),
    sentences,
    at: item.said_at,
    firstAt: item.first_at,
    writtenAt: item.recorded_at,
    messages: item.messages,
    writer: item.writer,
    provisional: item.provisional === 1,
    lineage: spansOf(item).map(([from, to]) => ({ session, from, to })),
    // A change gives an item a new ordinal.
    version: stateVersion([item.ord]),
  }
}
