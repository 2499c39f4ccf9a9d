import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute } from '../terminal.ts'

/** What an import gives back, and an import that waits. */
export type ShownImport = Awaited<ReturnType<UserMemory['import']>>
type ShownWaiting = Awaited<ReturnType<UserMemory['imports']['list']>>[number]

const words: Readonly<Record<ShownImport['trust'], string>> = {
  store: 'this store signed it',
  key: 'a key that you trust signed it',
  none: 'nobody known here signed it',
  changed: 'its lines were changed since they were signed',
}

function fromOf({ from, trust }: Pick<ShownWaiting, 'from' | 'trust'>): string {
  const whose = from.shared === true ? 'what its members share' : from.user === undefined ? 'the anonymous user' : harmlessLine(from.user)
  return `From project ${harmlessLine(from.project)}, ${whose}, exported ${minute(from.exportedAt)}; ${words[trust]}.`
}

function kindsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${harmlessLine(kind)}`)
    .join(', ')
}

/** Says what became of an import. */
export function importedLines(imported: ShownImport): string[] {
  const { state, stored, duplicates, kept, leftOut, forgotten, lines } = imported
  if (state === 'waiting') return [`${counted(lines, 'line')} wait: nothing of them is found before you accept them.`, fromOf(imported)]
  const rows: [string, string][] = [
    ['stored', kindsOf(stored)],
    ['there already', kindsOf(duplicates)],
    ['changed here, and kept', kindsOf(kept)],
    ['left out', kindsOf(leftOut)],
    ['forgotten', forgotten === 0 ? '' : counted(forgotten, 'message')],
  ]
  return [fromOf(imported), ...rows.filter(([, told]) => told !== '').map(([name, told]) => `${name}: ${told}`)]
}

const stateWords: Readonly<Record<ShownWaiting['state'], (waiting: ShownWaiting) => string>> = {
  waiting: () => 'waits to be accepted',
  coming: () => 'its lines are being read, or were cut off',
  applying: ({ applied }) => `${counted(applied, 'line')} of them applied; it goes on, or was stopped`,
  discarding: () => 'is being thrown away, or that was stopped',
}

/** Shows an import that is not done, in two lines. */
export function waitingImportLines(waiting: ShownWaiting): string[] {
  return [`${waiting.id}  ${counted(waiting.lines, 'line')}, ${stateWords[waiting.state](waiting)}`, `   ${fromOf(waiting)}`]
}

/** Shows the texts of an import that waits. They are somebody's words, and are defused like all others. */
export function waitingTextLines({ kind, text }: { readonly kind: string; readonly text: string }): string[] {
  return [
    `${harmlessLine(kind)}:`,
    ...harmless(text)
      .split('\n')
      .map((line) => `   ${line}`),
  ]
}
