import { rowsAt, rowsOfSlot } from '../known/assertion-rows.ts'
import { allAssertions, citationsOf, countSources, dropCitation, eraseAssertion, says } from '../known/assertions.ts'
import { allContexts, contextsThatShowed, dropContexts } from '../log/contexts.ts'
import { dropName, dropNames, mergedNames, passOn, self } from '../known/entities.ts'
import type { AssertionSourceTable, AssertionTable } from '../known-tables.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { findSourceOfKnown, type PartitionRow, partitionById, savePartition } from '../partitions.ts'
import { type Program, first } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'

const asSubject = statement<{ partition: number; name: string }>()((db, p) =>
  db.selectFrom('assertion').select('ord').where('partition_id', '=', p('partition')).where('subject_key', '=', p('name')).limit(1))

const asObject = statement<{ partition: number; name: string }>()((db, p) =>
  db.selectFrom('assertion').select('ord').where('partition_id', '=', p('partition')).where('object_key', '=', p('name')).limit(1))

/** Assertions that rest on messages that go, and ranges that others, made by hand, lose. */
export interface DoomedFacts {
  readonly assertions: readonly AssertionTable[]
  readonly citations: readonly AssertionSourceTable[]
}

/** What rests on some messages of a session, or on any of it. What was read goes, to be read again from what is left; what was added by hand goes with its last source. */
export function* factsFrom(session: number, seqs: readonly number[] | undefined): Program<DoomedFacts> {
  const wanted = seqs === undefined ? undefined : new Set(seqs)
  const cited = yield* citationsOf(session)
  const lost = cited.filter(({ seq }) => wanted === undefined || wanted.has(seq))
  const rows = new Map<string, AssertionTable>()
  for (const [partition, some] of Map.groupBy(lost, ({ partition_id: owner }) => owner)) {
    for (const row of yield* rowsAt(partition, [...new Set(some.map(({ ord }) => ord))])) rows.set(`${partition} ${row.ord}`, row)
  }
  const assertions: AssertionTable[] = []
  const citations: AssertionSourceTable[] = []
  for (const row of rows.values()) if (row.session_id !== 0) assertions.push(row)
  for (const citation of lost) if (rows.get(`${citation.partition_id} ${citation.ord}`)?.session_id === 0) citations.push(citation)
  return { assertions, citations }
}

/** With what was added by hand and loses all that it rests on, in whatever sessions that was said; and with what a person made of statements of which none is left. */
export function* withOrphans({ assertions, citations }: DoomedFacts): Program<DoomedFacts> {
  const orphans: AssertionTable[] = []
  for (const some of Map.groupBy(citations, ({ partition_id: partition, ord }) => `${partition} ${ord}`).values()) {
    const [one] = some
    if (one !== undefined && (yield* countSources(one)) === some.length) orphans.push(...yield* rowsAt(one.partition_id, [one.ord]))
  }
  const doomed = [...assertions, ...orphans]
  return { assertions: [...doomed, ...(yield* editsOf(doomed))], citations }
}

/** Corrections, endings and retractions by hand, and whatever is made of those, that are about statements of which none is left. */
function* editsOf(doomed: readonly AssertionTable[]): Program<readonly AssertionTable[]> {
  const found: AssertionTable[] = []
  const slots = Map.groupBy(doomed, (row) => JSON.stringify([row.partition_id, row.subject_key, row.predicate_key]))
  for (const rows of slots.values()) {
    const [one] = rows
    if (one === undefined) continue
    const gone = new Set(rows.map(({ ord }) => ord))
    const left = (yield* rowsOfSlot(one.partition_id, [one.subject_key], one.predicate_key)).filter(({ ord }) => !gone.has(ord))
    for (const row of orphansIn(left)) found.push(row)
  }
  return found
}

/** A person's edits that are about nothing that was said before them, as it stands without such edits. In the order of saying, so that each is looked at once: there may be thousands, each about the last. */
function orphansIn(slot: readonly AssertionTable[]): AssertionTable[] {
  const stated = new Set<string>()
  return slot.toSorted((a, b) => a.said_at - b.said_at || a.ord - b.ord).filter((row) => {
    const about = row.says === says.is ? row.instead_key : row.object_key
    const isOrphan = row.session_id === 0 && about !== null && about !== '' && !stated.has(about)
    if (!isOrphan && row.says === says.is) stated.add(row.object_key)
    return isOrphan
  })
}

/** Erases assertions, among which their orphans are already; gives back how many facts they were of, and adds their bytes to what the files are searched for. */
export function* eraseFacts({ assertions, citations }: DoomedFacts, needles: Needles): Program<number> {
  for (const citation of citations) yield* dropCitation(citation)
  return yield* erase([...new Map(assertions.map((row) => [`${row.partition_id} ${row.ord}`, row])).values()], needles)
}

function* erase(doomed: readonly AssertionTable[], needles: Needles): Program<number> {
  for (const [partition, rows] of Map.groupBy(doomed, ({ partition_id: owner }) => owner)) {
    const owner = yield* partitionById(partition)
    if (owner === undefined) continue
    owner.epoch += 1
    for (const row of rows) needles.add(yield* eraseAssertion(owner, row))
    yield* savePartition(owner)
    yield* dropShown(owner, rows)
    yield* dropUnspoken(partition, new Set(rows.flatMap(({ subject_key: subject, object_key: object }) => [subject, object])), needles)
  }
  return countFactsIn(doomed)
}

export function countFactsIn(rows: readonly AssertionTable[]): number {
  return new Set(rows.filter((row) => row.says === says.is).map(({ fact }) => uuidText(fact))).size
}

/** All of a partition of what is known. */
export function* eraseKnown(known: number, needles: Needles): Program<number> {
  const count = yield* erase(yield* allAssertions(known), needles)
  needles.add((yield* mergedNames(known)).flatMap(({ name_key: name, entity_key: entity }) => [name, entity]).map((name) => new TextEncoder().encode(name)).filter(({ length }) => length >= leastTelling))
  yield* dropNames(known)
  return count
}

/** Contexts that showed what goes hold hashes of its words. */
function* dropShown(owner: PartitionRow, rows: readonly AssertionTable[]): Program<void> {
  const source = yield* findSourceOfKnown(owner.id)
  if (source === undefined) return
  // Where names were merged, a fact may have been shown by the id or the name of another's.
  const isMerged = (yield* mergedNames(owner.id)).length > 0
  yield* dropContexts(isMerged ? yield* allContexts(source.id) : yield* contextsThatShowed({ partition: source.id }, new Set(rows.map(({ fact }) => uuidText(fact)))))
}

/** A merged name of which nothing is said any more is forgotten too. Where it is the one that counted, another of the same takes its place. */
function* dropUnspoken(partition: number, erased: ReadonlySet<string>, needles: Needles): Program<void> {
  const merged = yield* mergedNames(partition)
  const gone = new Set<string>()
  for (const name of new Set(merged.flatMap(({ name_key: one, entity_key: entity }) => [one, entity]))) if (erased.has(name) && !(yield* isSpoken(partition, name))) gone.add(name)
  for (const name of gone) {
    needles.add([new TextEncoder().encode(name)].filter(({ length }) => length >= leastTelling))
    yield* dropName(partition, name)
  }
  for (const [entity, names] of Map.groupBy(merged, ({ entity_key: one }) => one)) {
    const [heir] = names.filter(({ name_key: name }) => !gone.has(name))
    if (gone.has(entity) && heir !== undefined) yield* passOn(partition, entity, heir.name_key)
  }
}

/** Whether anything is said of a name; the user's own, which is no name that is said, always is. */
function* isSpoken(partition: number, name: string): Program<boolean> {
  if (name === self) return true
  return (yield* first(asSubject, { partition, name })) !== undefined || (yield* first(asObject, { partition, name })) !== undefined
}
