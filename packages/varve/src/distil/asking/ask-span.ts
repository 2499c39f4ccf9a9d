import { estimateTokenCount } from 'tokenx'
import { bulletBounds, gistBounds, type Sentence, type SourceMessage } from '../../models/writer.ts'
import type { Asked } from '../model-calls.ts'
import { keyOf, linesUnder, schemaOf } from './answer-shapes.ts'
import { checkedLines, type LineBounds } from './checked-lines.ts'
import { type AskedLayer, problemNote, spanInstructions } from './instructions.ts'
import { quotedSpan } from './quoted-span.ts'

/** Room for what is asked for, with its JSON, and for a model that thinks aloud before. */
export const maxOutputTokens = 1_500

/** What is asked of a model about a span of messages, for some layers at once. */
export function askSpan(messages: readonly SourceMessage[], layers: readonly AskedLayer[], mark: string, problem?: string): Asked {
  const instructions = spanInstructions(layers)
  const prompt = `${quotedSpan(messages, mark)}${problem === undefined ? '' : problemNote(problem)}`
  const name = layers.join('_')
  return { instructions, prompt, schema: schemaOf(layers.map(keyOf)), schemaName: name, maxOutputTokens, tokens: estimateTokenCount(instructions) + estimateTokenCount(prompt) }
}

/** What of an answer can be kept for a layer, or what is wrong with it, in our own words. */
export function parseSpan(object: Readonly<Record<string, unknown>>, layer: AskedLayer, messages: readonly SourceMessage[]): { sentences: Sentence[] } | { problem: string } {
  const key = keyOf(layer)
  const raw = linesUnder(object, key)
  if (raw === undefined) return { problem: `"${key}" was no list of { text, from }` }
  const readable = layer === 'shared' ? messages.filter(({ origin }) => origin === 'person') : messages
  const citable = new Set(readable.map(({ seq }) => seq))
  // What a person did not say may not be shared, were it cited beside what was.
  const own = layer === 'shared' ? raw.filter(({ from }) => from.every((seq) => citable.has(seq))) : raw
  const sentences = checkedLines(own, { numbers: citable, text: groundOf(messages) }, boundsOf(layer))
  if (sentences.length === 0 && raw.length > 0 && own.length > 0) return { problem: `no entry of "${key}" cited messages that exist and said only what they say` }
  return { sentences }
}

export function boundsOf(layer: AskedLayer): LineBounds {
  return layer === 'gists' ? { lines: gistBounds.maxSentences, words: gistBounds.maxWords } : { lines: bulletBounds.maxBullets, words: bulletBounds.maxWords }
}

/** All that may be stated exactly: what was said, by whom, and when. */
function groundOf(messages: readonly SourceMessage[]): string {
  return messages.map(({ text, name, at }) => `${new Date(at).toISOString()} ${name ?? ''} ${text}`).join('\n')
}
