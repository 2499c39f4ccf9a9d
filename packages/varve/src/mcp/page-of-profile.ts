import { countedKinds } from '../messages/counted-kinds.ts'
import { defusedLine } from '../messages/defused.ts'
import { shownName } from '../messages/shown-name.ts'
import type { userOperations } from '../operations/user.ts'

type Profile = Awaited<ReturnType<typeof userOperations.profile.run>>

/** Shows a profile as a page: counts of all that is stored, and the facts that hold now. */
export function pageOfProfile({ user, counts, subjects }: Profile): string {
  const facts = subjects.flatMap(({ subject, facts: told }) => [
    '',
    `About ${shownName(subject)}:`,
    ...told.map((fact) => `- ${defusedLine(fact.predicate)} ${defusedLine(fact.object)} (since ${dayOf(fact.validFrom)}${noted(fact)})`),
  ])
  const head = user === undefined ? 'the anonymous user' : `the user ${shownName(user)}`
  return [`Memory of ${head}: ${countedKinds(counts)}.`, ...facts].join('\n')
}

/** Tells that an agent noted it: no words of a person say so. */
function noted({ sources, writer }: Profile['subjects'][number]['facts'][number]): string {
  return sources.length > 0 || writer === 'person' ? '' : `; noted by ${shownName(writer)}, not said`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
