import { fold } from '../index/words.ts'
import { self } from '../storage/known/entities.ts'

const selfNames: ReadonlySet<string> = new Set(['', 'i', 'me', 'my', 'mine', 'myself', 'user', 'the user', 'this user'])
const article = /^(?:the|a|an) (?=\S)/

/** A name or an object as it is compared: folded, blanks as one, without signs around it or an article before it. */
export function entityKey(text: string): string {
  const key = comparedText(text.replaceAll(self, ''))
  return selfNames.has(key) ? self : key.replace(article, '')
}

/** An object as it is compared: only of a name can it be told that it is the user's own. */
export function objectKey(text: string): string {
  return comparedText(text).replace(article, '')
}

/** What is compared of a text; one of signs alone is compared as it is. */
export function comparedText(text: string): string {
  const folded = fold(text).replace(/\s+/g, ' ').trim()
  return trimmed(folded) || folded
}

/** Without the signs at its ends, by hand: an expression would look at a long run of them over and over. */
function trimmed(text: string): string {
  const isSign = (at: number): boolean => edgeSigns.has(text.charAt(at))
  let [from, to] = [0, text.length]
  while (from < to && isSign(from)) from += 1
  while (to > from && isSign(to - 1)) to -= 1
  return text.slice(from, to)
}

const edgeSigns: ReadonlySet<string> = new Set(' "\'“”„«».,;:!?()[]')
