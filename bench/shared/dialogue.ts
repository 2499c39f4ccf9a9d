import type { MessageInput } from '../../packages/varve/src/index.ts'
import { below, normal, type Random, seeded } from './random.ts'
import { type Vocabulary, capitalised, makeVocabulary } from './vocabulary.ts'

/** Lengths like LoCoMo's: 124 characters at the median, 22.7 words on average, half of them function words. */
const medianWords = 20.7
const spread = 0.42
const leastWords = 4
const mostWords = 80
const shareOfContent = 0.47

const firstSaidAt = Date.UTC(2024, 0, 1)
const betweenTurnsMs = 60_000

/** Makes talk of two people, the same for each seed: words by a Zipf distribution, among real English function words. */
export class Dialogue {
  readonly #random: Random
  readonly #vocabulary: Vocabulary
  readonly #speakers: readonly [string, string]
  #said = 0

  constructor(seed: number, vocabulary = makeVocabulary()) {
    this.#random = seeded(seed)
    this.#vocabulary = vocabulary
    this.#speakers = [vocabulary.name(2 * seed), vocabulary.name(2 * seed + 1)]
  }

  /** Returns the next messages, a minute apart, the speakers in turn. */
  messages(count: number): MessageInput[] {
    return Array.from({ length: count }, () => this.#message())
  }

  /** Makes a question of 8 to 12 words: an opening, mostly a speaker's name, and some words of a message. */
  question(about: MessageInput): string {
    const random = this.#random
    const telling = wordsIn(about).filter((word) => this.#vocabulary.isContent(word))
    const asked = Array.from(
      { length: 4 + below(random, 2) },
      () => telling[below(random, telling.length)] ?? this.#vocabulary.content(random),
    )
    const name = random() < 0.8 ? [about.name ?? ''] : []
    const opening = openings[below(random, openings.length)] ?? openings[0]
    const joined = asked.flatMap((word, place) => (place % 2 === 0 ? [word] : [joints[below(random, joints.length)] ?? 'the', word]))
    return `${capitalised([...opening.slice(0, 2), ...name, ...opening.slice(2), ...joined].join(' '))}?`
  }

  #message(): MessageInput {
    const place = this.#said
    this.#said += 1
    const length = Math.round(Math.min(mostWords, Math.max(leastWords, medianWords * Math.exp(spread * normal(this.#random)))))
    return {
      role: 'user',
      name: this.#speakers[place % 2 === 0 ? 0 : 1],
      content: this.#text(length),
      at: firstSaidAt + place * betweenTurnsMs,
    }
  }

  #text(length: number): string {
    const random = this.#random
    const sentences: string[] = []
    for (let left = length; left > 0;) {
      const size = Math.min(left, 6 + below(random, 9))
      const words = Array.from({ length: size }, () =>
        random() < shareOfContent ? this.#vocabulary.content(random) : this.#vocabulary.functionWord(random),
      )
      sentences.push(`${capitalised(words.join(' '))}${'.!?.'.charAt(below(random, 4))}`)
      left -= size
    }
    return sentences.join(' ')
  }
}

const openings = [
  ['when', 'did', 'go', 'to'],
  ['what', 'did', 'say', 'about'],
  ['how', 'does', 'feel', 'about'],
  ['why', 'did', 'want', 'to'],
] as const
const joints = ['the', 'a', 'and', 'with', 'of'] as const

function wordsIn(message: MessageInput): string[] {
  return typeof message.content === 'string' ? (message.content.toLowerCase().match(/[a-z']+/g) ?? []) : []
}
