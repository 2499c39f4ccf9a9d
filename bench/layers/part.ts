import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import type { Gold } from '../profile/gold.ts'
import type { Conversation } from '../talk/conversation.ts'
import type { ReadTalk } from './read-talk.ts'

/** What every part measures: talks that were read, each with what is known of its persons, where that is known. */
export interface Measured {
  readonly talks: readonly (ReadTalk & { readonly gold: Gold })[]
  /** The same talks as they stand in their file; none for samples. */
  readonly conversations: readonly Conversation[]
  readonly tokenizer: Tokenizer
}

/** A figure of a layer. `target` is in words, where there is one. */
export interface LayerFigure {
  readonly what: string
  readonly value: string
  readonly target?: string
  readonly met?: boolean
}

/** A part of the bench: the figures of one layer. */
export interface LayerPart {
  readonly layer: string
  readonly figures: (measured: Measured) => Promise<readonly LayerFigure[]>
}

/** Tells of a share whether it is at most, or at least, its target. A share of nothing is neither. */
export function atMost(what: string, value: number, most: number): LayerFigure {
  return judged(what, value, `≤ ${percent(most)}`, value <= most)
}

export function atLeast(what: string, value: number, least: number): LayerFigure {
  return judged(what, value, `≥ ${percent(least)}`, value >= least)
}

function judged(what: string, value: number, target: string, met: boolean): LayerFigure {
  return { what, value: percent(value), ...(Number.isNaN(value) ? {} : { target, met }) }
}

export function percent(value: number): string {
  return Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %`
}

/** Returns the share of texts that a test finds. */
export function shareOf(texts: readonly string[], isFound: (text: string) => boolean): number {
  return texts.length === 0 ? Number.NaN : texts.filter(isFound).length / texts.length
}
