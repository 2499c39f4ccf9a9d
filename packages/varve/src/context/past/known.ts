import type { Fact } from '../../facts/fact.ts'
import { factsWith } from '../../facts/read-facts.ts'
import { instructionsWith } from '../../instructions/read-instructions.ts'
import type { ShownItem } from '../../storage/log/past-contexts.ts'
import type { Program } from '../../storage/program.ts'
import { instructionCandidate } from '../instructions.ts'
import { profileCandidates } from '../profile-tier.ts'
import { type Form, pastIds, type PastInput, type Remade, remade } from './remade.ts'

/** Makes the lines of facts again, as they were believed at the time of the context. */
export function* remadeFacts(input: PastInput, items: readonly ShownItem[]): Program<readonly Remade[]> {
  const { partition, at, now, timeZone } = input
  const ids = pastIds(items)
  const then = yield* factsWith(partition, ids, { validAt: at, asOf: at })
  const since = yield* factsWith(partition, ids, { validAt: at, asOf: Number.POSITIVE_INFINITY })
  const present = yield* factsWith(partition, ids, { validAt: now, asOf: Number.POSITIVE_INFINITY })
  return items.map((item) => {
    const facts = [then, since, present].flatMap((known) => known.get(item.id ?? '') ?? [])
    const last = present.get(item.id ?? '') ?? facts.at(-1)
    return remade(input, item, last === undefined ? undefined : sourceOf(last, facts, timeZone))
  })
}

function sourceOf(last: Fact, facts: readonly Fact[], timeZone: string) {
  const forms = facts.flatMap((fact): Form[] => profileCandidates([{ subject: fact.subject, facts: [fact] }], timeZone))
  return { forms, recordedAt: last.recordedAt, endedAt: last.supersededAt ?? last.validUntil }
}

/** Makes the lines of instructions again. */
export function* remadeInstructions(input: PastInput, items: readonly ShownItem[]): Program<readonly Remade[]> {
  const known = yield* instructionsWith(input.partition, new Set(pastIds(items)))
  return items.map((item) => {
    const one = known.get(item.id ?? '')
    if (one === undefined) return remade(input, item, undefined)
    return remade(input, item, { forms: [instructionCandidate(one, 0, input.timeZone)], recordedAt: one.recordedAt, endedAt: one.until })
  })
}
