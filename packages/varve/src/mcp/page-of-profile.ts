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
    ...told.map(({ predicate, object, validFrom }) => `- ${defusedLine(predicate)} ${defusedLine(object)} (since ${dayOf(validFrom)})`),
  ])
  const head = user === undefined ? 'the anonymous user' : `the user ${shownName(user)}`
  return [`Memory of ${head}: ${some.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing yet'}.`, ...facts].join('\n')
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
