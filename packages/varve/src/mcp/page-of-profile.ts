import { defusedLine } from '../messages/defused.ts'
import { shownName } from '../messages/shown-name.ts'
import type { userOperations } from '../operations/user.ts'

type Profile = Awaited<ReturnType<typeof userOperations.profile.run>>

/** Shows a profile as a page: its counts, and the facts that hold now. */
export function pageOfProfile({ user, counts, subjects }: Profile): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  const facts = subjects.flatMap(({ subject, facts: told }) => [
    '',
    `About ${shownName(subject)}:`,
    ...told.map((fact) => `- ${defusedLine(fact.predicate)} ${defusedLine(fact.object)} (since ${dayOf(fact.validFrom)}${noted(fact)})`),
  ])
  const head = user === undefined ? 'the anonymous user' : `the user ${shownName(user)}`
  return [`Memory of ${head}: ${some.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing yet'}.`, ...facts].join('\n')
}

/** Tells that an agent noted it: no words of a person say so. */
function noted({ sources, writer }: Profile['subjects'][number]['facts'][number]): string {
  return sources.length > 0 || writer === 'person' ? '' : `; noted by ${shownName(writer)}, not said`
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
