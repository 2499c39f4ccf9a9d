import { expect, test } from 'vitest'
import { areWhole, ordsAbout, rowsBefore, rowsOfFact, rowsOfSlots } from '../known/assertion-rows.ts'
import { storeAssertion } from '../known/assertions.ts'
import { areEnded, areStated, citedRows, statedPlaces } from '../known/ended-states.ts'
import { compile } from '../compile-statement.ts'
import { eraseFacts, withOrphans } from '../erase/fact-erasure.ts'
import { Needles } from '../needles.ts'
import type { Program } from '../program.ts'
import { bind } from '../statement.ts'
import { runStep } from './execute.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-connection.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const fact = { subject: 'Mia', predicate: 'likes', object: 'tea' }
const [subject, predicate, object] = ['mia', 'likes', 'tea']

const written = {
  says: 'is' as const,
  ...fact,
  subjectKey: subject,
  predicateKey: predicate,
  objectKey: object,
  insteadKey: null,
  validFrom: null,
  validUntil: null,
  saidAt: 1,
  confidence: 1,
  single: false,
  phrase: null,
  whenFrom: null,
  whenTo: null,
  dependsOn: [],
  writer: 'person',
  session: 0,
  sources: [],
  terms: new Uint8Array(12),
  traits: 0,
}

function* erased(): Program<unknown> {
  const citations = [{ partition_id: 1, ord: 1, session_id: 1, seq: 1, starts: 0, ends: 1 }]
  return yield* eraseFacts(yield* withOrphans({ assertions: [], citations }), new Needles())
}

/** Programs that run at every question, or at every statement. */
const programs: Readonly<Record<string, () => Program<unknown>>> = {
  'a subject and predicate': () => rowsOfSlots(1, [subject], [predicate]),
  'their objects, one by one': () =>
    ordsAbout(1, [
      { subject, predicate, object },
      { subject: 'ada', predicate, object },
    ]),
  'whether they are called single': () => areWhole(1, [{ subject, predicate }]),
  'a fact': () => rowsOfFact(1, id),
  'newest of a subject': () => rowsBefore(1, { subject }, 9, 9),
  'newest of a subject and predicate': () => rowsBefore(1, { subject, predicate }, 9, 9),
  'newest of an object': () => rowsBefore(1, { object }, 9, 9),
  'newest of a predicate': () => rowsBefore(1, { predicate }, 9, 9),
  'statements of a message': () => citedRows(1, [{ session: 'talk', from: 1, to: 1 }], 9),
  'whether anything is stated': () => areStated(1, [{ subject, predicate }]),
  'whether it was said to end': () => areEnded(1, [{ subject, predicate, object }]),
  'the messages of a statement': () => statedPlaces(1, [1]),
  'a new statement': () => storeAssertion({ id: 1, project_id: 1, seq: 0, epoch: 0, messages: 0, term_bytes: 0 }, written, 1),
  'an erased one': erased,
}

test.each(Object.entries(programs))('%s: no statement reads all of a partition', (_, program) => {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  const running = program()
  let seen = 0
  for (let next = running.next([]); next.done !== true;) {
    for (const { query, params } of 'list' in next.value ? next.value.list : [next.value]) {
      const compiled = compile(query)
      // A line of a plan ends with its action (sqlite.org/eqp.html). One row at an end of a partition, or from a place
      // in it, is no scan of all.
      const isOneRow = /where "partition_id" = \+\?(?: and "ord" >= \+\?)? order by "ord"(?: desc)? limit 1$/.test(compiled.sql)
      const plan = isOneRow
        ? []
        : connection
            .prepare(`EXPLAIN QUERY PLAN ${compiled.sql}`)
            .all(...bind(compiled, params))
            .map((line) => JSON.stringify(line))
      expect(
        plan.filter((line) => /"SCAN assertion|assertion[^(]*\(partition_id=\?(?: AND ord<\?)?\)"/.test(line)),
        compiled.sql,
      ).toEqual([])
      seen += 1
    }
    next = running.next(runStep(connection, next.value))
  }
  expect(seen).toBeGreaterThan(0)
  connection.close()
})
