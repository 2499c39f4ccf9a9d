import { fold } from '../index/words.ts'
import { self } from '../storage/known/entities.ts'

const selfNames: ReadonlySet<string> = new Set(['', 'i', 'me', 'my', 'mine', 'myself', 'user', 'the user', 'this user'])
const article = /^(?:the|a|an) (?=\S)/

/** Gives the key of a name: folded, with single blanks, without the signs around it or an article before it. */
export function entityKey(text: string): string {
  const key = comparedText(text.replaceAll(self, ''))
  return selfNames.has(key) ? self : key.replace(article, '')
}

/** Gives the key of an object. Only a name can be the user's own, so an object is never "I". */
export function objectKey(text: string): string {
  return comparedText(text).replace(article, '')
}

/** Folds a text for comparison. A text of signs alone stays as it is. */
export function comparedText(text: string): string {
  const folded = fold(text).replace(/\s+/g, ' ').trim()
  return trimmed(folded) || folded
}

/** Removes the signs at both ends. By hand: a regular expression would scan a long run of them over and over. */
function trimmed(text: string): string {
  const isSign = (at: number): boolean => edgeSigns.has(text.charAt(at))
  let [from, to] = [0, text.length]
  while (from < to && isSign(from)) from += 1
  while (to > from && isSign(to - 1)) to -= 1
  return text.slice(from, to)
}

const edgeSigns: ReadonlySet<string> = new Set(' "\'“”„«».,;:!?()[]')
