import { hash } from '../../importers/text.ts'
import { toolUsesIn, withoutOrphans } from './orphan-results.ts'
import type { TranscriptEntry, TranscriptKey } from './transcript-key.ts'

/** The type of the part that carries entries. AI SDK leaves parts of types that begin so to the host. */
const carriedType = 'data-claude-transcript'

/** The most bytes of entries in one message. Its parts, of which they are one, may have 4 MiB. */
export const maxCarriedBytes = 3 * 1024 * 1024

/** A piece of an entry that is too large for one message. */
interface Piece {
  readonly of: string
  readonly at: number
  readonly count: number
}

/** Entries of one transcript as a message carries them, each as JSON text: it holds every string that JSON can. */
export interface Carried {
  readonly project: string
  readonly subpath?: string
  readonly entries: readonly string[]
  /** The messages whose words are in the entry too. It is left out when one of them was forgotten. */
  readonly of?: readonly string[]
  /** Present when `entries` is a piece of one entry. */
  readonly piece?: Piece
}

export interface CarriedPart {
  readonly type: typeof carriedType
  readonly data: Carried
}

export function carriedPart(
  { projectKey, subpath }: TranscriptKey,
  entries: readonly string[],
  more: Pick<Carried, 'of' | 'piece'> = {},
): CarriedPart {
  return { type: carriedType, data: { project: projectKey, ...(subpath === undefined ? {} : { subpath }), entries, ...more } }
}

/** Finds what a message carries. */
export function carriedIn(parts: readonly unknown[] = []): Carried | undefined {
  return parts.find((part): part is CarriedPart => Reflect.get(Object(part), 'type') === carriedType)?.data
}

/** Gives the bytes that a JSON text takes within a part. */
export function carriedBytes(json: string): number {
  return Buffer.byteLength(JSON.stringify(json))
}

/** Cuts an entry that is too large into pieces, each in a part of its own. */
export function piecesOf(key: TranscriptKey, json: string, more: Pick<Carried, 'of'>): readonly CarriedPart[] {
  // A character takes at most six bytes: as an escape within a text.
  const chars = Math.floor(maxCarriedBytes / 6)
  const of = hash(json)
  const count = Math.ceil(json.length / chars)
  return Array.from({ length: count }, (_, at) =>
    carriedPart(key, [json.slice(at * chars, (at + 1) * chars)], { ...more, piece: { of, at, count } }),
  )
}

/** An entry in its place, and the messages that were erased before it in its session. */
interface Placed {
  readonly entry: TranscriptEntry
  readonly gone: number
}

/** Puts together the entries of one transcript, in the order in which they were appended; each id once. */
export class EntryReader {
  readonly #entries: (Placed | undefined)[] = []
  readonly #ids = new Set<string>()
  readonly #pieces = new Map<string, { readonly place: number; readonly texts: string[]; readonly count: number }>()

  /** `gone`: the messages that were erased before this one in its session. */
  take({ entries, piece }: Carried, gone: number): void {
    if (piece === undefined) for (const json of entries) this.#add(this.#entries.length, json, gone)
    else this.#takePiece(piece, entries.join(''), gone)
  }

  /**
   * Gives the entries. One of which a piece is missing is left out, and so are the results of calls that were erased. One whose
   * parent is left out follows the one before it in its line of talk: the SDK reads from child to parent, and would lose all before
   * the gap.
   */
  all(messages: ReadonlySet<string>): readonly TranscriptEntry[] {
    const last = new Map<string, Placed>()
    const calls = new Set(this.#entries.flatMap((placed) => (placed === undefined ? [] : toolUsesIn(placed.entry))))
    const [erased, left] = [new Set<unknown>(), new Set<unknown>()]
    return this.#entries.flatMap((placed) => {
      if (placed === undefined) return []
      const { entry, gone } = placed
      const { uuid, parentUuid: parent, sourceToolAssistantUUID: caller = parent, isSidechain = false, agentId } = entry
      if (uuid === undefined || parent === undefined) return [entry]
      const line = JSON.stringify([isSidechain, agentId])
      const before = last.get(line)
      for (const id of [parent, caller]) {
        const isMissing = before !== undefined && typeof id === 'string' && !this.#ids.has(id)
        // A message without its line was replaced, or its line was never here.
        if (isMissing && (gone > before.gone || messages.has(id))) erased.add(id)
      }
      const told = erased.has(caller) ? withoutOrphans(entry, calls) : entry
      if (told === undefined) {
        left.add(uuid)
        return []
      }
      last.set(line, placed)
      const isGap = erased.has(parent) || left.has(parent)
      return [isGap && before !== undefined ? { ...told, parentUuid: before.entry.uuid } : told]
    })
  }

  get ids(): ReadonlySet<string> {
    return this.#ids
  }

  #takePiece({ of, at, count }: Piece, text: string, gone: number): void {
    let known = this.#pieces.get(of)
    if (known === undefined || at === 0) {
      known = { place: this.#entries.length, texts: [], count }
      this.#entries.push(undefined)
      this.#pieces.set(of, known)
    }
    known.texts[at] = text
    if (at === count - 1 && known.texts.filter((one) => one !== undefined).length === count)
      this.#add(known.place, known.texts.join(''), gone)
  }

  #add(place: number, json: string, gone: number): void {
    const entry: TranscriptEntry = JSON.parse(json)
    if (entry.uuid !== undefined) {
      if (this.#ids.has(entry.uuid)) return
      this.#ids.add(entry.uuid)
    }
    this.#entries[place] = { entry, gone }
  }
}
