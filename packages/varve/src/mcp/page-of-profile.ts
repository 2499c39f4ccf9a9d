import { countedKinds } from '../messages/counted-kinds.ts'
import { defusedLine } from '../messages/defused.ts'
import { shownName } from '../messages/shown-name.ts'
import type { userOperations } from '../operations/user.ts'

type Profile = Awaited<ReturnType<typeof userOperations.profile.run>>

/** Shows a profile as a page: counts of all that is stored, and what is always told of each person. */
export function pageOfProfile({ user, counts, portraits }: Profile): string {
  const lines = portraits.flatMap(({ subject, facts, sayings }) => [
    '',
    `About ${shownName(subject)}:`,
    ...facts.map(factLine),
    ...sayings.map(sayingLine),
  ])
  const head = user === undefined ? 'the anonymous user' : `the user ${shownName(user)}`
  return [`Memory of ${head}: ${countedKinds(counts)}.`, ...lines].join('\n')
}

type ProfileFact = Profile['portraits'][number]['facts'][number]

function factLine(fact: ProfileFact): string {
  return `- ${defusedLine(fact.predicate)} ${defusedLine(fact.object)} (since ${dayOf(fact.validFrom)}${noted(fact)})`
}

function sayingLine({ text, at }: Profile['portraits'][number]['sayings'][number]): string {
  return `- ${defusedLine(text)} (${dayOf(at)})`
}

/** Tells that an agent noted it: no words of a person say so. */
function noted({ sources, writer }: ProfileFact): string {
  return sources.length > 0 || writer === 'person' ? '' : `; noted by ${shownName(writer)}, not said`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
