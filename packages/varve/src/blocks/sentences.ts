import { stem } from '../index/stem.ts'
import { isStopword } from '../index/query.ts'
import { wordsOf } from '../index/words.ts'
import { byHand } from '../models/writer.ts'
import type { BlockText } from '../storage/derived/block-texts.ts'

/** A sentence of a block: its first writer, and the time of the first text that has it. */
export interface BlockSentence {
  readonly text: string
  readonly terms: ReadonlySet<string>
  /** The stems of its words that are written as names. */
  readonly names: ReadonlySet<string>
  readonly isByHand: boolean
  readonly writtenAt: number
}

/** A message that goes: its telling words, and the time at which it was stored. */
export interface GoneMessage {
  readonly terms: ReadonlySet<string>
  readonly recordedAt: number
}

/** The words of a sentence that it shares with a message that goes. */
export interface SharedWords {
  readonly sentence: BlockSentence
  readonly shared: ReadonlySet<string>
}

/** Words of asking to keep something. They tell nothing of what is kept. */
const askingWords = new Set(
  `remember note noted save store forget tell told say said mention write wrote prefer answer reply user current task name
  question work live like`.split(/\s+/),
)

/** The most ways of sharing words that are compared for a sentence. Those of many words tell most. */
const mostWays = 32

/** The stem of a common word is hardly ever as long. */
const leastRareLetters = 12

/** The capitalised words of a sentence behind its first one. */
const inner = /(?<=\S\s+)\p{Lu}[\p{L}\p{M}]+/gu

/** Returns the stems of a text's words that tell something. */
export function tellingTerms(text: string, language: string): ReadonlySet<string> {
  const words = wordsOf(text).flatMap((word) => {
    const term = stem(word, language)
    return [word.text, term].some((form) => isStopword(form, language) || askingWords.has(form)) ? [] : [term]
  })
  return new Set([...words, ...numbersIn(text)])
}

/** Returns the digits of numbers, whatever stands between their groups: `77-14-93` and `771493` are one. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/\p{N}[\p{N} .,()/-]{2,40}\p{N}/gu)].map(([run]) => run.replace(/\P{N}/gu, ''))
}

/** Splits a line into its sentences. */
function sentencesIn(line: string): string[] {
  return line.split(/(?<=[.!?…])\s+|(?<=[。！？])/u).filter((text) => text.trim() !== '')
}

/** Returns each sentence of a block's texts once, as its oldest text has it. The texts are in the order of their revisions. */
export function blockSentences(texts: readonly BlockText[], language: string): readonly BlockSentence[] {
  const found = new Map<string, BlockSentence>()
  for (const { content, writer, written_at: writtenAt } of texts)
    for (const text of content.split('\n').flatMap(sentencesIn))
      if (!found.has(text)) found.set(text, sentenceOf(text, language, { isByHand: writer === byHand, writtenAt }))
  return [...found.values()]
}

function sentenceOf(text: string, language: string, by: Pick<BlockSentence, 'isByHand' | 'writtenAt'>): BlockSentence {
  const names = tellingTerms(text.match(inner)?.join(' ') ?? '', language)
  return { text, terms: tellingTerms(text, language), names, ...by }
}

/** Takes sentences out of a text. A line without a remaining word goes; '' when none remains. */
export function withoutSentences(content: string, gone: ReadonlySet<string>): string {
  const lines = content.split('\n').flatMap((line) => {
    const all = sentencesIn(line)
    const kept = all.filter((text) => !gone.has(text))
    if (kept.length === all.length) return [line]
    return /[\p{L}\p{N}]/u.test(kept.join('')) ? [kept.join(' ')] : []
  })
  return lines.some((line) => /\S/u.test(line)) ? lines.join('\n') : ''
}

/**
 * Returns the words that a sentence shares with each message that goes, where it may rest on the message. It may when
 * the message was there first. A person's own sentence does when most of its words are the message's.
 */
export function sharedWords(sentence: BlockSentence, gone: readonly GoneMessage[]): readonly SharedWords[] {
  // Many messages share the same words with a sentence: each way of sharing is compared once.
  const ways = new Map<string, SharedWords>()
  for (const { terms, recordedAt } of gone) {
    const shared = sentence.terms.intersection(terms)
    if (shared.size === 0 || recordedAt > sentence.writtenAt) continue
    const says = isMost(shared, sentence) && (shared.size > 1 || [...shared].some(hasDigit))
    if (!sentence.isByHand || says) ways.set([...shared].join(' '), { sentence, shared })
  }
  return [...ways.values()].toSorted((one, other) => other.shared.size - one.shared.size).slice(0, mostWays)
}

/** Decides whether a sentence goes with a message, from what was said in messages that stay. */
export class Remaining {
  readonly #asked: readonly SharedWords[]
  /** The remaining messages that have a word. */
  readonly #having = new Map<string, Set<number>>()
  #messages = 0

  constructor(asked: readonly SharedWords[]) {
    this.#asked = asked
    for (const { shared } of asked) for (const term of shared) this.#having.set(term, new Set())
  }

  add(content: string, language: string): void {
    this.#messages += 1
    for (const term of tellingTerms(content, language)) this.#having.get(term)?.add(this.#messages)
  }

  /**
   * Returns the sentences that go: with two words, a name, a long word or a number that only a message that goes has, or with most of
   * their words from one. A single common word is shared by chance.
   */
  gone(): ReadonlySet<BlockSentence> {
    return new Set(
      this.#asked.flatMap((one) => {
        const only = [...one.shared].filter((term) => (this.#having.get(term)?.size ?? 0) === 0)
        const isTelling =
          only.length > 1 || only.some((term) => hasDigit(term) || term.length >= leastRareLetters || one.sentence.names.has(term))
        const isMuch = isMost(one.shared, one.sentence) && (one.shared.size > 1 || one.sentence.terms.size === 1)
        return isTelling || (isMuch && !this.#isCovered(one.shared)) ? [one.sentence] : []
      }),
    )
  }

  /** Tells whether one remaining message has all of some words. */
  #isCovered(shared: ReadonlySet<string>): boolean {
    const [first = new Set<number>(), ...others] = [...shared]
      .map((term) => this.#having.get(term) ?? new Set<number>())
      .toSorted((one, other) => one.size - other.size)
    return [...first].some((message) => others.every((having) => having.has(message)))
  }
}

function isMost(shared: ReadonlySet<string>, { terms }: BlockSentence): boolean {
  return 2 * shared.size >= terms.size
}

function hasDigit(term: string): boolean {
  return /\p{N}/u.test(term)
}
