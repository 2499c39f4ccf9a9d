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
  readonly #durable = new Map<string, Buffer>()
  readonly #pending = new Map<string, Entry[]>()

  apply(entry: Entry): void {
    switch (entry.op) {
      case 'write':
      case 'truncate':
        this.#pending.set(entry.file, [...(this.#pending.get(entry.file) ?? []), entry])
        break
      case 'sync':
        this.#durable.set(entry.file, changed(this.#contentOf(entry.file), this.#pending.get(entry.file) ?? []))
        this.#pending.delete(entry.file)
        break
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
      writeFileSync(`${store}${file}`, changed(this.#contentOf(file), survivors(this.#pending.get(file) ?? [], loss, random)))
    }
  }

  #contentOf(file: string): Buffer {
    return this.#durable.get(file) ?? Buffer.alloc(0)
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

function changed(content: Buffer, entries: readonly Entry[]): Buffer {
  let size = content.length
  let most = size
  for (const entry of entries) {
    size = entry.op === 'truncate' ? entry.size : Math.max(size, entry.offset + entry.size)
    most = Math.max(most, size)
  }
  const result = Buffer.alloc(most)
  content.copy(result)
  let length = content.length
  for (const entry of entries) {
    if (entry.op === 'truncate') {
      if (entry.size < length) result.fill(0, entry.size, length)
      length = entry.size
    } else {
      entry.bytes.copy(result, entry.offset)
      length = Math.max(length, entry.offset + entry.size)
    }
  }
  return result.subarray(0, length)
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
