import type { BankNode } from './bank-node.ts'
import { granularities } from './granularity.ts'
import { type Group, wholeOf } from './ladder.ts'
import { digestBounds } from '../models/writer.ts'
import { type WriteDigest, wordCountIn } from './merge-bullets.ts'
import { type BankText, flat, labelLine } from './render.ts'
import type { TokenCounts } from './token-counts.ts'

/** A bullet as it is shown, with the tokens of its line. */
export interface CountedBullet {
  readonly text: string
  readonly tokens: number
}

/** The text of a group or a pin, with its tokens when all bullets are shown. */
export interface EntryView {
  readonly label: Omit<BankText, 'bullets'>
  readonly bullets: readonly CountedBullet[]
  readonly tokens: number
  /** The stored node that is shown; undefined for a virtual digest. */
  readonly node: BankNode | undefined
}

/** The texts of groups. Each is made when it is first asked for, since most are never shown. */
export class EntryViews {
  readonly #counts: TokenCounts
  readonly #digest: WriteDigest
  readonly #groups = new Map<Group, EntryView>()

  constructor(counts: TokenCounts, digest: WriteDigest) {
    this.#counts = counts
    this.#digest = digest
  }

  of(group: Group): EntryView {
    const known = this.#groups.get(group)
    if (known !== undefined) return known
    const node = wholeOf(group)
    const view = node === undefined ? this.#virtual(group) : this.ofNode(node)
    this.#groups.set(group, view)
    return view
  }

  ofNode(node: BankNode): EntryView {
    const { label, bullets } = this.#counts.node(node)
    return viewOf(node, label, bullets, node)
  }

  #virtual(group: Group): EntryView {
    const label = { granularity: granularities[group.rung] ?? 'year', period: group.period, pinned: false }
    const bullets = this.#bullets(group).map((text) => ({ text, tokens: this.#counts.bullet(text) }))
    return viewOf(label, this.#counts.line(labelLine(label)), bullets, undefined)
  }

  #bullets({ sources }: Group): string[] {
    const all = sources.map(({ node, conversations }) => ({
      bullets: this.#counts.node(node).bullets.flatMap(({ text }) => (text === '' ? [] : [{ text }])),
      weight: conversations,
    }))
    const [first, second] = all
    // Bullets that are within the bounds need no writer.
    const merged = first !== undefined && second === undefined && isDigest(first.bullets) ? first.bullets : this.#digest(all, digestBounds)
    return merged.map(({ text }) => flat(text))
  }
}

function viewOf(label: EntryView['label'], labelTokens: number, all: readonly CountedBullet[], node: BankNode | undefined): EntryView {
  const bullets = all.filter(({ tokens }) => tokens > 0)
  return { label, bullets, tokens: bullets.reduce((sum, { tokens }) => sum + tokens, labelTokens), node }
}

function isDigest(bullets: readonly { text: string }[]): boolean {
  return bullets.length <= digestBounds.maxBullets && bullets.reduce((sum, { text }) => sum + wordCountIn(text), 0) <= digestBounds.maxWords
}
