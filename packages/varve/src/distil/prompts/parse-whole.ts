import { checkItems } from './check-items.ts'
import type { DigestChild, DigestOptions } from './digest-prompt.ts'
import { numbered, type Parts } from './fuse-prompt.ts'
import { digestTask, layerTasks, type TextLayer } from './layers.ts'
import type { Parsed } from './problem.ts'

/** What of an answer to `fusePrompt` may be kept. Sentences cite messages by seq: all that the sentences they were made of rest on. */
export function parseFused(object: Readonly<Record<string, unknown>>, layer: TextLayer, parts: Parts): Parsed {
  const items = numbered(parts)
  // What was stored of a shared layer rests on persons' words already.
  const parsed = checkItems(
    object[layerTasks[layer].key],
    items.map(({ number, sentence }) => ({ number, text: sentence.text, head: '', isPersons: true })),
    layerTasks[layer],
  )
  if ('problem' in parsed) return parsed
  const restsOn = (number: number): readonly number[] => items[number - 1]?.sentence.from ?? []
  return {
    sentences: parsed.sentences.map(({ text, from }) => ({ text, from: [...new Set(from.flatMap(restsOn))].toSorted((a, b) => a - b) })),
  }
}

/** What of an answer to `digestPrompt` may be kept. Bullets cite children by number: 1, 2, 3 … */
export function parseDigest(
  object: Readonly<Record<string, unknown>>,
  children: readonly DigestChild[],
  { granularity, period }: Pick<DigestOptions, 'granularity' | 'period'>,
): Parsed {
  const sources = children.map(({ label, bullets }, at) => ({ number: at + 1, text: bullets.join('\n'), head: label, isPersons: true }))
  return checkItems(object[digestTask.key], sources, digestTask, `${granularity} ${period}`)
}
