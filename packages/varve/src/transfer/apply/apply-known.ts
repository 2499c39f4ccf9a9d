import { encodeTerms } from '../../index/terms-codec.ts'
import { areSpoken } from '../../storage/erase/fact-erasure.ts'
import { lastRecordedAt, durations, says } from '../../storage/known/assertions.ts'
import { rowsOfFact } from '../../storage/known/assertion-rows.ts'
import type { AssertionTable } from '../../storage/known-tables.ts'
import type { PartitionRow } from '../../storage/partitions.ts'
import { type Program, runList } from '../../storage/program.ts'
import { termsChange } from '../../storage/segment/terms.ts'
import { notedAt, placeKinds } from '../../storage/transfer/imports.ts'
import { entityOf, instructionWithId, rowChanges, statementOf } from '../../storage/transfer/write-rows.ts'
import { countIn } from '../import-counts.ts'
import type { RecordOf } from '../records.ts'
import { type Applying, idBytes, type ImportedSession } from './applying.ts'
import type { IndexData } from './prepared.ts'

/** A range of a message that stands here. */
interface SourceHere {
  readonly session: number
  readonly seq: number
  readonly from: number
  readonly to: number
}

/** Stores a statement of a fact with its times. One whose message is not here is left out. */
export function* applyFact(applying: Applying, record: RecordOf<'fact'>, ofText: IndexData): Program<void> {
  const { counts } = applying
  const indexed = applying.isVouchedFor ? (searchedWith(record) ?? ofText) : ofText
  const known = yield* applying.known()
  yield* applying.settleNotes()
  const before = (yield* notedAt(applying.import, placeKinds.fact, [record.number])).get(record.number)
  if (before !== undefined) return yield* writtenAgain(known, before, record)
  const session = record.session === undefined ? undefined : yield* applying.session(record.session)
  if (record.session !== undefined && session?.isFresh !== true) return countIn(counts, 'duplicates', 'fact')
  const sources = yield* sourcesHere(applying, record)
  const isRead = session !== undefined
  const lost = sources.length < record.sources.length
  if ((isRead && lost) || (lost && sources.length === 0)) return countIn(counts, 'leftOut', 'fact')
  if (!isRead && (yield* isOrphan(applying, known, record))) return countIn(counts, 'leftOut', 'fact')
  const same = (yield* rowsOfFact(known.id, record.id)).find((row) => !isRead && isSame(row, record))
  if (same !== undefined) {
    applying.note({ kind: placeKinds.fact, theirs: record.number, ours: same.ord })
    return countIn(counts, 'duplicates', 'fact')
  }
  const isUnsaid = !isRead && sources.length === 0
  if (isUnsaid && (yield* applying.isForgotten((forgets) => forgets.tookAdded(record)))) return
  yield* storeFact(applying, known, record, { indexed, session, sources })
  countIn(counts, 'stored', 'fact')
}

/** Makes the index data of the words by which a fact was found. From a stranger nobody takes words that its text does not have. */
function searchedWith({ searched, language }: RecordOf<'fact'>): IndexData | undefined {
  if (searched === undefined) return undefined
  const text = { terms: new Map(searched.words), length: searched.length }
  return { terms: encodeTerms({ role: 'assistant', language, name: '', text }), traits: searched.traits, tokens: 0 }
}

/** A section of the import was written twice: meanwhile the statement may have been withdrawn. */
function* writtenAgain(known: PartitionRow, ord: number, { withdrawnAt }: RecordOf<'fact'>): Program<void> {
  if (withdrawnAt !== undefined) yield* runList([rowChanges.withdrawn(known.id, ord, withdrawnAt)])
}

function* sourcesHere(applying: Applying, record: RecordOf<'fact'>): Program<readonly SourceHere[]> {
  const found: SourceHere[] = []
  for (const [name, seq, from, to] of record.sources) {
    const session = yield* applying.session(name)
    const place = session === undefined ? undefined : yield* applying.placeOf(session, seq)
    if (session !== undefined && place !== undefined) found.push({ session: session.row.id, seq: place, from, to })
  }
  return found
}

/** Tells whether a person's edit is about a statement that is not here: it goes with it, as after a forget. */
function* isOrphan(applying: Applying, known: PartitionRow, { says: said, keys }: RecordOf<'fact'>): Program<boolean> {
  const about = said === 'is' ? keys.instead : keys.object
  if (about === undefined || about === '' || applying.counts.forgotten === 0) return false
  return (yield* statementOf(known.id, keys.subject, keys.predicate, about)) === undefined
}

function isSame(row: AssertionTable, record: RecordOf<'fact'>): boolean {
  return (
    row.session_id === 0 &&
    row.says === says[record.says] &&
    row.said_at === record.at &&
    row.object === record.object &&
    row.writer === record.writer &&
    row.valid_from === (record.validFrom ?? null) &&
    row.valid_until === (record.validUntil ?? null)
  )
}

interface FactHere {
  readonly indexed: IndexData
  readonly session: ImportedSession | undefined
  readonly sources: readonly SourceHere[]
}

function* storeFact(
  applying: Applying,
  known: PartitionRow,
  record: RecordOf<'fact'>,
  { indexed, session, sources }: FactHere,
): Program<void> {
  const { keys } = record
  const stated = yield* statementOf(known.id, keys.subject, keys.predicate, keys.object)
  // What is known at a time is what was recorded until then: a time before the last one would break that order.
  const recorded = Math.max(record.recordedAt, yield* lastRecordedAt(known))
  known.seq += 1
  const [partition, ord] = [known.id, known.seq]
  const isStatement = record.says === 'is'
  yield* runList([
    rowChanges.assertion({
      ...rowOfFact(record),
      noted_in: yield* notedInHere(applying, record),
      fact: stated?.fact ?? idBytes(record.id),
      partition_id: partition,
      ord,
      recorded_at: recorded,
      session_id: session?.row.id ?? 0,
    }),
    ...sources.map((one) =>
      rowChanges.assertionSource({ session_id: one.session, seq: one.seq, partition_id: partition, ord, starts: one.from, ends: one.to }),
    ),
    ...(isStatement
      ? [
          termsChange({
            partition_id: partition,
            ord,
            session_id: -ord,
            seq: ord,
            said_at: record.at,
            body: indexed.terms,
            traits: indexed.traits,
          }),
        ]
      : []),
  ])
  if (isStatement) {
    known.messages += 1
    known.term_bytes += indexed.terms.length
  }
  applying.note({ kind: placeKinds.fact, theirs: record.number, ours: ord })
  const ended = yield* notedAt(applying.import, placeKinds.fact, record.ends ?? [])
  yield* runList([...ended.values()].map((earlier) => rowChanges.assertionEnd({ partition_id: partition, ended: earlier, ord })))
}

function rowOfFact(
  record: RecordOf<'fact'>,
): Omit<AssertionTable, 'fact' | 'partition_id' | 'ord' | 'recorded_at' | 'session_id' | 'noted_in'> {
  const { keys } = record
  return {
    says: says[record.says],
    subject: record.subject,
    predicate: record.predicate,
    object: record.object,
    subject_key: keys.subject,
    predicate_key: keys.predicate,
    object_key: keys.object,
    instead_key: keys.instead ?? null,
    valid_from: record.validFrom ?? null,
    valid_until: record.validUntil ?? null,
    said_at: record.at,
    withdrawn_at: record.withdrawnAt ?? null,
    confidence: record.confidence,
    single: Number(record.single),
    phrase: record.phrase ?? null,
    when_from: record.when?.[0] ?? null,
    when_to: record.when?.[1] ?? null,
    depends_on: JSON.stringify(record.dependsOn),
    writer: record.writer,
    of_other: record.ofOther,
    passing: Math.min(record.passing, durations.once),
    compared: Number(record.compared),
  }
}

/** Merges two names, unless they were merged otherwise here. */
export function* applyName(applying: Applying, { name, entity }: RecordOf<'name'>): Program<void> {
  const known = yield* applying.known()
  const { exportedAt } = applying.header
  // A name has no time. After a forget of what was before a time, names stay that a statement uses.
  const [isSpoken] = yield* areSpoken(known.id, [name])
  if (yield* applying.isForgotten(({ all, newest }) => exportedAt <= all || (exportedAt <= newest && isSpoken !== true))) return
  const here = yield* entityOf(known.id, name)
  if (here !== undefined) return countIn(applying.counts, here === entity ? 'duplicates' : 'kept', 'name')
  yield* runList([rowChanges.mergedName({ partition_id: known.id, name_key: name, entity_key: entity })])
  countIn(applying.counts, 'stored', 'name')
}

/** Stores a statement of an instruction. What was edited or withdrawn here stays so. */
export function* applyInstruction(applying: Applying, record: RecordOf<'instruction'>): Program<void> {
  const { counts, own } = applying
  const session = record.session === undefined ? undefined : yield* applying.session(record.session)
  if (record.session !== undefined && session?.isFresh !== true) return countIn(counts, 'duplicates', 'instruction')
  if (session !== undefined && (yield* applying.placeOf(session, record.seq)) !== record.seq)
    return countIn(counts, 'leftOut', 'instruction')
  const same = yield* instructionWithId(own.id, idBytes(record.id))
  const id = applying.isOthers(same) ? applying.idInstead(record.id) : record.id
  const there = id === record.id ? same : yield* instructionWithId(own.id, idBytes(id))
  if (there !== undefined) {
    const isEqual = there.content === record.content && there.hand === (record.hand ?? null)
    return countIn(counts, isEqual ? 'duplicates' : 'kept', 'instruction')
  }
  if (session === undefined && (yield* applying.isForgotten((forgets) => forgets.tookAdded(record)))) return
  yield* runList([
    rowChanges.instruction({
      uuid: idBytes(id),
      partition_id: own.id,
      session_id: session?.row.id ?? 0,
      seq: session === undefined ? 0 : record.seq,
      starts: record.starts,
      ends: record.ends,
      said_at: record.at,
      recorded_at: record.recordedAt,
      edited_at: record.editedAt ?? null,
      withdrawn_at: record.withdrawnAt ?? null,
      takes_back: Number(record.takesBack),
      compared: Number(record.compared),
      provisional: Number(record.provisional),
      writer: record.writer,
      content: record.content,
      hand: record.hand ?? null,
      ended: JSON.stringify(yield* endedHere(applying, record.ended)),
      noted_in: yield* notedInHere(applying, record),
    }),
  ])
  countIn(counts, 'stored', 'instruction')
}

/** Returns the number of the session in which an agent noted something; 0 where that session is not here. */
function* notedInHere(applying: Applying, { notedIn }: { readonly notedIn?: string | undefined }): Program<number> {
  return notedIn === undefined ? 0 : ((yield* applying.session(notedIn))?.row.id ?? 0)
}

/** Returns the ids that ended instructions have here. */
function* endedHere(applying: Applying, ids: readonly string[]): Program<readonly string[]> {
  const found: string[] = []
  for (const id of ids) {
    const same = yield* instructionWithId(applying.own.id, idBytes(id))
    found.push(applying.isOthers(same) ? applying.idInstead(id) : id)
  }
  return found
}
