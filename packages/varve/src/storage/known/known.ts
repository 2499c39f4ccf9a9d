import { extractive } from '../../models/writer.ts'
import {
  anyPredicate,
  assertionsOfSession,
  citationsOf,
  type NewAssertion,
  recordingTime,
  storeAssertion,
  withdrawAssertion,
} from './assertions.ts'
import type { AssertionTable } from '../known-tables.ts'
import { ensureKnownOf, savePartition, nearTo } from '../partitions.ts'
import { abreast, type Program } from '../program.ts'
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
  const all = yield* readBefore(yield* nearTo(source), session, from, to)
  // Requests to forget are found without a model, whoever reads: they stay, also when a person dismissed them.
  const asked = new Set(all.filter(({ row }) => row.predicate_key === anyPredicate).map(({ seq }) => seq))
  const before = all.filter(({ row }) => row.predicate_key !== anyPredicate)
  const replaced = writer === extractive ? [] : before.filter(({ row }) => row.writer === extractive).map(({ row }) => row)
  const stand = new Set(before.filter(({ row }) => !replaced.includes(row)).map(({ seq }) => seq))
  if (facts.length === 0 && replaced.length === 0) return
  const owner = yield* ensureKnownOf(source, now)
  if (replaced.length > 0) owner.epoch += 1
  // Withdraws at the moment when the replacement is recorded: in between neither would be believed.
  const at = yield* recordingTime(owner, now)
  yield* abreast(replaced.map((row) => withdrawAssertion(row, at)))
  const ids: (string | undefined)[] = []
  for (const { restsOn, ...one } of facts) {
    const known = one.predicateKey === anyPredicate ? asked : stand
    if (one.sources.slice(0, 1).some(({ seq }) => known.has(seq))) ids.push(undefined)
    else ids.push(uuidText((yield* storeAssertion(owner, { ...one, dependsOn: restsOn.flatMap((place) => ids[place] ?? []) }, now)).fact))
  }
  yield* savePartition(owner)
}

function* readBefore(near: string, session: number, from: number, to: number): Program<readonly { row: AssertionTable; seq: number }[]> {
  const rows = new Map((yield* assertionsOfSession(near, session)).filter((row) => row.withdrawn_at === null).map((row) => [row.ord, row]))
  return (yield* citationsOf(near, session)).flatMap(({ ord, seq }) => {
    const row = rows.get(ord)
    return row === undefined || seq < from || seq > to ? [] : [{ row, seq }]
  })
}
