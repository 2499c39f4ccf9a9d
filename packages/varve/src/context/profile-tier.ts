import { localDay } from '../bank/periods.ts'
import type { Fact } from '../facts/fact.ts'
import { bankSettings } from '../bank/settings.ts'
import { toldInContext } from '../facts/portrayed.ts'
import type { SubjectFacts } from '../facts/profiles.ts'
import { recallFacts } from '../recall/fact-hits.ts'
import type { FactHit } from '../recall/hit.ts'
import { byHand } from '../models/writer.ts'
import { projectSettings } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { type Candidate, madeOf, reasonOf } from './candidates.ts'
import { contextName, contextText } from './quoted-text.ts'
import type { TierInput } from './tier-input.ts'

/** The most facts that answer the question. They come before the facts that are always told. */
const mostAsked = 8

/**
 * Gives the facts of a user: first the answers to the question, the best first, then who the person is, tastes and a
 * few others. A question about the person, "what do you know about me?", asks for all of them.
 */
export function* profileTier({ segments, partition, request, asked: vector, profiles, opening }: TierInput): Program<Candidate[]> {
  const { tiers, recall } = request
  const known = yield* profiles.of(partition, recall.now)
  if (known.length === 0) return []
  const subjects = opening === 'asked' ? known : known.map(({ subject, facts }) => ({ subject, facts: toldInContext(facts) }))
  const hits = yield* recallFacts(
    segments,
    partition,
    // A fact is known of the user, not of one conversation.
    { ...recall, excludeSession: undefined, limit: mostAsked, validAt: recall.now, asOf: Number.POSITIVE_INFINITY },
    vector,
  )
  const asked = hits.filter(({ fact }) => !fact.doubtful && fact.unverified !== true)
  const { timeZone } = bankSettings(yield* projectSettings(partition.project))
  const found = new Map(asked.map((hit) => [hit.id, hit]))
  const candidates = profileCandidates(withAsked(subjects, asked), timeZone).map((candidate) => {
    const hit = found.get(candidate.id)
    return hit === undefined ? candidate : { ...candidate, reason: reasonOf(hit), isAsked: true, made: madeOf(hit) }
  })
  const place = new Map(asked.map(({ id }, at) => [id, at]))
  return candidates.toSorted((a, b) => (place.get(a.id) ?? mostAsked) - (place.get(b.id) ?? mostAsked)).slice(0, tiers.profile.limit)
}

/** Puts the facts that answer first, by subject. Some of them were said too seldom to be always told. */
function withAsked(subjects: readonly SubjectFacts[], asked: readonly FactHit[]): readonly SubjectFacts[] {
  const ids = new Set(asked.map(({ id }) => id))
  const first = Map.groupBy(
    asked.map(({ fact }) => fact),
    ({ subject }) => subject,
  )
  const known = new Set(subjects.map(({ subject }) => subject))
  return [
    ...subjects.map(({ subject, facts }) => ({
      subject,
      facts: [...(first.get(subject) ?? []), ...facts.filter(({ id }) => !ids.has(id))],
    })),
    ...[...first].filter(([subject]) => !known.has(subject)).map(([subject, facts]) => ({ subject, facts })),
  ]
}

/** Makes a line for each fact of a subject, each with its date. */
export function profileCandidates(subjects: readonly SubjectFacts[], timeZone: string): Candidate[] {
  return subjects.flatMap(({ subject, facts }, place) =>
    facts.map((fact, seq) => ({
      tier: 'profile' as const,
      id: fact.id,
      reason: `known of ${subject}, ${told(fact)}`,
      line: `- ${contextText(`${fact.predicate} ${fact.object}`)} (${[datesOf(fact, timeZone), ...noted(fact)].join(', ')})`,
      heading: `About ${contextName(subject, 'user')}:`,
      at: place,
      seq,
      session: `${place} ${subject}`,
    })),
  )
}

function told(fact: Fact): string {
  const times = fact.sources.length
  const [by = 'added by hand'] = noted(fact)
  return times === 0 ? by : times === 1 ? 'said once' : `said ${times} times`
}

/** Tells that no person said a fact: an agent noted it. */
function noted({ sources, writer }: Fact): string[] {
  return sources.length > 0 || writer === byHand ? [] : [`noted by ${contextName(writer, 'agent')}, not said`]
}

/**
 * Formats the dates of a fact. An event has its day ("7 May 2023"), a plan the day for which it is; any other fact has its
 * first and its last day. Days are of the project's zone, both included.
 */
function datesOf({ validFrom, validUntil, when }: Fact, timeZone: string): string {
  const [first, last] = [(at: number) => localDay(at, timeZone), (until: number) => localDay(until - 1, timeZone)]
  if (validUntil !== undefined && first(validFrom) === last(validUntil)) return writtenDay(validFrom, timeZone)
  if (validUntil !== undefined && when?.from === validFrom && when.to === validUntil) return `${first(validFrom)} to ${last(validUntil)}`
  if (when?.from !== undefined && when.to !== undefined && when.to === validUntil && when.from > validFrom)
    return first(when.from) === last(when.to) ? `on ${first(when.from)}` : `${first(when.from)} to ${last(when.to)}`
  return `since ${first(validFrom)}${validUntil === undefined ? '' : `, until ${last(validUntil)}`}`
}

/** Writes a day: "7 May 2023". */
function writtenDay(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(at)
}
