import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, minute, paint, paragraph } from '../terminal.ts'

export type ListedBlock = Awaited<ReturnType<UserMemory['blocks']['list']>>[number]
type Revision = Awaited<ReturnType<UserMemory['blocks']['revisions']>>[number]

const indent = '   '
const mostLines = 8

/** A block among others: its place and name, and what it says. */
export function blockLines(block: ListedBlock, width: number | undefined): string[] {
  const whose = block.shared === true ? '  of all members' : ''
  return [
    `${`${block.position}.`.padEnd(indent.length)}${paint('cyan', harmless(block.name))}${whose}`,
    ...paragraph(harmless(block.text), { indent, width, mostLines }),
    paint('dim', `${indent}${blockDetails(block)}`),
  ]
}

/** How long it is and may be, and who wrote it when. */
export function blockDetails({ chars, maxChars, revision, updatedAt, writer }: ListedBlock): string {
  return (
    `${chars.toLocaleString('en')} of ${counted(maxChars, 'character')}, revision ${revision}, ${minute(updatedAt)} by ` +
    `${harmless(writer)}`
  )
}

/** What a block said, who wrote it, and in which talk. */
export function blockRevisionLines({ revision, at, writer, chars, text, lineage }: Revision, width: number | undefined): string[] {
  const during = lineage.map(({ session, from, to }) => `, during ${harmless(session)} #${from} to #${to}`).join('')
  return [
    `${paint('yellow', `revision ${revision}`)}  ${minute(at)}  by ${harmless(writer)}, ${counted(chars, 'character')}${during}`,
    ...paragraph(harmless(text), { indent, width, mostLines }),
  ]
}
