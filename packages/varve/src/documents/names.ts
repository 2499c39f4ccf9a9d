import { fold } from '../index/words.ts'

const articles = /^(?:the|an?|my|our) (?=\S)/

/** Signs that part words. A point before a name belongs to it (.NET), and so do these behind one (C#, 10%). */
const signs = /((?<![\p{L}\p{N}])\.(?=\p{L})|(?<=[\p{L}\p{N}][#%]{0,3})[#%])|\p{P}/gu

/**
 * Gives the key of a document's name, without regard to case, blanks, punctuation or an article before it. '' for no
 * name.
 *
 * @example nameKey('The  Linea-Mini!') === nameKey('my linea mini') // true
 */
export function nameKey(name: string): string {
  const spelt = fold(name).replaceAll('&', ' and ').replaceAll("'", '')
  const key = inOneLine(fold(spelt.replaceAll(signs, (_, kept: string | undefined) => kept ?? ' ')))
  return withoutArticles(key === '' ? inOneLine(spelt) : key)
}

/** Gives the key of a fact, without regard to case, blanks or its last signs. Two facts may differ only in a sign within them. */
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
