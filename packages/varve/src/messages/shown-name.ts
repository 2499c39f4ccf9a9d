import { defusedLine } from './defused.ts'

/** The longest name that is shown, in UTF-16 code units. A name is somebody's text. */
export const longestName = 80

/** The part of a name that is read, in UTF-16 code units: a pattern runs out of stack on millions of blanks. */
const longestRead = 1_000

/** Signs with which a name could end and a text begin, or pass for Varve's own head of a line. */
const heads = /[:：﹕︓∶꞉ː"＂“”]|^[[(#>*=‹⟦-]/u

/** Names of those who speak in a chat template. */
const roles: ReadonlySet<string> = new Set(
  'user assistant system tool function developer human ai model bot chatbot agent instruction instructions response'.split(' '),
)

/** Puts a name in one line, of at most 80 characters. */
export function nameLine(name: string): string {
  const line = defusedLine(name.slice(0, longestRead))
  if (line.length <= longestName) return line
  return `${line
    .slice(0, longestName - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}

/**
 * Shows a name before a text. A name that passes for the next speaker's line, or for a role that its speaker does not
 * have, stands in quotation marks: `"Bob: yes. Ada": no`.
 */
export function shownName(name: string, role?: string): string {
  const line = nameLine(name)
  const plain = line.normalize('NFKC').toLowerCase()
  return heads.test(line) || line === '' || (roles.has(plain) && plain !== role) ? `"${line.replace(/["＂“”]/gu, "'")}"` : line
}
