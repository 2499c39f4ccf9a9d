import { linesOf } from '../pages/lines.ts'
import { applyEdits } from '../pages/edits.ts'
import { maxDescriptionCharacters } from './limits.ts'
import { factKey } from './names.ts'

/** A fact and the day on which it was said: `2026-05-08`. */
export interface DatedFact {
  readonly fact: string
  readonly day: string
}

export interface Bulleted {
  readonly content: string
  /** Bullets that were added, and dated ones that gave way to them, the oldest first. */
  readonly added: number
  readonly gaveWay: number
  /** Facts that found no room beside what is no dated bullet. */
  readonly leftOut: number
}

const dated = /^[-*+] \d{4}-\d\d-\d\d: (.*)$/u
const bullet = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/u

/**
 * A document with facts as dated bullets at its end. What stands there already is not said again. Over the most characters,
 * the oldest dated bullets give way; lines of another kind stay.
 *
 * @example addBullets('', [{ fact: 'The bike is red.', day: '2026-05-08' }], 1000).content // '- 2026-05-08: The bike is red.\n'
 */
export function addBullets(content: string, facts: readonly DatedFact[], maxCharacters: number): Bulleted {
  const known = new Set(linesIn(content).map((line) => factKey(said(line))))
  const fresh = facts.map(({ fact, day }) => ({ fact: fact.replaceAll(/\s+/g, ' ').trim(), day })).filter(({ fact }) => fact !== '' && known.size < known.add(factKey(fact)).size)
  const bullets = fresh.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)).map(({ fact, day }) => `- ${day}: ${fact}`)
  const old = linesIn(content).flatMap((line, place) => (dated.test(line) ? [{ line: place + 1, day: line.slice(2, 12) }] : [])).toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.line - b.line)).map(({ line }) => line)
  const tried = (gone: number, added: number): string => edited(content, old.slice(0, gone), bullets.slice(bullets.length - added))
  // The newest facts first of all: what is left out is older than what is kept.
  for (let added = bullets.length; added > 0; added -= 1) {
    const gaveWay = leastThat(old.length, (gone) => tried(gone, added).length <= maxCharacters)
    if (gaveWay !== undefined) return { content: tried(gaveWay, added), added, gaveWay, leftOut: bullets.length - added }
  }
  return { content, added: 0, gaveWay: 0, leftOut: bullets.length }
}

/** What a document is found by, made of what it says: its name, its first lines, then its newest ones. '' only for one without a name. */
export function descriptionOf(name: string, content: string): string {
  const lines = linesIn(content).map((line) => said(line).replace(/^#{1,6}\s+/, '').replaceAll(/\*\*|`/g, '').trim()).filter((line) => /[\p{L}\p{N}]/u.test(line))
  const inOrder = [...new Set([...lines.slice(0, 2), ...lines.slice(2).toReversed()])]
  const head = name.slice(0, maxDescriptionCharacters).toWellFormed()
  let [text, joint] = [head, ': ']
  for (const line of inOrder) {
    const longer = `${text}${joint}${line.replace(/[.;,]+$/, '')}`
    if (longer.length > maxDescriptionCharacters) continue
    ;[text, joint] = [longer, '; ']
  }
  return text
}

function edited(content: string, gone: readonly number[], bullets: readonly string[]): string {
  const result = applyEdits(content, [...gone.map((line) => ({ tool: 'delete_lines' as const, from: line, to: line })), { tool: 'append', text: bullets.join('\n') }])
  return 'content' in result ? result.content : content
}

/** The least number up to `most` for which it holds, given that it holds for all larger ones. */
function leastThat(most: number, holds: (number: number) => boolean): number | undefined {
  if (!holds(most)) return undefined
  let [from, to] = [0, most]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return to
}

function linesIn(content: string): string[] {
  return linesOf(content).map(({ start, end }) => content.slice(start, end))
}

/** A line without what makes it an item, and without its day. */
function said(line: string): string {
  return dated.exec(line)?.[1] ?? bullet.exec(line)?.[1] ?? line
}
