import { isAsked, type Turn } from './turn.ts'

/** Turns that stay or go together: [from, to], inclusive. */
export interface TurnGroup {
  readonly from: number
  readonly to: number
}

/**
 * Splits turns into the smallest runs that part no tool call from its results. A run is a call, everything up to its
 * last result, and every run that overlaps. A result without a call goes with the turn before it. A call that still
 * waits at the end goes with everything after it.
 */
export function groupsOf(turns: readonly Turn[]): TurnGroup[] {
  const last = reaches(turns)
  const groups: TurnGroup[] = []
  for (let from = 0; from < turns.length;) {
    let to = from
    for (let place = from; place <= to; place += 1) to = Math.max(to, last[place] ?? place)
    groups.push({ from, to })
    from = to + 1
  }
  return groups
}

/** Gives for each turn the last turn that it must not be parted from. */
function reaches(turns: readonly Turn[]): number[] {
  const last = turns.map((_, place) => place)
  const calls = new Map<string, number>()
  const open = new Map<string, number>()
  let wasAsked = false
  const tie = (from: number, to: number): void => {
    last[from] = Math.max(last[from] ?? from, to)
  }
  turns.forEach((turn, place) => {
    if (isAsked(turn)) wasAsked = true
    // The conversation went on past an open call: it ties nothing any more.
    if (turn.role === 'assistant' && wasAsked) {
      open.clear()
      wasAsked = false
    }
    if (turn.withNext === true && place + 1 < turns.length) tie(place, place + 1)
    for (const piece of turn.pieces) {
      if (piece.kind === 'call' && piece.id !== '') {
        calls.set(piece.id, place)
        if (piece.isOpen) open.set(piece.id, place)
      }
      if (piece.kind === 'result') {
        tie(calls.get(piece.id) ?? Math.max(0, place - 1), place)
        open.delete(piece.id)
      }
    }
  })
  for (const place of open.values()) tie(place, turns.length - 1)
  return last
}
