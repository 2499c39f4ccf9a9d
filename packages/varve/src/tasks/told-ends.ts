import { denyingWords, endWords, emptyDenials } from './end-words.ts'
import { folded } from './folded.ts'

/** Made when the first quote is read: that takes 9 ms, and most processes and threads read none. */
let patterns: { readonly ends: RegExp; readonly denial: RegExp; readonly noDenial: RegExp } | undefined

function known(): NonNullable<typeof patterns> {
  patterns ??= {
    ends: patternOf(Object.values(endWords).flat()),
    denial: patternOf(denyingWords),
    noDenial: new RegExp(patternOf(emptyDenials).source, 'gu'),
  }
  return patterns
}

/** A sign that ends a clause. */
const clauseEnd = /[,;:.!?()]/

/**
 * Tells whether a quote says that something ended or never was. It has words of an end, or denies the object: "I don't
 * like olives". `language` is the conversation's; a language without a list of such words is not checked.
 */
export function tellsEnd(quote: string, object: string, language: string): boolean {
  if (!isListed(language, quote)) return true
  const [read, thing] = [folded(quote), folded(object)]
  return known().ends.test(withoutArrival(read, thing)) || denies(read.replace(known().noDenial, ' , '), thing)
}

/** Tells whether the words of an end are listed for a conversation's language, or for that of a quote in Latin letters. */
function isListed(language: string, quote: string): boolean {
  if (language !== '' && !Object.hasOwn(endWords, language)) return false
  const letters = quote.match(/\p{L}/gu) ?? []
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length * 2 > letters.length
}

/** The words before an object that a change leads to: "moved to". It ends another object, not this one. */
const arrival = /(?:moved|moving|switch\p{L}*|chang\p{L}*|migrated)\s(?:back\s|over\s)?to\s(?:the\s|an?\s)?$/u

function withoutArrival(quote: string, object: string): string {
  const at = object === '' ? -1 : quote.indexOf(object)
  return at === -1 ? quote : quote.slice(0, at).replace(arrival, '') + quote.slice(at)
}

/** Tells whether a denial stands before the object, in the same clause. A quote that does not name the object may deny it anywhere. */
function denies(quote: string, object: string): boolean {
  const first = object.match(/[\p{L}\p{N}]{3,}/u)?.[0] ?? object
  const at = object === '' ? -1 : Math.max(quote.indexOf(object), quote.indexOf(first))
  if (at === -1) return known().denial.test(quote)
  return known().denial.test(quote.slice(0, at).split(clauseEnd).at(-1) ?? '')
}

/** Makes a pattern of whole words from a list of them. */
function patternOf(listed: readonly string[]): RegExp {
  const sources = listed.map((one) =>
    one
      .split(' ')
      .map((word) => (word.endsWith('-') ? `${word.slice(0, -1)}[\\p{L}\\p{M}]*` : word))
      .join(' ')
      .replaceAll(' … ', String.raw`(?: [\p{L}\p{M}\p{N}'-]{1,30}){0,4} `)
      .replaceAll(' ', String.raw`\s{1,4}`),
  )
  return new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}])(?:${sources.join('|')})(?![\p{L}\p{M}\p{N}])`, 'u')
}
