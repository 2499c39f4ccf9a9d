import { extractive } from '../../models/writer.ts'
import { anyPredicate, assertionChanges, assertionsOfSession, citationsOf, findFacts, type NewAssertion, withdrawal } from './assertions.ts'
import type { AssertionTable } from '../known-tables.ts'
import { findKnownOf, makeKnownOf, nearTo, partitionChange } from '../partitions.ts'
import { abreast, type Program, runLast } from '../program.ts'
import { uuidText } from '../uuid-bytes.ts'

/**
 * The result of reading some messages of a session, to be stored. A fact that rests on others of the same reading names
 * their places in the list.
 */
export interface ReadFacts {
  readonly facts: readonly (NewAssertion & { readonly restsOn: readonly number[] })[]
  /** The number of refused statements: their words are not in their message, or are nobody's own. */
  readonly refused: number
}

/**
 * Stores the facts read from a range of a session's messages.
 *
 * Facts found in a message before stay: a reading with more of the talk does not state them anew. A language model's
 * reading withdraws the facts found without one.
 */
export function* storeRead(
  source: number,
  session: number,
  { from, to, writer }: { from: number; to: number; writer: string },
  { facts }: ReadFacts,
  now: number,
): Program<void> {
  const [near, known] = yield* abreast([nearTo(source), findKnownOf(source)])
  const all = yield* readBefore(near, session, from, to)
  // Requests to forget are found without a model, whoever reads: they stay, also when a person dismissed them.
  const asked = new Set(all.filter(({ row }) => row.predicate_key === anyPredicate).map(({ seq }) => seq))
  const before = all.filter(({ row }) => row.predicate_key !== anyPredicate)
  const replaced = writer === extractive ? [] : before.filter(({ row }) => row.writer === extractive).map(({ row }) => row)
  const stand = new Set(before.filter(({ row }) => !replaced.includes(row)).map(({ seq }) => seq))
  if (facts.length === 0 && replaced.length === 0) return
  const isThere = ({ predicateKey, sources: [source] }: NewAssertion): boolean =>
    source !== undefined && (predicateKey === anyPredicate ? asked : stand).has(source.seq)
  const fresh = [...facts.entries()].filter(([, one]) => !isThere(one))
  const owner = known ?? (yield* makeKnownOf(source, now))
  const found = yield* findFacts(
    known,
    fresh.map(([, one]) => one),
    now,
  )
  if (replaced.length > 0) owner.epoch += 1
  const ids = new Map(fresh.map(([place], at) => [place, found.facts[at]]))
  const changes = fresh.flatMap(([, { restsOn, ...one }], at) => {
    const fact = found.facts[at]
    const dependsOn = restsOn.flatMap((place) => ids.get(place) ?? []).map(uuidText)
    return fact === undefined ? [] : assertionChanges(owner, { ...one, dependsOn }, fact, found.recorded)
  })
  // Withdraws at the moment when the replacement is recorded: in between neither would be believed.
  yield* runLast([...replaced.map((row) => withdrawal(row, found.recorded)), ...changes, partitionChange(owner)])
}

function* readBefore(near: string, session: number, from: number, to: number): Program<readonly { row: AssertionTable; seq: number }[]> {
  const [read, citations] = yield* abreast([assertionsOfSession(near, session), citationsOf(near, session)])
  const rows = new Map(read.filter((row) => row.withdrawn_at === null).map((row) => [row.ord, row]))
  return citations.flatMap(({ ord, seq }) => {
    const row = rows.get(ord)
    return row === undefined || seq < from || seq > to ? [] : [{ row, seq }]
  })
}
