import { anyPredicate, says } from '../storage/known/assertions.ts'
import { self } from '../storage/known/entities.ts'
import type { Slot } from '../storage/known/assertion-rows.ts'
import { areEnded, areStated, type CitedRow } from '../storage/known/ended-states.ts'
import type { Program } from '../storage/program.ts'
import type { Entities } from './entities.ts'
import { isPlan, oppositeOf, rivalOf, type Valuing, valuedBy } from './predicates.ts'
import type { Standings } from './standing.ts'

/** Gives the statements that may hold no longer, by the statements beside them. The others surely hold as they were said. */
export function* doubtedAmong(
  { known, entities }: Standings,
  valuing: Valuing,
  rows: readonly CitedRow[],
  now: number,
): Program<readonly CitedRow[]> {
  const doubted = new Set(rows.filter((row) => isTouched(row, valuing, now) || isOfSeveral(row, entities)))
  const open = rows.filter((row) => !doubted.has(row))
  const ends = askedBy(open, (row) => [
    ...(row.is_repeated === 1 ? ['', row.object_key].map((object) => ({ ...slotOf(row), object })) : []),
    ...forgetsOf(row, entities),
  ])
  const beside = askedBy(open, (row) => slotsBeside(row, entities))
  for (const row of yield* answered(ends, (asked) => areEnded(known, asked))) doubted.add(row)
  for (const row of yield* answered(beside, (asked) => areStated(known, asked))) doubted.add(row)
  return rows.filter((row) => doubted.has(row))
}

/** Tells whether a statement of the same names may have ended it, or its own told time. */
function isTouched(row: CitedRow, valuing: Valuing, now: number): boolean {
  if (row.says !== says.is || row.is_corrected === 1 || row.is_linked === 1) return true
  if (row.valid_until !== null && row.valid_until <= now && !isPlan(row.predicate_key)) return true
  const valued = valuedBy(valuing, row.predicate_key)
  return row.is_contested === 1 && (valued === 'single' || (valued === undefined && row.is_single === 1))
}

/** Tells whether its object has several names. */
function isOfSeveral({ predicate_key: predicate, object_key: object }: CitedRow, entities: Entities): boolean {
  return entities.namesOfObject(predicate, entities.objectOf(predicate, object)).length > 1
}

function slotOf({ subject_key: subject, predicate_key: predicate }: CitedRow): Slot {
  return { subject, predicate }
}

/** Gives the places of the user's requests to forget somebody else who is a statement's subject. */
function forgetsOf({ subject_key: subject }: CitedRow, entities: Entities): (Slot & { readonly object: string })[] {
  const entity = entities.of(subject)
  if (entity === self) return []
  const requests = entities.namesOf(self).map((user) => ({ subject: user, predicate: anyPredicate }))
  return requests.flatMap((slot) => entities.namesOf(entity).map((object) => ({ ...slot, object })))
}

/** Gives the slots whose statements count for a statement: those of its subject's other names, and of an opposite. */
function slotsBeside(row: CitedRow, entities: Entities): Slot[] {
  const { subject: own, predicate } = slotOf(row)
  const others = [oppositeOf(predicate), rivalOf(predicate)].flatMap((other) => other ?? [])
  return entities
    .namesOf(entities.of(own))
    .flatMap((subject) => [...(subject === own ? [] : [{ subject, predicate }]), ...others.map((other) => ({ subject, predicate: other }))])
}

/** A question for the store, and the statements for which it is asked. */
interface AskedFor<Asked> {
  readonly asked: Asked
  readonly rows: CitedRow[]
}

/** Gathers the questions of statements, each once. */
function askedBy<Asked>(rows: readonly CitedRow[], asks: (row: CitedRow) => readonly Asked[]): readonly AskedFor<Asked>[] {
  const found = new Map<string, AskedFor<Asked>>()
  for (const row of rows) {
    for (const asked of asks(row)) {
      const key = JSON.stringify(asked)
      const known = found.get(key)
      if (known === undefined) found.set(key, { asked, rows: [row] })
      else known.rows.push(row)
    }
  }
  return [...found.values()]
}

/** Gives the statements whose question is answered with yes. */
function* answered<Asked>(
  questions: readonly AskedFor<Asked>[],
  ask: (asked: readonly Asked[]) => Program<readonly boolean[]>,
): Program<readonly CitedRow[]> {
  if (questions.length === 0) return []
  const yes = yield* ask(questions.map(({ asked }) => asked))
  return questions.flatMap(({ rows }, place) => (yes[place] === true ? rows : []))
}
