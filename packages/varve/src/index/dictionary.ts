const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Terms and their numbers. Keeps bytes, not strings: a cold load of 100,000 messages looks up a million terms. */
export class TermDictionary {
  #arena: Uint8Array
  #used = 0
  /** starts[id] to starts[id + 1] is the term's place in the arena. */
  #starts: Int32Array
  /** Open addressing; 0 is free, otherwise id + 1. */
  #table: Int32Array
  #size = 0

  /** `expected` terms (a power of two) fit without growing. */
  constructor(expected = 1024) {
    this.#arena = new Uint8Array(expected * 8)
    this.#starts = new Int32Array(expected + 1)
    this.#table = new Int32Array(expected * 2)
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#arena.byteLength + this.#starts.byteLength + this.#table.byteLength
  }

  /** Returns the number of the term in bytes[from, to); gives an unknown term a new one. */
  intern(bytes: Uint8Array, from: number, to: number): number {
    const slot = this.#slot(bytes, from, to)
    const found = this.#table[slot] ?? 0
    if (found !== 0) return found - 1
    const id = this.#size
    this.#append(bytes, from, to)
    this.#table[slot] = id + 1
    if (this.#size * 2 > this.#table.length) this.#rehash()
    return id
  }

  /** Returns the number of a term; undefined when no message has it. */
  find(term: string): number | undefined {
    const bytes = encoder.encode(term)
    const found = this.#table[this.#slot(bytes, 0, bytes.length)] ?? 0
    return found === 0 ? undefined : found - 1
  }

  term(id: number): string {
    return decoder.decode(this.bytesOf(id))
  }

  /** Returns a term as UTF-8: good until the next term comes in. */
  bytesOf(id: number): Uint8Array {
    return this.#arena.subarray(this.#starts[id], this.#starts[id + 1])
  }

  #slot(bytes: Uint8Array, from: number, to: number): number {
    const table = this.#table
    const starts = this.#starts
    const mask = table.length - 1
    let slot = hash(bytes, from, to) & mask
    for (;;) {
      const entry = table[slot] ?? 0
      if (entry === 0) return slot
      const start = starts[entry - 1] ?? 0
      if ((starts[entry] ?? 0) - start === to - from && equals(this.#arena, start, bytes, from, to)) return slot
      slot = (slot + 1) & mask
    }
  }

  #append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#used + to - from > this.#arena.length) {
      const larger = new Uint8Array(Math.max(this.#arena.length * 2, this.#used + to - from))
      larger.set(this.#arena)
      this.#arena = larger
    }
    this.#arena.set(bytes.subarray(from, to), this.#used)
    this.#used += to - from
    this.#size += 1
    if (this.#size >= this.#starts.length) {
      const larger = new Int32Array(this.#starts.length * 2)
      larger.set(this.#starts)
      this.#starts = larger
    }
    this.#starts[this.#size] = this.#used
  }

  #rehash(): void {
    this.#table = new Int32Array(this.#table.length * 2)
    for (let id = 0; id < this.#size; id += 1) {
      const slot = this.#slot(this.#arena, this.#starts[id] ?? 0, this.#starts[id + 1] ?? 0)
      this.#table[slot] = id + 1
    }
  }
}

function equals(arena: Uint8Array, start: number, bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from, other = start; at < to; at += 1, other += 1) if (bytes[at] !== arena[other]) return false
  return true
}

/** Hashes with FNV-1a, 32 bits. A last mix helps the low bits, which the mask keeps. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5
  for (let at = from; at < to; at += 1) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}
