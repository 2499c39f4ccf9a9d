import { costOf } from '../index/passages.ts'
import { isCountable, type Tokenizer } from '../models/tokenizer.ts'
import { type Candidate, groupOf } from './candidates.ts'
import type { Omission } from './context.ts'
import { leastWindow } from './excerpts.ts'

/** A candidate that found a place, with its tokens. */
export interface Packed {
  readonly candidate: Candidate
  readonly tokens: number
}

/**
 * A bound for texts that are not counted at all. A token of real text holds about 4 characters; such a text would need
 * over 40 in each to fit.
 */
const mostCharactersPerToken = 40

/** A tier's candidates in the order in which they are wanted, and the tier's own room. */
export interface WantedCandidates {
  readonly candidates: readonly Candidate[]
  readonly room: number
}

/** The part of a tier's room that its first candidate takes at most. The second takes half of it, the third a third. */
const mostShare = 0.25

/** The least that any candidate may take, in estimated tokens. */
const leastMost = 24

/** The candidates that are shown whole when they are no longer than a passage. Later ones have at most `mostLater` tokens. */
const wholeAtFirst = 20
const mostLater = 50

/** Estimated tokens are over the exact ones by about this factor. */
const estimateFactor = 1.2

/** A candidate, and the most of it that is shown when it is long and when it is short, in estimated tokens. */
interface Wanted {
  readonly candidate: Candidate
  readonly most: number
  readonly mostOfShort: number
}

/**
 * Fills tiers under one budget: each first within its own share. Then, in the same order, they take the room that
 * others left over. A candidate that does not fit is passed over, and smaller ones after it are tried.
 *
 * A long candidate is shown in part, so that it does not eat the room: the more wanted it is, the more of it. With
 * `grow`, such candidates take the room that is left in the end.
 */
export function pack(
  tiers: readonly WantedCandidates[],
  budget: number,
  tokenizer: Tokenizer,
  { grow }: { grow: boolean } = { grow: true },
): { packed: Packed[]; omitted: Omission[] } {
  const packing = new Packing(budget, tokenizer)
  const waiting = tiers.flatMap(({ candidates, room }) => packing.fill(wantedIn(candidates, room), room))
  const unfit = packing.fill(waiting, budget)
  if (grow) packing.grow()
  return { packed: packing.packed, omitted: unfit.map(({ candidate }) => packing.omission(candidate)) }
}

function wantedIn(candidates: readonly Candidate[], room: number): Wanted[] {
  return candidates.map((candidate, place) => {
    const most = Math.max(leastMost, (room * mostShare) / (1 + place))
    return { candidate, most, mostOfShort: place < wholeAtFirst ? Number.POSITIVE_INFINITY : Math.max(most, mostLater) }
  })
}

/** Candidates that found a place in a budget. */
class Packing {
  readonly packed: Packed[] = []
  readonly #tokenizer: Tokenizer
  readonly #groups = new Set<string | undefined>()
  /** The whole candidates of those that are shown in part, by place in `packed`. */
  readonly #whole = new Map<number, Candidate>()
  #left: number

  constructor(budget: number, tokenizer: Tokenizer) {
    this.#left = budget
    this.#tokenizer = tokenizer
  }

  /** Takes candidates into a room. Returns those that did not fit. */
  fill(candidates: readonly Wanted[], room: number): Wanted[] {
    let own = Math.min(room, this.#left)
    return candidates.filter((wanted) => {
      const taken = this.#take(wanted, own)
      own -= taken ?? 0
      return taken === undefined
    })
  }

  /** Shows more of candidates that are shown in part, the most wanted first. */
  grow(): void {
    for (const [place, whole] of this.#whole) {
      const before = this.packed[place]
      const room = this.#left + (before?.tokens ?? 0)
      if (before === undefined || this.#left < leastWindow) continue
      const candidate = formIn({ candidate: whole, most: room * estimateFactor, mostOfShort: room * estimateFactor }, room)
      const tokens = candidate === undefined ? room + 1 : this.#cost(candidate, room, false)
      if (candidate === undefined || tokens > room || tokens <= before.tokens) continue
      this.packed[place] = { candidate, tokens }
      this.#left = room - tokens
    }
  }

  omission(candidate: Candidate): Omission {
    return doesNotFit({ candidate, tokens: this.#cost(candidate, this.#left, true) })
  }

  #take(wanted: Wanted, room: number): number | undefined {
    const { candidate } = wanted
    const form = formIn(wanted, room)
    if (form === undefined) return undefined
    const tokens = this.#cost(form, room, true)
    if (tokens > room) return undefined
    if (form !== candidate) this.#whole.set(this.packed.length, candidate)
    this.packed.push({ candidate: form, tokens })
    this.#groups.add(groupOf(form))
    this.#left -= tokens
    return tokens
  }

  /** Counts the tokens that a candidate adds: its line, and its heading unless another candidate brought it. */
  #cost(candidate: Candidate, room: number, isNew: boolean): number {
    const isHeaded = candidate.heading === undefined || (isNew && this.#groups.has(groupOf(candidate)))
    return tokensWithin(`${isHeaded ? '' : `${candidate.heading}\n`}${candidate.line}\n`, room, this.#tokenizer)
  }
}

/** Gives the form of a candidate that is shown: its line, or a part of it. Undefined when nothing fits. */
function formIn({ candidate, most, mostOfShort }: Wanted, room: number): Candidate | undefined {
  const { line, shorter, isPart = false } = candidate
  const fits = !hasMoreWords(line, room)
  if (shorter === undefined) return fits ? candidate : undefined
  const roomy = room * estimateFactor
  const cost = isPart || !fits ? Number.POSITIVE_INFINITY : costOf(line)
  if (cost <= Math.min(roomy, mostOfShort)) return candidate
  const within = Math.min(roomy, cost <= roomy ? mostOfShort : most)
  const form = within < leastWindow ? undefined : shorter(within)
  return form === undefined ? undefined : { ...candidate, line: form.line, made: { ...candidate.made, ranges: form.ranges } }
}

export function doesNotFit({ candidate, tokens }: Packed): Omission {
  return { tier: candidate.tier, id: candidate.id, count: 1, reason: reasonToOmit(candidate.line, tokens) }
}

/** Says why a text is not shown. */
export function reasonToOmit(text: string, tokens: number): string {
  if (Number.isFinite(tokens)) return `its ${tokens} tokens do not fit the budget`
  return isCountable(text) ? 'it does not fit the budget' : 'it has a run of over 2,000 characters without a break'
}

/** Counts exact tokens. Gives infinity for a text that would not fit or cannot be counted in reasonable time. */
export function tokensWithin(text: string, left: number, tokenizer: Tokenizer): number {
  if (text.length > left * mostCharactersPerToken || hasMoreWords(text, left) || !isCountable(text)) return Number.POSITIVE_INFINITY
  return tokenizer.count(text)
}

/** Tells whether a text has more words than this. No token has two words, so it then has more tokens too. */
function hasMoreWords(text: string, most: number): boolean {
  let words = 0
  for (let at = 0; at < text.length && words <= most; at += 1)
    if (text.charCodeAt(at) > 32 && (at === 0 || text.charCodeAt(at - 1) <= 32)) words += 1
  return words > most
}
