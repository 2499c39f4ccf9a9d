import { stem } from '../index/stem.ts'
import { isStopword } from '../index/query.ts'
import { wordsOf } from '../index/words.ts'
import { byHand } from '../models/writer.ts'
import type { BlockText } from '../storage/derived/block-texts.ts'

/** A sentence of a block: its first writer, and the time of the first text that has it. */
export interface BlockSentence {
  readonly text: string
  readonly terms: ReadonlySet<string>
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
const askingWords = new Set('remember note noted save store forget tell told say said mention write wrote prefer answer reply'.split(' '))

/** A shorter word without a digit is shared by chance. In scripts without spaces it is a pair of characters. */
const leastTellingLetters = 4

/** Returns the stems of a text's words that tell something. */
export function tellingTerms(text: string, language: string): ReadonlySet<string> {
  return new Set(
    wordsOf(text).flatMap((word) => {
      const term = stem(word, language)
      return [word.text, term].some((form) => isStopword(form, language) || askingWords.has(form)) ? [] : [term]
    }),
  )
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
      if (!found.has(text)) found.set(text, { text, terms: tellingTerms(text, language), isByHand: writer === byHand, writtenAt })
  return [...found.values()]
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
  return gone.flatMap(({ terms, recordedAt }) => {
    const shared = sentence.terms.intersection(terms)
    if (shared.size === 0 || recordedAt > sentence.writtenAt) return []
    const says = isMost(shared, sentence) && (shared.size > 1 || [...shared].some(hasDigit))
    return sentence.isByHand && !says ? [] : [{ sentence, shared }]
  })
}

/** Decides whether a sentence goes with a message, from what people said in messages that stay. */
export class Remaining {
  readonly #asked: readonly SharedWords[]
  /** Words that some remaining message has. */
  readonly #said = new Set<string>()
  /** Those whose shared words one remaining message has, all of them. */
  readonly #covered = new Set<SharedWords>()

  constructor(asked: readonly SharedWords[]) {
    this.#asked = asked
  }

  add(content: string, language: string): void {
    const terms = tellingTerms(content, language)
    for (const one of this.#asked) {
      const also = one.shared.intersection(terms)
      for (const term of also) this.#said.add(term)
      if (also.size === one.shared.size) this.#covered.add(one)
    }
  }

  /** Returns the sentences that go: those with words that only a message that goes has, or with most words from it. */
  gone(): ReadonlySet<BlockSentence> {
    return new Set(
      this.#asked.flatMap((one) => {
        if (this.#covered.has(one)) return []
        const only = [...one.shared].filter((term) => !this.#said.has(term))
        const isTelling = only.length > 1 || only.some((term) => hasDigit(term) || term.length >= leastTellingLetters)
        return isTelling || isMost(one.shared, one.sentence) ? [one.sentence] : []
      }),
    )
  }
}

function isMost(shared: ReadonlySet<string>, { terms }: BlockSentence): boolean {
  return 2 * shared.size >= terms.size
}

function hasDigit(term: string): boolean {
  return /\p{N}/u.test(term)
}
