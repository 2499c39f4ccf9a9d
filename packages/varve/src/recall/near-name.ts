import type { QueryWord } from '../index/query.ts'
import type { Segment } from '../index/segment.ts'
import type { IndexedWords } from '../index/segment-words.ts'
import { isMisspelt } from './misspelt.ts'

/** Shorter words are no short names: too many names begin with them. */
const leastShort = 3

/** Endings that make a family name of a first name: Johnson is not John. */
const familyEndings: ReadonlySet<string> = new Set(['s', 'son', 'sen', 'sson', 'ton', 'ston', 'man'])

/** Words of time that begin like short names, in English and German: January is not Jan, and Sunday is not Sun. */
const times = new RegExp(
  String.raw`^(?:janu(?:ary?)|februa(?:ry?)|march|april|june?|july?|august|september|o[ck]tober|november|de[cz]ember|` +
    String.raw`(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?)$`,
)

/** A person seldom says their own short name. Where they say it more often, it is somebody else's. */
const mostOwn = 0.2

/**
 * Finds the one speaker whom a word nearly names: by a short name ("Mel" for Melanie), by the long one, or with one
 * letter wrong. Gives undefined where it may be two speakers, and where talk shows that it is somebody else: nobody
 * writes a misspelt name twice, and few call themselves by their short name.
 */
export function nearlyNamed(
  segment: Pick<Segment, 'speakerNames' | 'speakers'>,
  indexed: Omit<IndexedWords, 'relatives'>,
  { written, variants }: Pick<QueryWord, 'written' | 'variants'>,
): number | undefined {
  if (times.test(written)) return undefined
  const near = [...segment.speakerNames.entries()].filter(
    ([, { words, messages }]) => messages > 0 && (isShortFor(written, words[0] ?? '') || isMisspelt(written, words[0] ?? '')),
  )
  const [found, ...others] = near
  if (found === undefined || others.length > 0) return undefined
  const [speaker, { words }] = found
  const said = countSaid(segment, indexed, variants, speaker)
  const isKnown = isShortFor(written, words[0] ?? '') ? said.own <= mostOwn * said.all : said.all === 0
  return isKnown ? speaker : undefined
}

function isShortFor(word: string, name: string): boolean {
  const [short, long] = word.length < name.length ? [word, name] : [name, word]
  return short.length >= leastShort && long !== short && long.startsWith(short) && !familyEndings.has(long.slice(short.length))
}

/** Counts the messages that say a word, and those of one speaker among them. */
function countSaid(
  { speakers }: Pick<Segment, 'speakers'>,
  { postings, terms }: Omit<IndexedWords, 'relatives'>,
  variants: readonly string[],
  speaker: number,
): { all: number; own: number } {
  const docs = new Set(
    postings
      .of(variants.flatMap((variant) => terms.find(variant) ?? []))
      .flatMap(({ docs: listed, from, to }) => [...listed.subarray(from, to)]),
  )
  return { all: docs.size, own: [...docs].filter((doc) => speakers[doc] === speaker).length }
}
