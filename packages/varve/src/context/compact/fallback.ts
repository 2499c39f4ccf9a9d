import { LimitExceeded } from '../../errors/limit-exceeded.ts'
import type { CompactPlan, CompactRequest } from './compact.ts'
import { headOf, layoutOf } from './layout.ts'
import { leftOutOf, leftOutText, looksLikeNotes } from './notes-text.ts'
import type { Turn } from './turn.ts'

/** An exact count may exceed the estimate by this factor. */
const margin = 1.3
const leftOutTokens = 32

/**
 * Plans a compaction when the store does not answer. Keeps the notes in the list and the newest messages that fit by
 * estimate. Says how many were left out.
 */
export function planWithoutStore(
  { turns: all, maxTokens }: Pick<CompactRequest, 'turns' | 'maxTokens'>,
  estimated: (turn: Turn, place: number) => number,
): CompactPlan {
  const places = all.flatMap((turn, place) => (leftOutOf(turn) === undefined ? [place] : []))
  const turns = places.flatMap((place) => all[place] ?? [])
  const { head, fixed, newestWithin, goes } = layoutOf(turns, headOf(all), -1)
  const sizeOf = (some: readonly number[]): number =>
    some.reduce((sum, place) => {
      const turn = turns[place]
      return turn === undefined ? sum : sum + Math.ceil(estimated(turn, places[place] ?? 0) * margin)
    }, 0)
  const least = sizeOf(fixed)
  if (least > maxTokens)
    throw new LimitExceeded({
      what: 'The part that always stays (the system messages, the last user message and the newest messages), by estimate,',
      unit: 'tokens',
      count: least,
      most: maxTokens,
    })
  const notes = turns.findLastIndex(looksLikeNotes)
  const withNotes = notes === -1 || fixed.includes(notes) || least + sizeOf([notes]) > maxTokens ? fixed : [...fixed, notes]
  const room = maxTokens - sizeOf(withNotes) - leftOutTokens
  const newest = newestWithin(room, (some) => sizeOf(some.filter((place) => place !== notes)))
  const kept = [...new Set([...withNotes, ...newest])].toSorted((a, b) => a - b)
  const left = goes(kept).length + all.reduce((sum, turn) => sum + (leftOutOf(turn) ?? 0), 0)
  const words = left === 0 || room < 0 ? {} : { notes: leftOutText(left) }
  return { kept: kept.flatMap((place) => places[place] ?? []), head, ...words, tokens: sizeOf(kept) + (left === 0 ? 0 : leftOutTokens) }
}
