import { fold } from '../index/words.ts'

const articles = /^(?:the|an?|my|our) (?=\S)/

/** Signs that part words. A point before a name belongs to it (.NET), and so do these behind one (C#, 10%). */
const signs = /((?<![\p{L}\p{N}])\.(?=\p{L})|(?<=[\p{L}\p{N}][#%]{0,3})[#%])|\p{P}/gu

/**
 * A document's name as it is compared: whatever the case, the blanks, the punctuation and the article before it. '' for no name.
 *
 * @example nameKey('The  Linea-Mini!') === nameKey('my linea mini') // true
 */
export function nameKey(name: string): string {
  const spelt = fold(name).replaceAll('&', ' and ').replaceAll("'", '')
  const key = inOneLine(fold(spelt.replaceAll(signs, (_, kept: string | undefined) => kept ?? ' ')))
  return withoutArticles(key === '' ? inOneLine(spelt) : key)
}

/** A fact as it is compared: whatever the case, the blanks and how it ends. A sign within one may be all that two differ in. */
export function factKey(fact: string): string {
  return inOneLine(fold(fact)).replace(/[.!;,\s]{1,9}$/, '')
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function withoutArticles(key: string): string {
  const rest = key.replace(articles, '')
  return rest === key ? key : withoutArticles(rest)
}
