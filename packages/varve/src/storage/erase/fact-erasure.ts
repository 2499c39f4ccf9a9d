import { partitionList } from '../partition-list.ts'
import { sql } from 'kysely'
import { rowsAt, rowsOfSlots } from '../known/assertion-rows.ts'
import { allAssertions, citationsOf, countSources, dropCitations, eraseAssertions, firstIndexed, says } from '../known/assertions.ts'
import { contextsOf, contextsThatShowed, dropContexts, takeFromContexts } from '../log/contexts.ts'
import { dropName, dropNames, mergedNames, passOn, self } from '../known/entities.ts'
import { eraseKept, keptOfNames } from '../deeds/deed-erasure.ts'
import { factsNotedDuring } from '../known/agent-notes.ts'
import { countedRows } from '../known/loose-rows.ts'
import type { AssertionSourceTable, AssertionTable } from '../known-tables.ts'
import { leastTelling, type Needles } from '../needles.ts'
import { findSourceOfKnown, type PartitionRow, partitionById, savePartition, nearTo } from '../partitions.ts'
import { abreast, all, answer, firstEach, type Program } from '../program.ts'
import { statement } from '../statement.ts'
import { uuidText } from '../uuid-bytes.ts'

const asSubject = statement<{ partition: number; name: string }>()((db, p) =>
  db.selectFrom('assertion').select('ord').where('partition_id', '=', p('partition')).where('subject_key', '=', p('name')).limit(1),
)

const asObject = statement<{ partition: number; name: string }>()((db, p, d) =>
  db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where(d.sameText('object_key', p('name')))
    .limit(1),
)

/** Finds an edit by hand of a subject and a predicate. Most have none. */
const editIn = statement<{ partition: number; subject: string; predicate: string }>()((db, p) =>
  db
    .selectFrom('assertion')
    .select('ord')
    .where('partition_id', '=', p('partition'))
    .where('session_id', '=', sql<number>`0`)
    .where(
      'ord',
      'in',
      db
        .selectFrom('assertion')
        .select('ord')
        .where('partition_id', '=', p('partition'))
        .where('subject_key', '=', p('subject'))
        .where('predicate_key', '=', p('predicate')),
    )
    .where((e) => e.or([e('instead_key', 'is not', null), e('says', '>', sql<number>`0`)]))
    .limit(1),
)

const statementsOf = statement<{ near: string; facts: string }>()((db, p, d) =>
  db
    .selectFrom('assertion')
    .select((e) => ['fact', e.fn.countAll<number>().as('statements')])
    .where('fact', 'in', d.ids(p('facts')))
    .$call(d.among(p('near')))
    .where('says', '=', sql<number>`0`)
    .groupBy('fact'),
)

/** Assertions that rest on forgotten messages, and the source ranges that remaining assertions by hand lose. */
export interface DoomedFacts {
  readonly assertions: readonly AssertionTable[]
  readonly citations: readonly AssertionSourceTable[]
}

/**
 * Returns the assertions that rest on some messages of a session; or on any of it, with what agents noted in it. Extracted
 * ones go, and are read again from the remaining messages. Those added by hand go with their last source.
 */
export function* factsFrom(
  near: string,
  session: number,
  seqs: readonly number[] | undefined,
  most = Number.POSITIVE_INFINITY,
): Program<DoomedFacts> {
  const wanted = seqs === undefined ? undefined : new Set(seqs)
  const ofAgents = seqs === undefined ? factsNotedDuring(near, session, most) : answer([])
  const [cited, noted] = yield* abreast([citationsOf(near, session), ofAgents])
  const lost = cited.filter(({ seq }) => wanted === undefined || wanted.has(seq)).slice(0, most)
  const rows = new Map<string, AssertionTable>()
  const partitions = [...Map.groupBy(lost, ({ partition_id: partition }) => partition)]
  const found = yield* abreast(partitions.map(([partition, some]) => rowsAt(partition, [...new Set(some.map(({ ord }) => ord))])))
  for (const row of found.flat()) rows.set(`${row.partition_id} ${row.ord}`, row)
  const assertions: AssertionTable[] = []
  const citations: AssertionSourceTable[] = []
  for (const row of rows.values()) if (row.session_id !== 0) assertions.push(row)
  assertions.push(...noted)
  for (const citation of lost) if (rows.get(`${citation.partition_id} ${citation.ord}`)?.session_id === 0) citations.push(citation)
  return { assertions, citations }
}

/** Returns the same for several sessions, with a bound for each. */
export function* factsUnder(
  partition: number,
  said: ReadonlyMap<number, readonly number[] | undefined>,
  most: number,
): Program<DoomedFacts> {
  const near = yield* nearTo(partition)
  const found = yield* abreast([...said].map(([session, seqs]) => factsFrom(near, session, seqs, most)))
  return { assertions: found.flatMap((one) => one.assertions), citations: found.flatMap((one) => one.citations) }
}

/**
 * Adds the assertions by hand that lose their last source, in any session. Adds also a person's edits of statements
 * that no longer stand. Names each once.
 */
export function* withOrphans({ assertions, citations }: DoomedFacts): Program<DoomedFacts> {
  const orphans: AssertionTable[] = []
  const cited = [...Map.groupBy(citations, ({ partition_id: partition, ord }) => `${partition} ${ord}`).values()].flatMap((some) =>
    some.slice(0, 1).map((one) => ({ one, lost: some.length })),
  )
  const counts = yield* countSources(cited.map(({ one }) => one))
  const alone = cited.filter(({ lost }, place) => counts[place] === lost)
  for (const rows of yield* abreast(
    [...Map.groupBy(alone, ({ one }) => one.partition_id)].map(([partition, some]) =>
      rowsAt(
        partition,
        some.map(({ one }) => one.ord),
      ),
    ),
  ))
    orphans.push(...rows)
  const doomed = [...assertions, ...orphans]
  const all = [...doomed, ...(yield* editsOf(doomed))]
  return { assertions: [...new Map(all.map((row) => [`${row.partition_id} ${row.ord}`, row])).values()], citations }
}

/** Returns the corrections, endings and retractions by hand whose statements are all gone, and the edits of those. */
function* editsOf(doomed: readonly AssertionTable[]): Program<readonly AssertionTable[]> {
  const found: AssertionTable[] = []
  const slots = Map.groupBy(doomed, (row) => JSON.stringify([row.partition_id, row.subject_key, row.predicate_key]))
  const ones = [...slots.values()].flatMap((rows) => rows.slice(0, 1).map((one) => ({ one, gone: new Set(rows.map(({ ord }) => ord)) })))
  const edited = yield* firstEach(
    editIn,
    ones.map(({ one }) => ({ partition: one.partition_id, subject: one.subject_key, predicate: one.predicate_key })),
  )
  const standing = yield* abreast(
    ones.map(({ one }, place) =>
      edited[place] === undefined ? answer([]) : rowsOfSlots(one.partition_id, [one.subject_key], [one.predicate_key]),
    ),
  )
  for (const [place, { gone }] of ones.entries())
    for (const row of orphansIn((standing[place] ?? []).filter(({ ord }) => !gone.has(ord)))) found.push(row)
  return found
}

/**
 * Returns a person's edits that refer to no earlier remaining statement. Reads in the order of saying, so that each
 * edit is looked at once: there may be thousands, each about the last.
 */
function orphansIn(slot: readonly AssertionTable[]): AssertionTable[] {
  const stated = new Set<string>()
  return slot
    .toSorted((a, b) => a.said_at - b.said_at || a.ord - b.ord)
    .filter((row) => {
      const about = row.says === says.is ? row.instead_key : row.object_key
      const isOrphan = row.session_id === 0 && about !== null && about !== '' && !stated.has(about)
      if (!isOrphan && row.says === says.is) stated.add(row.object_key)
      return isOrphan
    })
}

/** Erases assertions, including their orphans. Returns the number of their facts, and adds their bytes to the needles. */
export function* eraseFacts(doomed: DoomedFacts, needles: Needles): Program<number> {
  const count = yield* countFactsIn(doomed.assertions)
  yield* eraseCounted(doomed, needles)
  return count
}

/** Does the same where their facts were counted before. */
export function* eraseCounted({ assertions, citations }: DoomedFacts, needles: Needles): Program<void> {
  const partitions = [...Map.groupBy(assertions, ({ partition_id: partition }) => partition)]
  yield* abreast([dropCitations(citations), ...partitions.map(([partition, rows]) => eraseIn(partition, rows, needles))])
}

function* eraseIn(partition: number, rows: readonly AssertionTable[], needles: Needles): Program<void> {
  const [owner, source, merged, indexed] = yield* abreast([
    partitionById(partition),
    findSourceOfKnown(partition),
    mergedNames(partition),
    firstIndexed(partition, rows),
  ])
  if (owner === undefined) return
  owner.epoch += 1
  yield* eraseAssertions(owner, rows, needles, indexed)
  const erased = new Set(rows.flatMap(({ subject_key: subject, object_key: object }) => [subject, object]))
  yield* abreast([
    savePartition(owner),
    dropShown(source, rows, merged.length > 0, needles),
    dropUnspoken(partition, merged, erased, needles),
  ])
}

/** Counts the facts that lose their last statement. */
export function* countFactsIn(rows: readonly AssertionTable[]): Program<number> {
  const stated = rows.filter((row) => row.says === says.is)
  const partitions = [...Map.groupBy(stated, ({ partition_id: partition }) => partition)]
  const counted = (yield* abreast(partitions.map(([partition, some]) => countedRows(partition, some)))).flat()
  const facts = new Set(counted.map(({ fact }) => uuidText(fact)))
  if (facts.size === 0) return 0
  const doomed = Map.groupBy(stated, ({ fact }) => uuidText(fact))
  const standing = yield* all(statementsOf, {
    near: partitionList(partitions.map(([partition]) => partition)),
    facts: JSON.stringify([...facts]),
  })
  return standing.filter(({ fact, statements }) => doomed.get(uuidText(fact))?.length === statements).length
}

/** Erases a whole known partition. */
export function* eraseKnown(known: number, needles: Needles): Program<number> {
  const count = yield* eraseFacts({ assertions: yield* allAssertions(known), citations: [] }, needles)
  needles.add(
    (yield* mergedNames(known))
      .flatMap(({ name_key: name, entity_key: entity }) => [name, entity])
      .map((name) => new TextEncoder().encode(name))
      .filter(({ length }) => length >= leastTelling),
  )
  yield* dropNames(known)
  return count
}

/** Contexts that showed erased facts hold hashes of their words. */
function* dropShown(source: PartitionRow | undefined, rows: readonly AssertionTable[], isMerged: boolean, needles: Needles): Program<void> {
  if (source === undefined) return
  // Where names were merged, a context may have shown the fact under another id or name: it goes as a whole.
  if (isMerged) return yield* dropContexts(yield* contextsOf({ partition: source.id }))
  const gone = new Set(rows.map(({ fact }) => uuidText(fact)))
  yield* takeFromContexts(yield* contextsThatShowed({ partition: source.id }, gone, needles.contexts), gone)
}

type Merged = readonly { readonly name_key: string; readonly entity_key: string }[]

/** Forgets a merged name that no statement uses any more. If it was the leading name, another of the group takes its place. */
function* dropUnspoken(partition: number, merged: Merged, erased: ReadonlySet<string>, needles: Needles): Program<void> {
  const asked = [...new Set(merged.flatMap(({ name_key: one, entity_key: entity }) => [one, entity]))].filter((name) => erased.has(name))
  const spoken = yield* areSpoken(partition, asked)
  const gone = new Set(asked.filter((_, place) => spoken[place] === false))
  needles.add([...gone].map((name) => new TextEncoder().encode(name)).filter(({ length }) => length >= leastTelling))
  if (gone.size > 0) yield* eraseKept(partitionList([partition]), yield* keptOfNames(partition, gone), needles)
  yield* abreast([...gone].map((name) => dropName(partition, name)))
  for (const [entity, names] of Map.groupBy(merged, ({ entity_key: one }) => one)) {
    const [heir] = names.filter(({ name_key: name }) => !gone.has(name))
    if (gone.has(entity) && heir !== undefined) yield* passOn(partition, entity, heir.name_key)
  }
}

/** Tells for each name whether a statement uses it. The user's own key always counts: nobody says it as a name. */
export function* areSpoken(partition: number, names: readonly string[]): Program<readonly boolean[]> {
  const asked = names.map((name) => ({ partition, name }))
  const [subjects, objects] = yield* abreast([firstEach(asSubject, asked), firstEach(asObject, asked)])
  return names.map((name, place) => name === self || subjects[place] !== undefined || objects[place] !== undefined)
}
