import { estimateTokenCount } from 'tokenx'
import type { Sentence } from '../../models/writer.ts'
import type { Asked } from '../model-calls.ts'
import { linesUnder, schemaOf } from './answer-shapes.ts'
import { boundsOf, maxOutputTokens } from './ask-span.ts'
import { checkedLines } from './checked-lines.ts'
import { type AskedLayer, fusionInstructions } from './instructions.ts'
import { quotedLines } from './quoted-span.ts'

/** What is asked of a model to make one gist, or one set of bullets, of what was written of a conversation's parts. */
export function askFusion(parts: readonly (readonly Sentence[])[], layer: AskedLayer, mark: string): Asked {
  const instructions = fusionInstructions(layer)
  let number = 0
  const lines = parts.map((part, place) => ({ label: `Part ${place + 1}`, texts: part.map(({ text }) => `[${(number += 1)}] ${text}`) }))
  const prompt = quotedLines(lines, mark)
  return { instructions, prompt, schema: schemaOf(['sentences']), schemaName: 'fusion', maxOutputTokens, tokens: estimateTokenCount(instructions) + estimateTokenCount(prompt) }
}

/** Sentences that rest on what the sentences that they cite rest on. */
export function parseFusion(object: Readonly<Record<string, unknown>>, parts: readonly (readonly Sentence[])[], layer: AskedLayer): { sentences: Sentence[] } | { problem: string } {
  const all = parts.flat()
  const raw = linesUnder(object, 'sentences') ?? linesUnder(object, 'bullets') ?? linesUnder(object, 'gist')
  if (raw === undefined) return { problem: '"sentences" was no list of { text, from }' }
  const ground = { numbers: new Set(all.map((_, place) => place + 1)), text: all.map(({ text }) => text).join('\n') }
  const kept = checkedLines(raw, ground, boundsOf(layer))
  if (kept.length === 0) return { problem: 'no sentence cited sentences that exist and said only what they say' }
  return { sentences: kept.map(({ text, from }) => ({ text, from: [...new Set(from.flatMap((number) => all[number - 1]?.from ?? []))].toSorted((a, b) => a - b) })) }
}
