import { type TurnGroup, groupsOf } from './groups.ts'
import { isAsked, type Turn } from './turn.ts'

/** A conversation in the parts that compaction treats each in its own way; turns by their places. */
export interface Layout {
  /** The number of turns at the head: the system's. */
  readonly head: number
  /** Turns that always stay: the head, the newest group, and the group of the last user message. */
  readonly fixed: readonly number[]
  /** Gives the newest groups that fit, of those that no notes cover. */
  newestWithin(room: number, sizeOf: (places: readonly number[]) => number): readonly number[]
  /** Gives the turns that no notes cover and that are neither fixed nor kept. */
  goes(kept: readonly number[]): readonly number[]
}

/** Counts the system turns at the begin of a list. A system turn after the notes is no part of the head. */
export function headOf(turns: readonly Turn[]): number {
  const found = turns.findIndex(({ role }) => role !== 'system')
  return found === -1 ? turns.length : found
}

/** Lays out a conversation. `covered` is the last turn that the notes cover. A group that reaches beyond it stays whole. */
export function layoutOf(turns: readonly Turn[], head: number, covered: number): Layout {
  const groups = groupsOf(turns.slice(head)).map(({ from, to }) => ({ from: from + head, to: to + head }))
  const asked = turns.findLastIndex(isAsked)
  const isFixed = (group: TurnGroup): boolean => group === groups.at(-1) || (group.from <= asked && asked <= group.to)
  const fixed = [...range(0, head - 1), ...groups.filter(isFixed).flatMap(placesOf)]
  const free = groups.filter((group) => !isFixed(group) && group.to > covered)
  return {
    head,
    fixed,
    newestWithin(room, sizeOf) {
      let left = room
      let from = free.length
      for (; from > 0; from -= 1) {
        const group = free[from - 1]
        left -= group === undefined ? 0 : sizeOf(placesOf(group))
        if (left < 0) break
      }
      return free.slice(from).flatMap(placesOf)
    },
    goes(kept) {
      const stays = new Set(kept)
      return free.flatMap(placesOf).filter((place) => !stays.has(place))
    },
  }
}

function placesOf({ from, to }: TurnGroup): number[] {
  return range(from, to)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place)
}
