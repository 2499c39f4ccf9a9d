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

/** The name of the document on a partition's own user, when the user has no name. */
const nameless = 'The user'

/** Gives the name of a message's speaker. One without a name is the partition's own user. */
export function speakerNamed(name: string | null | undefined, owner: string): string {
  return name ?? (owner === '' ? nameless : owner)
}

/** Names a thing after its speaker, or the speaker. A thing of the partition's own user needs no other name. */
export function ofSpeaker(thing: string | undefined, name: string | undefined, owner: string): string {
  if (thing === undefined) return speakerNamed(name, owner)
  return name === undefined ? thing : `${possessive(name)}${thing}`
}

/** Gives the thing of a speaker that a subject names; undefined when it names none. */
export function thingOf(subject: string, speaker: string): string | undefined {
  return subject.startsWith(possessive(speaker)) ? subject.slice(possessive(speaker).length) : undefined
}

/** Tells whether a subject has a name of its own: the speaker, or what begins with a capital and is not a speaker's thing. */
export function isNamed(subject: string, speaker: string): boolean {
  return nameKey(subject) === nameKey(speaker) || (/^\p{Lu}/u.test(subject) && thingOf(subject, speaker) === undefined)
}

function possessive(name: string): string {
  return `${name}'s `
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
