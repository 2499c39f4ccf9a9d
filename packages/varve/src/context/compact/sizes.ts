import { LRUCache } from 'lru-cache'
import { isCountable, type Tokenizer } from '../../models/tokenizer.ts'
import { estimate, filesTokens, messageTokens, textsOf } from './estimate.ts'
import type { Turn } from './turn.ts'

/** The characters of the texts whose exact counts are remembered: some seven conversations of 150,000 tokens. */
const mostCharacters = 4_000_000
/** A text without a break is counted in pieces: counting it whole would be quadratic. */
const pieceCharacters = 1_000
/**
 * A longer text is estimated first, from so many of its characters. One that is estimated at over twice the room is not
 * counted.
 */
const longText = 20_000
const sampled = 3_200

/** Exact tokens of turns (o200k_base), remembered by their texts: a conversation that is compacted again is not counted again. */
export class TurnSizes {
  readonly #tokenizer: Tokenizer
  readonly #known = new LRUCache<string, number>({ maxSize: mostCharacters, sizeCalculation: (_tokens, text) => text.length })

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer
  }

  of(turn: Turn): number {
    return messageTokens + filesTokens(turn) + textsOf(turn).reduce((sum, text) => sum + this.text(text), 0)
  }

  all(turns: readonly Turn[]): number {
    return turns.reduce((sum, turn) => sum + this.of(turn), 0)
  }

  /** Counts the turns' tokens. Gives infinity when they are far more than the room. */
  within(turns: readonly Turn[], room: number): number {
    let sum = 0
    for (const turn of turns) {
      sum += turn.pieces.length > 0 && this.#isFarOver(turn, room) ? Number.POSITIVE_INFINITY : this.of(turn)
      if (sum > room) return Number.POSITIVE_INFINITY
    }
    return sum
  }

  readonly text = (text: string): number => {
    if (text === '') return 0
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const tokens = isCountable(text) ? this.#tokenizer.count(text) : this.#inPieces(text)
    this.#known.set(text, tokens)
    return tokens
  }

  #inPieces(text: string): number {
    let tokens = 0
    for (let from = 0; from < text.length; from += pieceCharacters)
      tokens += this.#tokenizer.count(text.slice(from, from + pieceCharacters))
    return tokens
  }

  #isFarOver(turn: Turn, room: number): boolean {
    return textsOf(turn).some((text) => text.length > longText && !this.#known.has(text) && estimate(text, sampled) > 2 * room)
  }
}
