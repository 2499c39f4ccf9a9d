import { InvalidOption } from '../errors/invalid-option.ts'
import { NotFound } from '../errors/not-found.ts'
import type { PartitionId } from '../scope/partition.ts'
import { deedsAt, deedsBefore, deedsKept, deedsKeptMs, findDeed, keptTexts, mergeAct, noteUndone } from '../storage/deeds/deeds.ts'
import type { DeedTable } from '../storage/deed-tables.ts'
import { rowsOfFact, rowsOfSlots } from '../storage/known/assertion-rows.ts'
import { recordingTime, says, withdrawAssertion } from '../storage/known/assertions.ts'
import { dropName, mergedNames, pointName, self } from '../storage/known/entities.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { cursorTo, fitting, type Listed, type ListRequest, placeOf } from '../storage/listed.ts'
import { lost } from '../storage/lost.ts'
import { findKnown, partitionById, savePartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { Merge } from './fact.ts'

/**
 * Takes back the last correction or retraction by hand of a fact: it is believed again, with its own times and sources.
 * The belief in between is told as of its time, and by no history. Nothing changes when nothing is left to take back.
 */
export function* restoreFact(partition: PartitionId, id: string, now: number): Program<string> {
  const known = yield* findKnown(partition)
  const rows = known === undefined ? [] : yield* rowsOfFact(known.id, id)
  const stated = rows.filter((row) => row.says === says.is)
  if (known === undefined || stated.length === 0) throw new NotFound({ kind: 'fact', id })
  const slot = (yield* rowsOfSlots(known.id, unique(stated, 'subject_key'), unique(stated, 'predicate_key'))).filter(isByHand)
  const about = new Set(stated.map(({ object_key: key }) => key))
  const all = slot.filter((row) => isAbout(row, about))
  if (all.length === 0) throw new InvalidOption({ option: 'id', received: id, expected: 'a fact that a person corrected or took back' })
  const standing = all.filter(({ withdrawn_at: withdrawn }) => withdrawn === null)
  const last = Math.max(...standing.map(({ recorded_at: at }) => at))
  const taken = standing.filter(({ recorded_at: at }) => at === last)
  const [changed] = slot.filter((row) => row.withdrawn_at === null && isLaterOn(row, taken))
  if (changed !== undefined)
    throw new InvalidOption({
      option: 'id',
      received: id,
      expected: `a fact whose correction still stands: restore fact ${uuidText(taken[0]?.fact ?? changed.fact)} first`,
    })
  const owner = yield* partitionById(known.id)
  if (owner === undefined) throw lost('partition')
  const at = yield* recordingTime(owner, now)
  for (const row of taken) yield* withdrawAssertion(row, at)
  if (taken.length > 0) yield* savePartition({ ...owner, epoch: owner.epoch + 1 })
  return id
}

function unique(rows: readonly AssertionTable[], key: 'subject_key' | 'predicate_key'): string[] {
  return [...new Set(rows.map((row) => row[key]))]
}

function isByHand({ session_id: session }: AssertionTable): boolean {
  return session === 0
}

/** Tells whether an edit takes back, ends or corrects a statement of some objects. */
function isAbout(row: AssertionTable, objects: ReadonlySet<string>): boolean {
  return row.says === says.is ? row.instead_key !== null && objects.has(row.instead_key) : objects.has(row.object_key)
}

/** Tells whether an edit was made of the outcome of corrections, after them. */
function isLaterOn(row: AssertionTable, taken: readonly AssertionTable[]): boolean {
  const corrected = taken.filter((one) => one.says === says.is)
  return (
    !taken.includes(row) &&
    row.ord > Math.max(...corrected.map(({ ord }) => ord), Number.NEGATIVE_INFINITY) &&
    isAbout(row, new Set(corrected.map(({ object_key: key }) => key)))
  )
}

/** Lists the merges of names by hand, the newest first. */
export function* listMerges(partition: PartitionId, request: ListRequest, now: number): Program<Listed<Merge>> {
  const [last] = placeOf('merge', request, /(\d{1,15})/) ?? []
  const known = yield* findKnown(partition)
  if (known === undefined) return { items: [] }
  const before = last === undefined ? Number.MAX_SAFE_INTEGER : Number(last)
  const limit = Math.min(request.limit, deedsKept)
  const places = yield* deedsBefore(known.id, { acts: [mergeAct], before, limit: limit + 1, ref: undefined })
  const fit = fitting(places, limit)
  const items: Merge[] = []
  for (const deed of yield* deedsAt(
    known.id,
    fit.map(({ key }) => key),
  ))
    items.push(yield* mergeOf(deed, now))
  const end = fit.at(-1)
  return { items, ...(fit.length < places.length && end !== undefined ? { cursor: cursorTo('merge', end.key) } : {}) }
}

/** The names of a merge: the two, then each name that it changed and what that counted as before, '' for itself. */
function* namesOf(deed: DeedTable): Program<readonly string[] | undefined> {
  const [text] = yield* keptTexts(deed)
  return text?.content.split('\n')
}

function* mergeOf(deed: DeedTable, now: number): Program<Merge> {
  const names = yield* namesOf(deed)
  const [entity, into] = (names ?? []).map((name) => (name === self ? 'I' : name))
  return {
    id: uuidText(deed.uuid),
    ...(entity === undefined || into === undefined ? {} : { entity, into }),
    by: deed.writer,
    at: deed.done_at,
    until: deed.done_at + deedsKeptMs,
    ...(deed.undone_at === null ? {} : { undoneAt: deed.undone_at }),
    restorable: deed.undone_at === null && names !== undefined && deed.done_at + deedsKeptMs > now,
  }
}

/** Takes a merge of names back: each name that it changed counts as before. Once only. */
export function* takeMergeBack(partition: PartitionId, id: string, now: number): Program<Merge> {
  const known = yield* findKnown(partition)
  const deed = known === undefined ? undefined : yield* findDeed(known.id, id)
  if (known === undefined || deed?.act !== mergeAct) throw new NotFound({ kind: 'merge of names', id })
  const merge = yield* mergeOf(deed, now)
  if (deed.undone_at !== null) return merge
  const names = yield* namesOf(deed)
  if (!merge.restorable || names === undefined)
    throw new InvalidOption({ option: 'id', received: id, expected: 'a merge of the last 30 days whose names were not forgotten since' })
  const standing = new Set((yield* mergedNames(known.id)).map(({ name_key: name }) => name))
  for (let at = 2; at + 1 < names.length; at += 2) {
    const [name = '', before = ''] = [names[at], names[at + 1]]
    if (!standing.has(name)) continue
    yield* before === '' ? dropName(known.id, name) : pointName(known.id, name, before)
  }
  yield* savePartition({ ...known, epoch: known.epoch + 1 })
  yield* noteUndone(deed, now)
  return yield* mergeOf({ ...deed, undone_at: now }, now)
}
