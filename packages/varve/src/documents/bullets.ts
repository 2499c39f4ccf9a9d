import { linesOf } from '../pages/lines.ts'
import { applyEdits } from '../pages/edits.ts'
import { maxDescriptionCharacters } from './limits.ts'
import { factKey } from './names.ts'

/** A fact and the day on which it was said: `2026-05-08`. `speaker` is there for words of somebody with a name. */
export interface DatedFact {
  readonly fact: string
  readonly day: string
  readonly speaker?: string | undefined
}

const dated = /^[-*+] \d{4}-\d\d-\d\d(?:, (?<speaker>.{1,256}?))?: (?<fact>.*)$/u
const bullet = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/u

/**
 * Adds a fact to a document as a dated bullet at its end. Gives the document as it is when it says that already, of the same
 * speaker where the line names one. Undefined when there is no room.
 *
 * @example withBullet('', { fact: 'My bike is red.', day: '2026-05-08', speaker: 'Ada' }, 1_000) // '- 2026-05-08, Ada: My bike is red.\n'
 */
export function withBullet(content: string, { fact, day, speaker }: DatedFact, maxCharacters: number): string | undefined {
  const text = fact.replaceAll(/\s+/g, ' ').trim()
  const key = factKey(text)
  const named = speaker === undefined ? undefined : inLine(speaker)
  const isToldBy = (line: string): boolean => [undefined, named].includes(dated.exec(line)?.groups?.speaker)
  if (text === '' || linesIn(content).some((line) => isToldBy(line) && tells(factKey(said(line)), key))) return content
  const result = applyEdits(content, [{ tool: 'append', text: `- ${day}${named === undefined ? '' : `, ${named}`}: ${text}` }])
  return 'content' in result && result.content.length <= maxCharacters ? result.content : undefined
}

/**
 * Makes the description by which a document is found: its name, its first lines, then its newest ones. '' only for a
 * document without a name.
 */
export function descriptionOf(name: string, content: string): string {
  const lines = linesIn(content)
    .map((line) =>
      said(line)
        .replace(/^#{1,6}\s+/, '')
        .replaceAll(/\*\*|`/g, '')
        .trim(),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  const inOrder = [...new Set([...lines.slice(0, 2), ...lines.slice(2).toReversed()])]
  const head = name.slice(0, maxDescriptionCharacters).toWellFormed()
  let [text, joint] = [head, ': ']
  for (const line of inOrder) {
    const longer = `${text}${joint}${withoutEnd(line)}`
    if (longer.length > maxDescriptionCharacters) continue
    ;[text, joint] = [longer, '; ']
  }
  return text
}

/** A colon and a blank end a name in a bullet. */
function inLine(speaker: string): string {
  return speaker.replaceAll(/[:\s]+(?=\s|$)/gu, '').replaceAll(/\s+/gu, ' ')
}

/** Words before a statement that say nothing. */
const opening = /^(?:(?:btw|by the way|also|so|well|ok|okay|oh|fyi|update),? )+$/

/** Tells whether a line says a fact: in as many words, or as a whole clause of its own. A number that goes on is another. */
function tells(line: string, fact: string): boolean {
  if (line === fact) return true
  if (line.startsWith(fact)) return /^,? (?:and|but) (?!\d)/.test(line.slice(fact.length))
  return line.endsWith(` and ${fact}`) || (line.endsWith(`, ${fact}`) && opening.test(line.slice(0, -fact.length)))
}

function linesIn(content: string): string[] {
  return linesOf(content).map(({ start, end }) => content.slice(start, end))
}

/** Removes the marks at the end of a line, in linear time. */
function withoutEnd(line: string): string {
  let to = line.length
  while (to > 0 && '.;,'.includes(line.charAt(to - 1))) to -= 1
  return line.slice(0, to)
}

/** Gives a line without its bullet or number, and without its day. */
function said(line: string): string {
  return dated.exec(line)?.groups?.fact ?? bullet.exec(line)?.[1] ?? line
}
