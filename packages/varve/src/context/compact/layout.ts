import { type TurnGroup, groupsOf } from './groups.ts'
import { isAsked, type Turn } from './turn.ts'

/** A conversation in the parts that compaction treats each in its own way; turns by their places. */
export interface Layout {
  /** How many turns there are at the head: the system's. */
  readonly head: number
  /** What stays at all costs: the head, the newest group, and the one with the last user message. */
  readonly fixed: readonly number[]
  /** Of what is in no notes, the newest groups that fit, by their size. */
  newestWithin(room: number, sizeOf: (places: readonly number[]) => number): readonly number[]
  /** What is in no notes and is neither fixed nor kept. */
  goes(kept: readonly number[]): readonly number[]
}

/** The system's turns that a list begins with: one that stands after notes is no part of the head. */
export function headOf(turns: readonly Turn[]): number {
  const found = turns.findIndex(({ role }) => role !== 'system')
  return found === -1 ? turns.length : found
}

/** `covered`: the last turn that is in the notes. A group that reaches over it stays as a whole. */
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
