import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'

export type ListedBlock = Awaited<ReturnType<UserMemory['blocks']['list']>>[number]
type Revision = Awaited<ReturnType<UserMemory['blocks']['revisions']>>[number]

const indent = '   '
const mostLines = 8

/** Shows a block in a list: its place, its name, and its text. */
export function blockLines(block: ListedBlock, width: number | undefined): string[] {
  const whose = block.shared === true ? '  of all members' : ''
  return [
    `${`${block.position}.`.padEnd(indent.length)}${paint('cyan', harmlessLine(block.name))}${whose}`,
    ...paragraph(harmless(block.text), { indent, width, mostLines }),
    paint('dim', `${indent}${blockDetails(block)}`),
  ]
}

/** Gives a block's length and bound, its revision, the time of the last change, and its writer. */
export function blockDetails({ chars, maxChars, revision, updatedAt, writer }: ListedBlock): string {
  return (
    `${chars.toLocaleString('en')} of ${counted(maxChars, 'character')}, revision ${revision}, ${minute(updatedAt)} by ` +
    `${harmlessLine(writer)}`
  )
}

/** Shows a revision of a block: its text, its writer, and the talk in which it was written. */
export function blockRevisionLines({ revision, at, writer, chars, text, lineage }: Revision, width: number | undefined): string[] {
  const during = lineage.map(({ session, from, to }) => `, during ${harmlessLine(session)} #${from} to #${to}`).join('')
  return [
    `${paint('yellow', `revision ${revision}`)}  ${minute(at)}  by ${harmlessLine(writer)}, ${counted(chars, 'character')}${during}`,
    ...paragraph(harmless(text), { indent, width, mostLines }),
  ]
}
