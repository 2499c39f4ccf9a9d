import type { CuePhrases } from './language-pack.ts'
import { languagePacks } from './languages.ts'
import { regex } from './word-lists.ts'

/** Returns a pattern that finds any of the phrases of any language as whole words, in upper or lower case. */
function anyOf(kind: keyof CuePhrases): RegExp {
  const phrases = languagePacks.flatMap(({ cues }) => cues[kind])
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

export const decision = anyOf('decision')
export const standing = anyOf('standing')
export const timeWord = anyOf('time')
export const firstPerson = anyOf('firstPerson')
export const secondPerson = anyOf('secondPerson')
export const pointsBack = new RegExp(String.raw`^(?:${languagePacks.flatMap(({ cues }) => cues.pointsBack).join('|')})(?![\p{L}])`, 'iu')

/** Amounts, dates and versions hold a digit, in any script. */
export const anyDigit = /\p{N}/u

/** Ticket numbers, files, versions, names of code: nobody can guess them once they are lost. */
export const identifier = regex('u')`\b[A-Z]{2,20}-?\d{1,20}\b|#\d|\bv?\d{1,9}\.\d{1,9}\.\d{1,9}\b|\w_\w|\b[a-z]{1,40}[A-Z]|[\w-]\.(?:ts|js|
  py|json|md|csv|pdf|sql|ya?ml|txt|html|css|go|rs|java)\b|[\w.+-]@[\w-]{1,60}\.\w`

export const questionMark = /[?？؟]["'”’)\s]*$/u
