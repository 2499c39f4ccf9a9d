import type { Message, Metadata } from '../../messages/message.ts'
import { itemOfMessage } from './item.ts'

type Fields = Readonly<Record<string, unknown>>

/** A run of places in a session, both ends included. */
type SeqRun = readonly [from: number, to: number]

/**
 * What a stored item says of the history, in its message's metadata. One append stores the new items and says which ones
 * they take the place of: so a change is there as a whole or not at all, and the old items are erased after it.
 */
export interface HistoryMark {
  /** The change that it belongs to, and a hash of that. */
  readonly op?: string
  readonly change?: string
  /** The items in whose place it stands. */
  readonly drops?: readonly SeqRun[]
  /** The last item that the change saw: when others came in between, the change did not happen. */
  readonly after?: number
  /** Its place, where that is not the end. */
  readonly place?: number
}

const field = 'agentsHistory'

/** An item of the history, with its message. */
export interface HistoryEntry {
  readonly id: string
  readonly seq: number
  readonly place: number
  readonly item: unknown
}

/** The history that a session's messages tell. */
export interface History {
  /** In the order in which an agent reads them. */
  readonly entries: readonly HistoryEntry[]
  /** Messages that are no longer part of it, and are still to be erased. */
  readonly dead: readonly string[]
  /** The changes among the messages, with their hashes. */
  readonly changes: ReadonlyMap<string, string>
  /** The changes that did not happen: others were faster. */
  readonly failed: ReadonlySet<string>
  /** The newest message’s place, and the earliest place that a change speaks of. */
  readonly newest: number
  readonly reach: number
}

export function markedBy(mark: HistoryMark): Metadata {
  return { [field]: { ...mark } }
}

/** Reads a history from messages, the oldest first. */
export function historyOf(messages: readonly Message[]): History {
  let entries: HistoryEntry[] = []
  const dead: string[] = []
  const changes = new Map<string, string>()
  const failed = new Set<string>()
  let reach = Number.POSITIVE_INFINITY
  for (const message of messages) {
    const mark = markOf(message)
    if (mark.op !== undefined && !changes.has(mark.op)) {
      changes.set(mark.op, mark.change ?? '')
      if (mark.after !== undefined && (entries.at(-1)?.seq ?? 0) > mark.after) failed.add(mark.op)
    }
    if (mark.op !== undefined && failed.has(mark.op)) {
      dead.push(message.id)
      continue
    }
    const { drops = [] } = mark
    if (drops.length > 0) {
      reach = Math.min(reach, ...drops.map(([from]) => from))
      dead.push(...entries.filter((entry) => isWithin(entry.seq, drops)).map(({ id }) => id))
      entries = entries.filter((entry) => !isWithin(entry.seq, drops))
    }
    const item = itemOfMessage(message)
    if (item !== undefined) entries.push({ id: message.id, seq: message.seq, place: mark.place ?? message.seq, item })
  }
  const newest = messages.at(-1)?.seq ?? 0
  return { entries: entries.toSorted((a, b) => a.place - b.place || a.seq - b.seq), dead, changes, failed, newest, reach }
}

function isWithin(seq: number, runs: readonly SeqRun[]): boolean {
  return runs.some(([from, to]) => seq >= from && seq <= to)
}

/** Puts places into runs. */
export function runsOf(seqs: readonly number[]): SeqRun[] {
  const runs: [number, number][] = []
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last !== undefined && seq <= last[1] + 1) last[1] = seq
    else runs.push([seq, seq])
  }
  return runs
}

/** Reads a mark. A host’s own metadata may have anything under this name. */
function markOf({ metadata }: Message): HistoryMark {
  const { op, change, drops, after, place }: Fields = Object(metadata?.[field])
  return {
    ...(typeof op === 'string' ? { op } : {}),
    ...(typeof change === 'string' ? { change } : {}),
    ...(Array.isArray(drops) ? { drops: drops.filter(isRun) } : {}),
    ...(typeof after === 'number' ? { after } : {}),
    ...(typeof place === 'number' ? { place } : {}),
  }
}

function isRun(run: unknown): run is SeqRun {
  return Array.isArray(run) && typeof run[0] === 'number' && typeof run[1] === 'number'
}
