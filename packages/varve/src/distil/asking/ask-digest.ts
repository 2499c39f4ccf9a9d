import { estimateTokenCount } from 'tokenx'
import { type DigestBullet, digestBounds } from '../../models/writer.ts'
import type { Asked } from '../model-calls.ts'
import { linesUnder, schemaOf } from './answer-shapes.ts'
import { maxOutputTokens } from './ask-span.ts'
import { checkedLines } from './checked-lines.ts'
import { digestInstructions } from './instructions.ts'
import { quotedLines } from './quoted-span.ts'

/** An entry of a bank, as a model reads it. */
export interface DigestedEntry {
  readonly label: string
  readonly bullets: readonly string[]
}

/** What is asked of a model to put entries of a bank together. */
export function askDigest(entries: readonly DigestedEntry[], period: string, mark: string): Asked {
  const instructions = digestInstructions(period)
  const prompt = quotedLines(entries.map(({ label, bullets }, place) => ({ label: `[${place + 1}] ${label}`, texts: bullets })), mark)
  return { instructions, prompt, schema: schemaOf(['bullets']), schemaName: 'digest', maxOutputTokens, tokens: estimateTokenCount(instructions) + estimateTokenCount(prompt) }
}

/** Bullets, and the places (from 0) of the entries that each rests on. */
export function parseDigest(object: Readonly<Record<string, unknown>>, entries: readonly DigestedEntry[]): { bullets: DigestBullet[] } | { problem: string } {
  const raw = linesUnder(object, 'bullets')
  if (raw === undefined) return { problem: '"bullets" was no list of { text, from }' }
  const ground = { numbers: new Set(entries.map((_, place) => place + 1)), text: entries.map(({ label, bullets }) => [label, ...bullets].join('\n')).join('\n') }
  const kept = checkedLines(raw, ground, { lines: digestBounds.maxBullets, words: digestBounds.maxWords })
  if (kept.length === 0) return { problem: 'no bullet cited entries that exist and said only what they say' }
  return { bullets: kept.map(({ text, from }) => ({ text, from: from.map((number) => number - 1) })) }
}
