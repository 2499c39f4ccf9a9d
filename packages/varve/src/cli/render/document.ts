import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'

export type FullDocument = NonNullable<Awaited<ReturnType<UserMemory['documents']['read']>>>
export type ListedDocument = Awaited<ReturnType<UserMemory['documents']['list']>>[number]
type Recollected = Awaited<ReturnType<UserMemory['documents']['recollect']>>[number]

const indent = '   '
const mostLines = 8

/** Shows a document in a list: its name, its description, and its details. */
export function documentLines(document: ListedDocument, width: number | undefined): string[] {
  return [
    `${paint('cyan', harmlessLine(document.name))}${ofAll(document)}`,
    ...aboutLines(document, width),
    paint('dim', `${indent}${documentDetails(document)}`),
  ]
}

/** Shows the description. If it was made of the content, it begins with the name, which is left out: it stands above. */
function aboutLines({ name, description }: ListedDocument, width: number | undefined): string[] {
  const about = description.startsWith(`${name}: `) ? description.slice(name.length + 2) : description
  return about === '' ? [] : paragraph(harmless(about), { indent, width, mostLines: 3 })
}

/** Gives a document's length and bound, its revision, the time of the last change, and its writer. */
export function documentDetails({ chars, maxChars, revision, updatedAt, writer }: ListedDocument): string {
  return (
    `${chars.toLocaleString('en')} of ${counted(maxChars, 'character')}, revision ${revision}, ${minute(updatedAt)} by ` +
    `${harmlessLine(writer)}`
  )
}

/** Shows a found document with its passage. */
export function recollectedLines(found: Recollected, rank: number, width: number | undefined): string[] {
  const { score, name, passage, description, revision, updatedAt } = found
  return [
    `${`${rank}.`.padEnd(indent.length - 1)} ${paint('yellow', score.toFixed(3))}  ${paint('cyan', harmlessLine(name))}${ofAll(found)}`,
    ...paragraph(harmless(passage), { indent, width, mostLines }),
    ...paragraph(`= ${harmless(description)}${description === '' ? '' : ', '}revision ${revision}, ${minute(updatedAt)}`, {
      indent,
      width,
      mostLines: 3,
    }).map((line) => paint('dim', line)),
  ]
}

function ofAll({ shared }: { readonly shared?: true }): string {
  return shared === true ? '  of all members' : ''
}
