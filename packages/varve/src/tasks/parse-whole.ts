import { checkItems } from './check-items.ts'
import type { DigestEntry, DigestOptions } from './digest-prompt.ts'
import { numbered, type Parts } from './fuse-prompt.ts'
import type { Parsed } from './problem.ts'
import { digestTask, type TextTask } from './text-tasks.ts'

/**
 * Gives the sentences of an answer to `fusePrompt` that may be kept. They cite messages by seq: all that their source
 * sentences rest on.
 */
export function parseFused(object: Readonly<Record<string, unknown>>, task: TextTask, parts: Parts): Parsed {
  const items = numbered(parts)
  // Stored parts of a shared layer already rest on persons' words.
  const parsed = checkItems(
    object[task.key],
    items.map(({ number, sentence }) => ({ number, text: sentence.text, head: '', isPersons: true })),
    task,
  )
  if ('problem' in parsed) return parsed
  const restsOn = (number: number): readonly number[] => items[number - 1]?.sentence.from ?? []
  return {
    sentences: parsed.sentences.map(({ text, from }) => ({ text, from: [...new Set(from.flatMap(restsOn))].toSorted((a, b) => a - b) })),
  }
}

/** Gives the bullets of an answer to `digestPrompt` that may be kept. They cite children by number: 1, 2, 3 … */
export function parseDigest(
  object: Readonly<Record<string, unknown>>,
  children: readonly DigestEntry[],
  { granularity, period }: Pick<DigestOptions, 'granularity' | 'period'>,
): Parsed {
  const sources = children.map(({ label, bullets }, at) => ({ number: at + 1, text: bullets.join('\n'), head: label, isPersons: true }))
  return checkItems(object[digestTask.key], sources, digestTask, `${granularity} ${period}`)
}
