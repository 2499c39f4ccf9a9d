import { countedKinds } from '../messages/counted-kinds.ts'
import { defusedLine } from '../messages/defused.ts'
import { shownName } from '../messages/shown-name.ts'
import type { userOperations } from '../operations/user.ts'

type Profile = Awaited<ReturnType<typeof userOperations.profile.run>>

/** Shows a profile as a page: counts of all that is stored, and each person in the words that were said. */
export function pageOfProfile({ user, counts, portraits }: Profile): string {
  const lines = portraits.flatMap(({ subject, sayings }) => [
    '',
    `About ${shownName(subject)}, as it was said:`,
    ...sayings.map(sayingLine),
  ])
  const head = user === undefined ? 'the anonymous user' : `the user ${shownName(user)}`
  return [`Memory of ${head}: ${countedKinds(counts)}.`, ...lines].join('\n')
}

function sayingLine({ text, at, notedBy }: Profile['portraits'][number]['sayings'][number]): string {
  const noted = notedBy === undefined ? '' : `; noted by ${shownName(notedBy)}, not said`
  return `- ${defusedLine(text)} (${new Date(at).toISOString().slice(0, 10)}${noted})`
}
