import type { TranscriptEntry } from './transcript-key.ts'

/** An entry as it was given. */
export interface GivenEntry {
  readonly entry: TranscriptEntry
  readonly json: string
}

/** The longest line whose words are looked for in the batch after it. */
const maxKept = 64 * 1024

/**
 * Finds the line whose words another repeats: Claude Code notes a prompt once more when it is queued, and at a turn's end,
 * in lines without an id. Whoever erases the prompt erases those too.
 */
export function repeatedIn({ entry }: GivenEntry, given: readonly GivenEntry[], place: number): string | undefined {
  const { uuid, lastPrompt, content } = entry
  const words = lastPrompt ?? content
  if (uuid !== undefined || typeof words !== 'string' || words.trim() === '') return undefined
  // A long prompt is cut off.
  const told = JSON.stringify(words.replace(/…$/u, '').trim()).slice(1, -1)
  let nearest: { readonly uuid: string; readonly distance: number } | undefined
  for (const [at, other] of given.entries()) {
    const distance = Math.abs(at - place)
    if (!isPrompt(other) || (nearest !== undefined && nearest.distance <= distance) || !other.json.includes(told)) continue
    nearest = { uuid: other.entry.uuid, distance }
  }
  return nearest?.uuid
}

/** Gives the last prompt of a batch, for the lines of the next one. */
export function lastPromptOf(given: readonly GivenEntry[]): GivenEntry | undefined {
  return given.findLast((one) => isPrompt(one) && one.json.length <= maxKept)
}

function isPrompt(given: GivenEntry): given is GivenEntry & { readonly entry: { readonly uuid: string } } {
  const { type, uuid } = given.entry
  return uuid !== undefined && (type === 'user' || type === 'attachment')
}
