import { growingCache } from '../caches/growing-cache.ts'
import type { BankNode } from './bank-node.ts'
import { bulletLine, flat, labelLine } from './render.ts'

/** The tokens of a text, exact for one encoding. Pass the same function for the same encoding: counts are remembered by it. */
export type CountTokens = (text: string) => number

/** The tokens of a stored node's lines. */
interface NodeCount {
  readonly label: number
  /** One for each bullet; a blank one costs nothing and is not shown. */
  readonly bullets: readonly number[]
  /** A node's text changes with its version only. These fields are compared as well, since that is cheap. */
  readonly title: string | undefined
  readonly notes: string | undefined
  readonly pinned: boolean
  readonly characters: number
}

/** The nodes that are remembered for one encoding: those of some ten banks. */
const maxNodes = 8_192

const remembered = new WeakMap<CountTokens, TokenCounts>()

/** Counts lines and remembers them: a frontier of known nodes counts only its own text. */
export class TokenCounts {
  readonly #count: CountTokens
  readonly #nodes = growingCache<string, NodeCount>(maxNodes)

  constructor(count: CountTokens) {
    this.#count = count
  }

  static of(count: CountTokens): TokenCounts {
    const known = remembered.get(count) ?? new TokenCounts(count)
    remembered.set(count, known)
    return known
  }

  /** Counts a stored node. It is remembered by id and version, since to look up its text would take longer than all the rest. */
  node(node: BankNode): NodeCount {
    const key = `${node.id} ${node.version}`
    const characters = node.bullets.reduce((sum, { length }) => sum + length, 0)
    const known = this.#nodes.get(key)
    const isSame =
      known?.characters === characters &&
      known.bullets.length === node.bullets.length &&
      known.title === node.title &&
      known.notes === node.notes &&
      known.pinned === node.pinned
    if (known !== undefined && isSame) return known
    const bullets = node.bullets.map((bullet) => this.bullet(bullet))
    const counted = { label: this.#count(labelLine(node)), bullets, title: node.title, notes: node.notes, pinned: node.pinned, characters }
    this.#nodes.set(key, counted)
    return counted
  }

  /** Counts a line that belongs to no stored node. */
  line(line: string): number {
    return this.#count(line)
  }

  /** Counts a bullet as it is stored. */
  bullet(stored: string): number {
    const text = flat(stored)
    return text === '' ? 0 : this.#count(bulletLine(text))
  }
}
