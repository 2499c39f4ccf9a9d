import { maxQueryLength, type QueryWord } from '../index/query.ts'
import { fold } from '../index/words.ts'
import type { Segment } from '../index/segment.ts'
import { nearlyNamed } from './near-name.ts'

/** Speakers that a question names, and the question's words without their names. */
export interface NamedSpeakers {
  readonly speakers: ReadonlySet<number>
  /** The speaker whom the question is about: the only one, or the first of two; undefined where that is not told. */
  readonly asked: number | undefined
  readonly words: readonly QueryWord[]
  /** The words of their names, folded. */
  readonly names: ReadonlySet<string>
}

/** More names than this are handles or ids, not people to ask about. */
const maxSpeakers = 2_000

/**
 * Reads the names of speakers in a question. A name says who spoke, not what was said: Ada's own words seldom have
 * "Ada" in them, and words to her often do. So names leave the words and mark her messages. Silent when nobody is
 * named. The words stay when nothing else would be left. Gained .06 to .1 any-hit@10 on dialogue with names.
 */
export function namedSpeakers(segment: Segment, words: readonly QueryWord[], question: string): NamedSpeakers {
  const text = question.slice(0, maxQueryLength)
  if (segment.liveSpeakers > maxSpeakers) return { speakers: new Set(), asked: undefined, words, names: new Set() }
  const asked = new Map(words.map((word, place) => [withoutPossessive(word.written), { word, place }]))
  const written = capitalised(text)
  const named = exactlyNamed(segment, asked, written)
  // By their places in the question: the first is the one that it is about.
  const places = new Map(named.map(({ speaker, place }) => [speaker, place]))
  const nameWords = new Set(named.flatMap(({ name }) => name))
  const firstNames = new Set(segment.speakerNames.flatMap(({ words: [given = ''], messages }) => (messages > 0 ? [given] : [])))
  for (const near of [...written].slice(0, mostNear)) {
    const said = asked.get(near)
    if (said === undefined || said.word.stop || firstNames.has(near)) continue
    const speaker = nearlyNamed(segment, segment.wordsFor(words), { ...said.word, written: near })
    if (speaker === undefined) continue
    places.set(speaker, Math.min(said.place, places.get(speaker) ?? said.place))
    nameWords.add(near)
  }
  const left = words.filter(({ written }) => !nameWords.has(withoutPossessive(written)))
  return {
    speakers: new Set(places.keys()),
    asked: askedOf(places, words, text),
    words: left.length === 0 ? words : left,
    names: nameWords,
  }
}

/** A speaker whom a question names, the place of the name in it, and the number of its words that the question has. */
interface Named {
  readonly speaker: number
  readonly name: readonly string[]
  readonly place: number
  readonly said: number
}

/**
 * Finds speakers whose first name a question says. Of two with that name it is the one whose family name it says, too.
 * "What will she do?" does not name Will.
 */
function exactlyNamed(
  { speakerNames }: Segment,
  asked: ReadonlyMap<string, { readonly word: QueryWord; readonly place: number }>,
  written: ReadonlySet<string>,
): Named[] {
  const found: Named[] = []
  const most = new Map<number, number>()
  for (const [speaker, { words: name, messages }] of speakerNames.entries()) {
    const [given = ''] = name
    const known = messages === 0 ? undefined : asked.get(given)
    if (known === undefined || (known.word.stop && hasCase(given) && !written.has(given))) continue
    const said = name.filter((part) => asked.has(part)).length
    found.push({ speaker, name, place: known.place, said })
    most.set(known.place, Math.max(said, most.get(known.place) ?? 0))
  }
  return found.filter(({ place, said }) => said === most.get(place))
}

/** The most words that are held against all speakers for a name that they nearly say: twenty took 4 ms among 2,000 speakers. */
const mostNear = 20

/** A word with a capital letter, and whether the question begins with it: there a name has its possessive. */
const capital = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{M}]+)(['’]s?)?(?![\p{L}\p{N}])/gu

/** Gives the words of a question that are written as names, folded. */
function capitalised(text: string): Set<string> {
  const found = [...text.matchAll(capital)].filter(
    ({ index, 2: possessive }) => possessive !== undefined || text.slice(0, index).trim() !== '',
  )
  return new Set(found.map(([, word = '']) => withoutPossessive(fold(word))))
}

function hasCase(word: string): boolean {
  return word.toUpperCase() !== word
}

const inOneBreath = /^['’]?s?\s*(?:and|or|&|,|und|oder|et|ou|y|o)\s*$/iu

function askedOf(places: ReadonlyMap<number, number>, words: readonly QueryWord[], text: string): number | undefined {
  const [first, second, ...others] = [...places].toSorted(([, a], [, b]) => a - b)
  if (first === undefined || others.length > 0) return undefined
  if (second === undefined) return first[0]
  const folded = fold(text)
  // Two speakers of one name.
  if (first[1] === second[1]) return undefined
  const [from, to] = [first, second].map(([, place]) => words[place]?.written ?? '')
  const begins = folded.indexOf(from ?? '') + (from ?? '').length
  return /\bboth\b/i.test(text) || inOneBreath.test(folded.slice(begins, folded.indexOf(to ?? '', begins))) ? undefined : first[0]
}

/**
 * Gives a question without the names of speakers. "When did Ada's boat sink?" means the same as "When did boat sink?",
 * wherever her name is not said.
 */
export function withoutNames(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text
  const left = text
    .replace(/[\p{L}\p{M}\p{N}_]+(?:['’]s?(?![\p{L}\p{N}]))?/gu, (word) => (names.has(withoutPossessive(fold(word))) ? ' ' : word))
    .replace(/\s+/g, ' ')
    .replace(/ ([?.,!])/g, '$1')
    .trim()
  return /[\p{L}\p{N}]/u.test(left) ? left : text
}

function withoutPossessive(word: string): string {
  return word.replace(/['’]s?$/, '')
}
