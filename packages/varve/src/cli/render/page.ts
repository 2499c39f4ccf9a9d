import type { UserMemory } from '../../memory/user-memory.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { counted, harmless, harmlessLine, minute, paint, print, printJson, printParts, printWhole } from '../terminal.ts'

export type ListedRevision = Awaited<ReturnType<UserMemory['documents']['revisions']>>[number]

/** The most revisions to ask for: a page keeps the words of no more. */
export const mostRevisions = 200

export interface PageFlags extends GlobalFlags {
  /** Shows each line with its number. */
  readonly lines?: boolean
}

/**
 * Prints a page: byte for byte into a pipe or a file, and without control characters on a terminal. The last line is
 * ended. With `lines`, each line has the number by which edits name it.
 */
export function printPage(content: string, { lines = false }: PageFlags): void {
  printWhole((lines ? numbered : (page: string) => page)(content.replace(/\n$/, '')))
}

function numbered(content: string): string {
  const lines = content.split('\n')
  const width = String(lines.length).length
  return lines.map((line, place) => `${String(place + 1).padStart(width)}  ${line}`.trimEnd()).join('\n')
}

/** Shows a revision: its time, its writer, its messages, and its difference from the one before. */
export function revisionLines(revision: ListedRevision): string[] {
  const { at, writer, content, diff, lineage } = revision
  const from =
    lineage.length === 0
      ? ''
      : `, from ${lineage.map(({ session, from, to }) => `${harmlessLine(session)} #${from}${from === to ? '' : ` to #${to}`}`).join(', ')}`
  const head = `${paint('yellow', `revision ${revision.revision}`)}  ${minute(at)}  by ${harmlessLine(writer)}${from}`
  if (content === undefined) return [head, paint('dim', '   its words are not kept any more')]
  return [
    head,
    ...(diff === undefined
      ? [paint('dim', `   ${counted(content.length, 'character')}; the revision before is not kept any more`)]
      : diffLines(diff, '   ')),
  ]
}

/** Gives the lines of a unified diff, without its heads. */
export function diffLines(diff: string, indent: string): string[] {
  const lines = diff
    .split('\n')
    .slice(2)
    .filter((line, place, all) => line !== '' || place < all.length - 1)
  return lines.map((line) => `${indent}${painted(harmless(line).replaceAll('\n', ' '))}`.trimEnd())
}

function painted(line: string): string {
  if (line.startsWith('@@')) return paint('cyan', line)
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}

export function printRevisions(revisions: readonly ListedRevision[], { json }: GlobalFlags): void {
  if (json === true) return printJson({ revisions })
  printParts(revisions.map(revisionLines))
}

/** Prints the revision with this number. */
export function printRevision(revisions: readonly ListedRevision[], number: number, next: string, { json }: GlobalFlags): void {
  const revision = revisions.find((one) => one.revision === number)
  if (revision === undefined) throw new CommandError(`there is no revision ${number}.`, { code: 'USAGE', exitCode: 1, next })
  if (json === true) return printJson({ revision })
  print(revisionLines(revision).join('\n'))
}
