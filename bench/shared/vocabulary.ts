import { below, type Random, seeded } from './random.ts'

/** Words to make up talk from. */
export interface Vocabulary {
  /** Returns a made-up word, the common ones as often as in talk. */
  content(random: Random): string
  /** Returns a real English function word: stop words and the detector of languages work as on real text. */
  functionWord(random: Random): string
  isContent(word: string): boolean
  name(index: number): string
}

/** The number of distinct made-up words: as many as 100,000 messages of talk have. */
const contentWords = 30_000
/**
 * Zipf–Mandelbrot (Mandelbrot 1953): the word of rank r comes up as 1 / (r + shift). With 8, the commonest is in 15 %
 * of messages, as in LoCoMo.
 */
const contentShift = 8
const functionShift = 2

// Function words of English dialogue, the commonest first.
const functionWords = (
  'it a and to the you i that for my of me so have with your is in was been on do what be how this can we but about up out are them ' +
  "they get some all just our when from had at there an us one other i'm you're i've much here did made can't more those has " +
  "no their too need it's don't " +
  'if or as will would by not she he his her who which then than into over after could where why only very even also any most ' +
  'now these own same'
).split(' ')

const onsets = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'br',
  'cl',
  'dr',
  'fl',
  'gr',
  'pl',
  'sh',
  'st',
  'tr',
  'th',
]
const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'oo', 'ai']
const codas = ['', '', 'n', 'r', 'l', 't', 'm', 's', 'd', 'ck', 'nt', 'st']
const suffixes = ['', '', '', '', 's', 'ed', 'ing', 'er', 'ly', 'tion']

/** Makes a vocabulary, always with the same words: seeded. */
export function makeVocabulary(): Vocabulary {
  const random = seeded(0x7a61)
  const known = new Set<string>(functionWords)
  const content: string[] = []
  while (content.length < contentWords) {
    const word = madeUp(random, content.length)
    if (known.has(word)) continue
    known.add(word)
    content.push(word)
  }
  const drawContent = zipf(contentWords, contentShift)
  const drawFunction = zipf(functionWords.length, functionShift)
  const isContent = new Set(content)
  return {
    content: (from) => content[drawContent(from)] ?? '',
    functionWord: (from) => functionWords[drawFunction(from)] ?? '',
    isContent: (word) => isContent.has(word),
    name: (index) => capitalised(nameOf(index)),
  }
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Makes a word. Common words are short, as in every language (Zipf 1935). */
function madeUp(random: Random, rank: number): string {
  const syllables = rank < 300 ? 1 : rank < 6_000 ? 1 + below(random, 2) : 2 + below(random, 2)
  return Array.from({ length: syllables }, () => syllable(random)).join('') + pick(random, suffixes)
}

function syllable(random: Random): string {
  return pick(random, onsets) + pick(random, vowels) + pick(random, codas)
}

/** Makes a name that does not come up in talk otherwise: no made-up word has a z. */
function nameOf(index: number): string {
  const random = seeded(index + 0x51ed)
  return `z${pick(random, vowels)}${syllable(random)}${syllable(random)}`
}

function pick(random: Random, from: readonly string[]): string {
  return from[below(random, from.length)] ?? ''
}

/** Draws ranks from 0, by binary search in the sums of their shares. */
function zipf(size: number, shift: number): (random: Random) => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1 + shift)
    sums[rank] = sum
  }
  return (random) => {
    const wanted = random() * sum
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
