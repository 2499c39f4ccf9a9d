import type { SourceMessage } from '../models/writer.ts'
import { plainLine } from './plain-text.ts'

/** Longer names are cut, because they stand before every sentence. */
const maxNameLength = 40

/** Returns the speaker as sentences name them: by name, or by role. */
export function speakerOf({ name, origin }: Pick<SourceMessage, 'name' | 'origin'>): string {
  const plain = plainLine(name ?? '').replace(/[\s:;]+/gu, ' ')
  const named = [...plain.trim()].slice(0, maxNameLength).join('').trim()
  if (named !== '') return named
  return origin === 'assistant' ? 'the assistant' : origin === 'tool' ? 'the tool' : 'the user'
}

/** Makes a test for the speakers' names, given names and short forms (their first letters). */
export function nameTest(speakers: readonly string[]): (word: string) => boolean {
  const named = speakers.filter((speaker) => !speaker.startsWith('the '))
  const names = new Set(named.flatMap((speaker) => speaker.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []))
  return (word) => {
    const lower = word.toLowerCase()
    return names.has(lower) || (lower.length >= 3 && /^\p{Lu}/u.test(word) && [...names].some((name) => name.startsWith(lower)))
  }
}
