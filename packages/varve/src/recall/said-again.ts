import type { AskedWords } from './asked-words.ts'
import type { MessageHit } from './hit.ts'
import type { NumberedHit } from './message-hit.ts'
import { dayInWords } from './signals/session.ts'

/** Hits so near to the best one in score, and so many of them, are compared. */
const leastScore = 0.8
const mostCompared = 10

/** Longer texts say more than one thing. In UTF-16 code units. */
const longest = 200

/** A word as it is written: two texts are compared here, and none is searched. */
const plainWord = /[\p{L}\p{N}]+/gu

/** The least share of the words of two texts that both say. */
const leastShared = 0.5

/**
 * Puts the newest of like statements first: short texts by one speaker that share half of their words or more, and say
 * the same words of the question. They exchange their places and scores. For questions about the present. Hits that an
 * ended state moved stay where they are.
 */
export function newestOfAlike(found: readonly NumberedHit[], words: AskedWords, isPresent: () => boolean): readonly NumberedHit[] {
  const groups = alikeIn(found, words)
  return groups.length === 0 || !isPresent() ? found : groups.reduce(newestFirst, found)
}

/** Puts the newest of the hits at some places first. They exchange their places and scores. */
export function newestFirst(found: readonly NumberedHit[], places: readonly number[]): readonly NumberedHit[] {
  const hits = [...found]
  const ordered = places.toSorted((a, b) => byTime(found[b], found[a]))
  for (const [at, place] of places.entries()) {
    const [from, before] = [ordered[at] ?? place, found[place]]
    const next = found[from]
    if (next !== undefined && before !== undefined && from !== place) hits[place] = moved(next, before.hit, from > place)
  }
  return hits
}

/** Tells whether no ended state marks or moved a hit. */
export function isUnmoved({ superseded, signals }: MessageHit): boolean {
  return superseded === undefined && !signals.some(({ name }) => name === 'state')
}

export function saidBy({ role, name }: MessageHit): string {
  return `${role} ${name ?? ''}`
}

/** Gives the places of like statements, the best first; only of groups whose newest is not the first. */
function alikeIn(found: readonly NumberedHit[], words: AskedWords): number[][] {
  const best = found[0]?.hit.score ?? 0
  const compared = found.slice(0, mostCompared).flatMap(({ hit }, place) => {
    const { score, text } = hit
    if (score < leastScore * best || text.length > longest || !isUnmoved(hit)) return []
    return [{ place, speaker: saidBy(hit), text, said: new Set(text.toLowerCase().match(plainWord)) }]
  })
  const grouped = new Set<number>()
  return compared.flatMap((first) => {
    if (grouped.has(first.place)) return []
    const group = compared.filter(
      (one) =>
        one === first ||
        (one.place > first.place &&
          !grouped.has(one.place) &&
          one.speaker === first.speaker &&
          isAlike(one.said, first.said) &&
          saySame(words, one.text, first.text)),
    )
    for (const { place } of group) grouped.add(place)
    return group.length > 1 ? [group.map(({ place }) => place)] : []
  })
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  const least = (leastShared * (a.size + b.size)) / (1 + leastShared)
  if (few.size < least) return false
  let both = 0
  for (const word of few) if (many.has(word)) both += 1
  return both >= least
}

/** Tells whether two texts say the same words of the question, one or more. */
function saySame(words: AskedWords, a: string, b: string): boolean {
  const [said, other] = [words.saidIn(a), words.saidIn(b)]
  return said.size > 0 && said.symmetricDifference(other).size === 0
}

function byTime(a: NumberedHit | undefined, b: NumberedHit | undefined): number {
  return (a?.hit.at ?? 0) - (b?.hit.at ?? 0) || (a?.ord ?? 0) - (b?.ord ?? 0)
}

function moved(one: NumberedHit, before: MessageHit, isRaised: boolean): NumberedHit {
  const { hit } = one
  const text = isRaised ? `took the place of what was said on ${dayInWords(before.at)}` : 'said again later'
  const signal = { name: 'state' as const, value: before.score - hit.score, text }
  return { ...one, hit: { ...hit, score: before.score, signals: [...hit.signals, ...(signal.value === 0 ? [] : [signal])] } }
}
