import { growingCache } from '../caches/growing-cache.ts'
import type { BankNode } from './bank-node.ts'
import { bulletLine, flat, labelLine } from './render.ts'

/** The tokens of a text, exact for one encoding. Pass the same function for the same encoding: counts are remembered by it. */
export type CountTokens = (text: string) => number

/** The tokens of a stored node's lines. */
interface NodeCount {
  readonly label: number
  /** The bullets as they are shown, each on one line. A blank one costs nothing and is not shown. */
  readonly bullets: readonly { readonly text: string; readonly tokens: number }[]
  /** The bullets as they are stored. */
  readonly stored: readonly string[]
  readonly title: string | undefined
  readonly pinned: boolean
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

  /** Counts a stored node. A shared bank shows a part of its bullets to each: only the same ones are remembered. */
  node(node: BankNode): NodeCount {
    const key = `${node.id} ${node.version} ${node.bullets.reduce((sum, { length }) => sum + length, 0)}`
    const known = this.#nodes.get(key)
    const isSame =
      known?.stored.length === node.bullets.length &&
      known.stored.every((bullet, place) => bullet === node.bullets[place]) &&
      known.title === node.title &&
      known.pinned === node.pinned
    if (known !== undefined && isSame) return known
    const bullets = node.bullets.map(flat).map((text) => ({ text, tokens: this.bullet(text) }))
    const counted = { label: this.#count(labelLine(node)), bullets, stored: node.bullets, title: node.title, pinned: node.pinned }
    this.#nodes.set(key, counted)
    return counted
  }

  /** Counts a line that belongs to no stored node. */
  line(line: string): number {
    return this.#count(line)
  }

  /** Counts a bullet that is on one line. */
  bullet(text: string): number {
    return text === '' ? 0 : this.#count(bulletLine(text))
  }
}
