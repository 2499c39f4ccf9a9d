import { checkItems } from './check-items.ts'
import type { DigestEntry, DigestOptions } from './digest-prompt.ts'
import { numbered, type Parts } from './fuse-prompt.ts'
import type { Parsed } from './problem.ts'
import { digestTask, type TextTask } from './text-tasks.ts'

/** What of an answer to `fusePrompt` may be kept. Sentences cite messages by seq: all that the sentences they were made of rest on. */
export function parseFused(object: Readonly<Record<string, unknown>>, task: TextTask, parts: Parts): Parsed {
  const items = numbered(parts)
  // What was stored of a shared layer rests on persons' words already.
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

/** What of an answer to `digestPrompt` may be kept. Bullets cite children by number: 1, 2, 3 … */
export function parseDigest(
  object: Readonly<Record<string, unknown>>,
  children: readonly DigestEntry[],
  { granularity, period }: Pick<DigestOptions, 'granularity' | 'period'>,
): Parsed {
  const sources = children.map(({ label, bullets }, at) => ({ number: at + 1, text: bullets.join('\n'), head: label, isPersons: true }))
  return checkItems(object[digestTask.key], sources, digestTask, `${granularity} ${period}`)
}
