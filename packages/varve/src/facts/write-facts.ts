import { InvalidOption } from '../errors/invalid-option.ts'
import { LimitExceeded } from '../errors/limit-exceeded.ts'
import { NotFound } from '../errors/not-found.ts'
import { itemTerms } from '../index/item-terms.ts'
import { byHand } from '../models/writer.ts'
import { shown } from '../errors/shown.ts'
import { agentsSettings, statementsPerFact } from '../projects/agents.ts'
import type { PartitionId, SessionName } from '../scope/partition.ts'
import { isNote, type NewAssertion, says, storeAssertion, whoseWords } from '../storage/known/assertions.ts'
import { rowsOfFact } from '../storage/known/assertion-rows.ts'
import { mergedNames, mergeName, self } from '../storage/known/entities.ts'
import type { AssertionTable } from '../storage/known-tables.ts'
import { countNoted } from '../storage/known/noted-counts.ts'
import { ensureKnownOf, ensurePartition, findKnown, savePartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { ensureSessionRow, partitionLanguage } from '../storage/log/sessions.ts'
import { keepTexts, mergeAct, noRef, noteDeed, textKinds } from '../storage/deeds/deeds.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { lost } from '../storage/lost.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import { ownName } from './entities.ts'
import { entityKey, objectKey } from './keys.ts'
import { predicateKey, wordsOfFact } from './predicates.ts'
import { factById, knownAt } from './read-facts.ts'
import { type CheckedSource, sourceRanges } from './check-source.ts'
import type { Standing } from './standing.ts'

/** A fact to be added by hand, checked. */
export interface CheckedFact {
  readonly subject: string
  readonly predicate: string
  readonly object: string
  readonly validFrom: number | null
  readonly validUntil: number | null
  readonly confidence: number
  readonly single: boolean
  readonly dependsOn: readonly string[]
  readonly sources: readonly CheckedSource[]
  /** The name of the agent that writes; absent for a person. */
  readonly writer?: string | undefined
  /** The session from which an agent notes it. */
  readonly during?: SessionName | undefined
}

/** The changes of a correction. An absent field stays. */
export type CheckedCorrection = {
  readonly [Name in 'object' | 'validFrom' | 'validUntil' | 'confidence' | 'writer' | 'during']?: CheckedFact[Name] | undefined
}

/** Adds a fact by hand, and gives back its id. NotFound for a message or a ground of another partition. */
export function* addFact(partition: PartitionId, fact: CheckedFact, now: number): Program<string> {
  const source = yield* ensurePartition(partition, now)
  const { subject, predicate, object, validUntil } = fact
  if (validUntil !== null && validUntil <= (fact.validFrom ?? now)) {
    throw new InvalidOption({
      option: 'validUntil',
      received: new Date(validUntil).toISOString(),
      expected: `after ${new Date(fact.validFrom ?? now).toISOString()}, when it begins: give validFrom too for a fact that is over`,
    })
  }
  const known = fact.dependsOn.length === 0 ? undefined : yield* findKnown(partition)
  for (const id of fact.dependsOn)
    if (known === undefined || (yield* rowsOfFact(known.id, id)).length === 0) throw new NotFound({ kind: 'fact', id })
  const key = entityKey(subject)
  const draft: Draft = {
    says: 'is',
    subject: key === self ? '' : subject,
    predicate,
    object,
    subjectKey: key,
    predicateKey: predicateKey(predicate),
    objectKey: objectKey(object),
    insteadKey: null,
    validFrom: fact.validFrom,
    validUntil: fact.validUntil,
    saidAt: now,
    confidence: fact.confidence,
    single: fact.single,
    dependsOn: fact.dependsOn,
    sources: yield* sourceRanges(source, fact.sources),
  }
  if (isNoteOf(fact, draft)) yield* checkFacts(partition)
  return uuidText(yield* store(partition, source.id, draft, fact, now))
}

/** Corrects a fact. From now on it is believed that it never was as it was said. */
export function* correctFact(partition: PartitionId, id: string, changes: CheckedCorrection, now: number): Program<string> {
  const { standing, row } = yield* factToChange(partition, id, changes.writer, now)
  const object = changes.object ?? row.object
  // A person's correction is derived without the notes, so it is told where the corrected note began.
  const isOfNote = changes.writer === undefined && standing.rows.every(isNote)
  const [validFrom, validUntil] = [changes.validFrom ?? (isOfNote ? standing.from : null), changes.validUntil ?? endOf(standing)]
  if (validUntil !== null && validUntil <= (validFrom ?? standing.from)) {
    throw new InvalidOption({
      option: 'validUntil',
      received: new Date(validUntil).toISOString(),
      expected: `after ${new Date(validFrom ?? standing.from).toISOString()}, when it began`,
    })
  }
  const corrected = {
    says: 'is' as const,
    object,
    objectKey: objectKey(object),
    validFrom,
    validUntil,
    confidence: changes.confidence ?? 1,
  }
  return yield* change(partition, standing, (one) => ({ ...corrected, insteadKey: objectKey(one.object) }), changes, now)
}

/** Takes a fact back: it never was so, or it was until a time. Its history still tells the old belief. */
export function* retractFact(
  partition: PartitionId,
  id: string,
  validUntil: number | null,
  writer: string | undefined,
  now: number,
): Program<string> {
  const { standing } = yield* factToChange(partition, id, writer, now)
  if (validUntil !== null && validUntil <= standing.from) {
    throw new InvalidOption({
      option: 'validUntil',
      received: new Date(validUntil).toISOString(),
      expected: `after ${new Date(standing.from).toISOString()}, when it began; left out where it never was so`,
    })
  }
  return yield* change(partition, standing, () => ({ says: validUntil === null ? 'wrong' : 'ends', validUntil }), { writer }, now)
}

/** The most names that are merged by hand. Each question looks them up. */
const mostMerged = 1_000

/** Has a name count as another from now on, in earlier facts as well. */
export function* mergeEntities(partition: PartitionId, name: string, into: string, now: number): Program<void> {
  const source = yield* ensurePartition(partition, now)
  const owner = yield* ensureKnownOf(source.id, now)
  const standings = yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  const [from, to] = [entityKey(name), entityKey(into)]
  const [one, other] = [standings?.entities.of(from), standings?.entities.of(to)]
  if (from === self || one === self)
    throw new InvalidOption({
      option: 'entity',
      received: shown(name),
      expected: "a name that is not the user's own: that comes second, as in merge('Addie', 'I')",
    })
  if (from === to || one === other)
    throw new InvalidOption({ option: 'entity', received: shown(name), expected: 'another name than the second: they are one already' })
  const merged = yield* mergedNames(owner.id)
  const count = merged.length
  if (count >= mostMerged) throw new LimitExceeded({ what: 'the merged names', unit: 'names', count: count + 1, most: mostMerged })
  const moved = merged.filter(({ name_key: one, entity_key: entity }) => entity === from || one === from)
  const changed = moved.some((one) => one.name_key === from) ? moved : [...moved, { name_key: from, entity_key: '' }]
  yield* keepTexts(owner.id, yield* noteDeed({ id: uuidv7(now), partition: owner.id, act: mergeAct, now }), [
    {
      kind: textKinds.names,
      ref: noRef,
      hand: null,
      content: [from, to, ...changed.flatMap((one) => [one.name_key, one.entity_key])].join('\n'),
      state: {},
      sources: [],
    },
  ])
  yield* mergeName(owner.id, from, to)
  yield* savePartition({ ...owner, epoch: owner.epoch + 1 })
}

/** Who writes, and from which session. */
type By = Pick<CheckedFact, 'writer' | 'during'>

type Draft = Omit<NewAssertion, 'notedIn' | 'writer' | 'session' | 'terms' | 'traits' | 'phrase' | 'whenFrom' | 'whenTo'>

/** Tells whether an agent notes something that rests on no message. */
function isNoteOf({ writer }: Pick<By, 'writer'>, { sources }: Pick<Draft, 'sources'>): boolean {
  return writer !== undefined && sources.length === 0
}

const notes = 'the facts noted by agents (the setting agents.facts)'

/** Refuses a further fact of an agent, when as many as may stand were noted. */
function* checkFacts(partition: PartitionId): Program<void> {
  const known = yield* findKnown(partition)
  const { facts: most } = yield* agentsSettings(partition.project)
  const count = known === undefined ? 0 : (yield* countNoted(known.id)).facts
  if (count >= most) throw new LimitExceeded({ what: notes, unit: 'facts', count: count + 1, most })
}

/** Refuses a further statement of an agent that adds, corrects and takes back in a loop. */
function* checkStatements(partition: PartitionId, known: number): Program<void> {
  const most = statementsPerFact * (yield* agentsSettings(partition.project)).facts
  const count = (yield* countNoted(known)).statements
  if (count >= most) throw new LimitExceeded({ what: notes, unit: 'statements', count: count + 1, most })
}

function* store(
  partition: PartitionId,
  source: number | undefined,
  draft: Draft,
  { writer, during }: By,
  now: number,
): Program<Uint8Array> {
  const of = source ?? (yield* ensurePartition(partition, now)).id
  const owner = yield* ensureKnownOf(of, now)
  const language = yield* partitionLanguage(of)
  const { terms, traits } = itemTerms(wordsOfFact(ownName(partition), draft), language)
  const ofOther = isNoteOf({ writer }, draft) ? whoseWords.noted : whoseWords.own
  if (ofOther === whoseWords.noted) yield* checkStatements(partition, owner.id)
  // An agent may note something before the first message of its session is stored.
  const notedIn = ofOther === whoseWords.noted && during !== undefined ? (yield* ensureSessionRow(of, during, now)).id : 0
  const { fact } = yield* storeAssertion(
    owner,
    { ...draft, phrase: null, whenFrom: null, whenTo: null, ofOther, notedIn, writer: writer ?? byHand, session: 0, terms, traits },
    now,
  )
  yield* savePartition(owner)
  return fact
}

/**
 * States something of a fact under each of the names by which it was stated. A person's change then goes with the
 * statements of one name alone.
 */
function* change(
  partition: PartitionId,
  standing: Standing,
  said: (row: AssertionTable) => Partial<Draft>,
  by: By,
  now: number,
): Program<string> {
  const ids: Uint8Array[] = []
  for (const row of lastOfEachName(standing))
    ids.push(yield* store(partition, undefined, { ...draftOf(row, standing, now), ...said(row) }, by, now))
  const [id] = ids
  if (id === undefined) throw lost('fact')
  return uuidText(id)
}

/** Gives the last statement under each name of the subject and the object, the last of all first. */
function lastOfEachName({ rows }: Standing): readonly AssertionTable[] {
  return [...Map.groupBy(rows.toReversed(), ({ subject_key: subject, object }) => `${subject}\n${objectKey(object)}`).values()].flatMap(
    (some) => some.slice(0, 1),
  )
}

interface ToChange {
  readonly standing: Standing
  /** Its last statement. */
  readonly row: AssertionTable
}

/** Finds the fact that a change is about. An agent may change what agents noted, and nothing that rests on a person's words. */
function* factToChange(partition: PartitionId, id: string, writer: string | undefined, now: number): Program<ToChange> {
  const standings = yield* knownAt(partition, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  const standing = yield* factById(standings, id)
  const row = standing.rows.at(-1)
  if (row === undefined || standings === undefined) throw new NotFound({ kind: 'fact', id })
  if (writer !== undefined && !standing.rows.every(isNote))
    throw new InvalidOption({
      option: 'id',
      received: id,
      expected: 'a fact that an agent noted: this one rests on a person’s words, which only the person can take back by saying so',
    })
  if (!standing.isBelieved) {
    const by = standing.closedBy?.says === says.is ? `: fact ${uuidText(standing.closedBy.fact)} took its place` : ': it was taken back'
    throw new InvalidOption({ option: 'id', received: id, expected: `a fact that is believed to have held${by}` })
  }
  return { standing, row }
}

/**
 * Makes a new statement from an old one. It is said now, or right after the statements that it is about, if those are
 * later than now.
 */
function draftOf(row: AssertionTable, { rows }: Standing, now: number): Draft {
  const grounds: readonly string[] = JSON.parse(row.depends_on)
  return {
    says: 'is',
    subject: row.subject,
    predicate: row.predicate,
    object: row.object,
    subjectKey: row.subject_key,
    predicateKey: row.predicate_key,
    objectKey: objectKey(row.object),
    insteadKey: null,
    validFrom: null,
    validUntil: null,
    saidAt: Math.max(now, ...rows.map((one) => one.said_at)),
    confidence: 1,
    single: row.single === 1,
    dependsOn: grounds,
    sources: [],
  }
}

/** Gives the said end of a holding. An end that another fact made is left out: that fact closes it again. */
function endOf({ until, closedBy }: Standing): number | null {
  return Number.isFinite(until) && closedBy?.says !== 0 ? until : null
}
