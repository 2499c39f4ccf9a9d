import type { Memory } from '../../memory/memory.ts'
import { nameLine } from '../../messages/shown-name.ts'
import { harmlessLine, minute } from '../terminal.ts'

type ListedEntry = Awaited<ReturnType<Memory['audit']['list']>>[number]

const shownName = (name: string): string => nameLine(harmlessLine(name))

/** Shows an entry: `2026-11-26 09:00  forget  200  forget  acme/ada  by the web app (0199…)  0199…`. */
export function auditLine({ at, act, status, operation, project, user, key, keyName, items }: ListedEntry): string {
  const place = project === undefined ? '-' : user === undefined ? shownName(project) : `${shownName(project)}/${shownName(user)}`
  const by = key === undefined ? 'no key' : keyName === undefined ? key : `${shownName(keyName)} (${key})`
  return [minute(at), act.padEnd(6), String(status), operation, place, `by ${by}`, ...items].join('  ')
}
