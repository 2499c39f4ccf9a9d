import { spokenAs } from '../messages/spoken-as.ts'
import type { MessageHit } from '../recall/hit.ts'
import type { Omission } from './context.ts'

/** The beginning of a text by which most texts are told apart, in UTF-16 code units. */
const beginning = 40

/** Texts with the same words differ by their marks and blanks alone: hardly by more than this part of their length. */
const mostOtherMarks = 0.2

/** A shorter text, such as "Yes, please.", is no repeat of what another speaker says. In UTF-16 code units. */
const leastRepeated = 20

/**
 * The characters that do not tell texts apart: blanks and the marks of sentences and of Markdown. The signs of C++, C#,
 * 5 %, -5 and the like do tell, and so do symbols and emoji.
 */
const marks = /(?:[^\p{L}\p{N}\p{M}\p{S}#%-]|[`|]|(?<![\p{L}\p{N}])#|-(?!\p{N})|(?<=[\p{L}\p{N}])-)+/gu

/** A message whose words another message says too, and the reason why it is left out. */
interface Repeat {
  readonly loser: MessageHit
  readonly reason: string
}

/**
 * Leaves out messages that say the same words as another one: the same apart from case, marks and blanks. A text with
 * another number in it is no repeat.
 *
 * The user's own words stay where an assistant or a tool repeats them. Of equals by one speaker the newest stays. It
 * gets the place of the first of them. Two users who say the same both stay.
 */
export function withoutRepeats<Found extends { readonly hit: MessageHit }>(
  found: readonly Found[],
): { kept: Found[]; omitted: Omission[] } {
  const kept: Found[] = []
  const omitted: Omission[] = []
  const read = new Words()
  const places = new Map<string, number[]>()
  for (const one of found) {
    const begun = wordsIn(one.hit.text.slice(0, beginning))
    const alike = places.get(begun) ?? []
    const place = begun === '' ? undefined : alike.find((at) => isSame(kept[at]?.hit, one.hit, read))
    const other = place === undefined ? undefined : kept[place]
    if (place === undefined || other === undefined) {
      places.set(begun, [...alike, kept.length])
      kept.push(one)
      continue
    }
    const { loser, reason } = repeatOf(other.hit, one.hit)
    if (loser === other.hit) kept[place] = one
    omitted.push({ tier: 'details', id: loser.id, count: 1, reason })
  }
  return { kept, omitted }
}

function isSame(a: MessageHit | undefined, b: MessageHit, read: Words): boolean {
  if (a === undefined || (spokenAs(a) === spokenAs(b) ? a.name !== b.name : b.text.length < leastRepeated)) return false
  if (a.text === b.text) return true
  return Math.abs(a.text.length - b.text.length) <= mostOtherMarks * b.text.length && read.of(a) === read.of(b)
}

function repeatOf(a: MessageHit, b: MessageHit): Repeat {
  const [ofA, ofB] = [spokenAs(a) === 'user', spokenAs(b) === 'user']
  if (ofA !== ofB) return { loser: ofA ? b : a, reason: 'it repeats the user’s own words' }
  return { loser: isNewer(b, a) ? a : b, reason: 'the same was said again later' }
}

function isNewer(a: MessageHit, b: MessageHit): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at
}

/** The words of texts, each text read once: many long ones may begin alike. */
class Words {
  readonly #known = new Map<MessageHit, string>()

  of(hit: MessageHit): string {
    const words = this.#known.get(hit) ?? wordsIn(hit.text)
    this.#known.set(hit, words)
    return words
  }
}

function wordsIn(text: string): string {
  return text.toLowerCase().replace(marks, ' ').trim()
}
