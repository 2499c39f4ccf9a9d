import { rmSync, writeFileSync } from 'node:fs'
import type { Entry } from './journal.ts'

/** A disk writes this many bytes at once or not at all. */
const sectorBytes = 512

/** Numbers in [0, 1), the same for the same seed. */
export type Random = () => number

/** The part of unsynced writes that is on the disk when the power goes. */
export const losses = ['all', 'some', 'tail'] as const
export type Loss = (typeof losses)[number]

/** The content of the store's files on a disk: synced writes for certain, later ones perhaps. */
export class Disk {
  readonly #durable = new Map<string, Content>()
  readonly #pending = new Map<string, Entry[]>()

  apply(entry: Entry): void {
    switch (entry.op) {
      case 'write':
      case 'truncate':
        this.#pendingOf(entry.file).push(entry)
        break
      case 'sync': {
        const content = this.#durable.get(entry.file) ?? new Content()
        for (const one of this.#pendingOf(entry.file)) content.apply(one)
        this.#durable.set(entry.file, content)
        this.#pending.delete(entry.file)
        break
      }
      case 'lost':
        // After a failed fsync the kernel forgets that these pages were not written: a later fsync does not bring them back.
        this.#pending.delete(entry.file)
        break
      case 'unlink':
        this.#durable.delete(entry.file)
        this.#pending.delete(entry.file)
        break
    }
  }

  /** Writes the files as the power loss leaves them, without the shared index, which is made anew. */
  leave(store: string, loss: Loss, random: Random): void {
    for (const suffix of ['', '-wal', '-journal', '-shm']) rmSync(`${store}${suffix}`, { force: true })
    for (const file of new Set([...this.#durable.keys(), ...this.#pending.keys()])) {
      if (file === '-shm') continue
      const content = this.#durable.get(file)?.copy() ?? new Content()
      for (const one of survivors(this.#pending.get(file) ?? [], loss, random)) content.apply(one)
      writeFileSync(`${store}${file}`, content.bytes)
    }
  }

  #pendingOf(file: string): Entry[] {
    const pending = this.#pending.get(file) ?? []
    this.#pending.set(file, pending)
    return pending
  }
}

/** A file's bytes, changed in place: a load syncs some thousand times. */
class Content {
  /** All zero from `#length` on. */
  #room: Buffer
  #length = 0

  constructor(bytes = Buffer.alloc(0)) {
    this.#room = bytes
    this.#length = bytes.length
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length)
  }

  copy(): Content {
    return new Content(Buffer.from(this.bytes))
  }

  apply(entry: Entry): void {
    const end = entry.op === 'truncate' ? entry.size : entry.offset + entry.size
    if (end > this.#room.length) {
      const larger = Buffer.alloc(2 * end)
      this.bytes.copy(larger)
      this.#room = larger
    }
    if (entry.op === 'truncate') {
      if (end < this.#length) this.#room.fill(0, end, this.#length)
      this.#length = end
    } else {
      entry.bytes.copy(this.#room, entry.offset)
      this.#length = Math.max(this.#length, end)
    }
  }
}

function survivors(pending: readonly Entry[], loss: Loss, random: Random): Entry[] {
  if (loss === 'all') return []
  const cut = Math.floor(random() * (pending.length + 1))
  const kept = loss === 'tail' ? pending.slice(0, cut + 1) : pending
  return kept.flatMap((entry, place) => {
    if (loss === 'tail') return place < cut ? [entry] : sectorsOf(entry, random)
    const fate = random()
    if (fate < 0.4) return []
    return fate < 0.7 ? [entry] : sectorsOf(entry, random)
  })
}

/** Returns some sectors of a write, as a torn write leaves them. */
function sectorsOf(entry: Entry, random: Random): Entry[] {
  if (entry.op !== 'write') return random() < 0.5 ? [entry] : []
  const sectors: Entry[] = []
  for (let at = 0; at < entry.size;) {
    const length = Math.min(entry.size - at, sectorBytes - ((entry.offset + at) % sectorBytes))
    if (random() < 0.5) sectors.push({ ...entry, offset: entry.offset + at, size: length, bytes: entry.bytes.subarray(at, at + length) })
    at += length
  }
  return sectors
}

/** Makes random numbers with mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
