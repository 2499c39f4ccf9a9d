import { lanes } from './scan-twin.ts'
import { pageBytes, plainMemory, type ScanMemory, simdMemory } from './scan-memory.ts'

/**
 * The size of a block. A hundred rows of 384 bytes take three blocks and leave a fifth of them free; at 64 KiB two
 * fifths would be free.
 */
export const blockBytes = 16 * 1024

/** Rows are padded to a multiple of this, which the kernel reads in one step. */
export const rowStep = 16

/** Memory doubles up to this size, and then grows by as much at a time. */
const mostGrowth = 64 * 1024 * 1024

/** The range of 32-bit addresses. */
const mostBytes = 4 * 1024 ** 3

/** The first blocks hold the query and the dot products of the shortest rows. */
const queryAt = 0
const dotsAt = blockBytes
const mostDots = (blockBytes / rowStep) * lanes
const firstBlock = (dotsAt + mostDots * 4) / blockBytes

export interface VectorArenaOptions {
  /** The most memory, in bytes: at least 64 KiB, rounded down to a multiple of it; over 4 GiB is not used. */
  readonly maxBytes: number
  /** `plain` runs without WebAssembly, for comparison. */
  readonly kind?: 'simd' | 'plain'
}

/**
 * Memory for the vectors of all segments of a process, in blocks of one size that are used again. It never shrinks.
 *
 * One memory for all: each reserves gigabytes of addresses, and a thousand partitions would not fit. Places in it are
 * numbers of blocks, since a view of it ends when it grows.
 */
export class VectorArena {
  readonly maxBytes: number
  readonly #memory: ScanMemory
  readonly #taken: Uint8Array
  readonly #free: number[] = []
  #next = firstBlock
  #bytes: Uint8Array
  #codes: Int8Array
  #dots: Int32Array

  constructor({ maxBytes, kind = 'simd' }: VectorArenaOptions) {
    if (!(maxBytes >= pageBytes)) throw new RangeError(`maxBytes must be at least ${pageBytes}, received ${maxBytes}`)
    this.maxBytes = Math.floor(Math.min(maxBytes, mostBytes) / pageBytes) * pageBytes
    this.#memory = (kind === 'simd' ? simdMemory(this.maxBytes) : undefined) ?? plainMemory()
    this.#taken = new Uint8Array(this.maxBytes / blockBytes)
    const { buffer } = this.#memory
    this.#bytes = new Uint8Array(buffer)
    this.#codes = new Int8Array(buffer)
    this.#dots = new Int32Array(buffer, dotsAt, mostDots)
  }

  /** The kernel that runs. Both give the same numbers; `plain` takes some twenty times as long. */
  get kind(): 'simd' | 'plain' {
    return this.#memory.kind
  }

  /** Its memory in bytes, with free blocks. Memory that was never written costs addresses only. */
  get bytes(): number {
    return this.#bytes.length
  }

  /** Memory in use, in bytes. */
  get usedBytes(): number {
    return (this.#next - this.#free.length) * blockBytes
  }

  /** Returns the number of a free block with any content; undefined when the bound is reached or the system gives no more. */
  allocate(): number | undefined {
    let block = this.#free.pop()
    if (block === undefined) {
      if ((this.#next + 1) * blockBytes > this.bytes && !this.#grow()) return undefined
      block = this.#next
      this.#next += 1
    }
    this.#taken[block] = 1
    return block
  }

  /** Gives a block back. The last given back is the first to be used again. */
  free(block: number): void {
    if (this.#taken[block] !== 1) throw new RangeError(`block ${block} is not in use`)
    this.#taken[block] = 0
    this.#free.push(block)
  }

  /** Writes a row at an offset in a block, with zeros up to `rowBytes`. */
  write(block: number, offset: number, code: Uint8Array | Int8Array, rowBytes: number): void {
    const at = block * blockBytes + offset
    this.#bytes.set(code, at)
    if (code.length < rowBytes) this.#bytes.fill(0, at + code.length, at + rowBytes)
  }

  /** Returns the row at an offset in a block: a view, good until the arena grows. */
  read(block: number, offset: number, length: number): Int8Array {
    const at = block * blockBytes + offset
    return this.#codes.subarray(at, at + length)
  }

  /** Sets the query of the scans that follow. */
  ask(code: Int8Array, rowBytes: number): void {
    this.write(queryAt / blockBytes, 0, code, rowBytes)
  }

  /** Returns the dot products with the rows of four blocks: the four of the first rows, of the second … Good until the next scan. */
  scan(rowBytes: number, rows: number, a: number, b: number, c: number, d: number): Int32Array {
    this.#memory.scan(queryAt, rowBytes, rows, a * blockBytes, b * blockBytes, c * blockBytes, d * blockBytes, dotsAt)
    return this.#dots
  }

  #grow(): boolean {
    const bytes = Math.min(this.maxBytes, this.bytes + Math.min(this.bytes, mostGrowth))
    if (bytes === this.bytes || !this.#memory.growTo(bytes)) return false
    const { buffer } = this.#memory
    this.#bytes = new Uint8Array(buffer)
    this.#codes = new Int8Array(buffer)
    this.#dots = new Int32Array(buffer, dotsAt, mostDots)
    return true
  }
}
