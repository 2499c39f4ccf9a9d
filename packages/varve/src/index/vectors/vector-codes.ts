import { quantise } from './quantise.ts'
import { lanes } from './scan-twin.ts'
import { blockBytes, rowStep, type VectorArena } from './vector-arena.ts'
import { mustBeRow, VectorRows } from './vector-rows.ts'

/** The cosine of a message without a vector: less than any. */
export const noVector = -2

/**
 * The vectors of one segment, a row each, in one byte a component. A message (`doc`) has a row for each of its
 * passages, and the best one counts.
 *
 * Rows are only added: those of removed messages go when the segment is loaded again.
 */
export class VectorCodes {
  readonly dimension: number
  readonly #arena: VectorArena
  readonly #rowBytes: number
  readonly #rowsPerBlock: number
  readonly #blocks: number[] = []
  #rows = new VectorRows()
  #disposed = false

  constructor(arena: VectorArena, dimension: number) {
    if (!Number.isInteger(dimension) || dimension < 1 || dimension > blockBytes) {
      throw new RangeError(`a vector has 1 to ${blockBytes} components, received ${dimension}`)
    }
    this.dimension = dimension
    this.#arena = arena
    this.#rowBytes = Math.ceil(dimension / rowStep) * rowStep
    this.#rowsPerBlock = Math.floor(blockBytes / this.#rowBytes)
  }

  get rows(): number {
    return this.#rows.count
  }

  /** Memory of its blocks (each with its number) and columns, in bytes. */
  get bytes(): number {
    return this.#blocks.length * (blockBytes + 8) + this.#rows.bytes
  }

  /** Adds a row. Returns false and changes nothing when the arena is full. */
  add(code: Uint8Array | Int8Array, scale: number, doc: number): boolean {
    this.#mustTake(code.length)
    mustBeRow(scale, doc)
    const place = this.#rows.count % this.#rowsPerBlock
    if (place === 0) {
      const block = this.#arena.allocate()
      if (block === undefined) return false
      this.#blocks.push(block)
    }
    this.#arena.write(this.#block(this.#blocks.length - 1), place * this.#rowBytes, code, this.#rowBytes)
    this.#rows.add(scale, doc)
    return true
  }

  docOf(row: number): number | undefined {
    return row < this.#rows.count ? this.#rows.docs[row] : undefined
  }

  /**
   * Fills `into`, by message, with the best cosine of its rows (of the first `rows`) with the query; `noVector` for a
   * message without one. Message numbers are below its length.
   */
  scan(query: Float32Array, into: Float32Array, rows = this.rows): void {
    this.#mustTake(query.length)
    if (into.length <= this.#rows.lastDoc)
      throw new RangeError(`message ${this.#rows.lastDoc} has a vector: into must be longer than ${into.length}`)
    const { code, scale } = quantise(query)
    into.fill(noVector)
    this.#arena.ask(code, this.#rowBytes)
    // A lane takes a quarter of the blocks, one after another. Past a short last quarter, its lane reads lane 0's
    // blocks again, to no use.
    const quarter = Math.ceil(rows / this.#rowsPerBlock / lanes)
    for (let at = 0; at < quarter; at += 1) {
      const first = this.#block(at)
      const [b, c, d] = [this.#block(at + quarter, first), this.#block(at + quarter * 2, first), this.#block(at + quarter * 3, first)]
      const dots = this.#arena.scan(this.#rowBytes, this.#rowsIn(at, rows), first, b, c, d)
      for (let lane = 0; lane < lanes; lane += 1) this.#fold(at + quarter * lane, rows, dots, lane, scale, into)
    }
  }

  /**
   * Returns the row of a message, of the first `before`, that is most like the query; the first of equals, undefined
   * for none. Meant for a few messages after a scan, which keeps no rows.
   */
  bestRow(query: Float32Array, doc: number, before = this.rows): number | undefined {
    this.#mustTake(query.length)
    const rows = this.#rows.of(doc).filter((row) => row < before)
    if (rows.length < 2) return rows[0]
    const cosines = this.#cosines(query, rows)
    return rows[cosines.indexOf(Math.max(...cosines))]
  }

  /** Returns the rows of a message, of the first `before`, each with its cosine with the query. */
  rowsOf(query: Float32Array, doc: number, before = this.rows): { row: number; cosine: number }[] {
    this.#mustTake(query.length)
    const rows = this.#rows.of(doc).filter((row) => row < before)
    const cosines = this.#cosines(query, rows)
    return rows.map((row, place) => ({ row, cosine: cosines[place] ?? noVector }))
  }

  /** Gives the blocks back. After that nothing can be added or scanned; a second call does nothing. */
  dispose(): void {
    this.#disposed = true
    // From the last on: the arena reuses the last block given back first, and blocks in order are read faster.
    for (const block of this.#blocks.splice(0).toReversed()) this.#arena.free(block)
    this.#rows = new VectorRows()
  }

  /** Folds the dot products of one lane into the scores of the messages of a block's rows. */
  #fold(block: number, before: number, dots: Int32Array, lane: number, queryScale: number, into: Float32Array): void {
    const { docs, scales } = this.#rows
    const first = block * this.#rowsPerBlock
    const end = first + this.#rowsIn(block, before)
    for (let row = first, at = lane; row < end; row += 1, at += lanes) {
      const cosine = (dots[at] ?? 0) * (scales[row] ?? 0) * queryScale
      const doc = docs[row] ?? 0
      if (cosine > (into[doc] ?? 0)) into[doc] = cosine
    }
  }

  #block(at: number, otherwise = 0): number {
    return this.#blocks[at] ?? otherwise
  }

  #rowsIn(block: number, before: number): number {
    return Math.max(0, Math.min(this.#rowsPerBlock, before - block * this.#rowsPerBlock))
  }

  #cosines(query: Float32Array, rows: readonly number[]): number[] {
    const { code, scale } = quantise(query)
    return rows.map((row) => this.#dot(code, row) * (this.#rows.scales[row] ?? 0) * scale)
  }

  #dot(code: Int8Array, row: number): number {
    const offset = (row % this.#rowsPerBlock) * this.#rowBytes
    const stored = this.#arena.read(this.#block(Math.floor(row / this.#rowsPerBlock)), offset, this.dimension)
    let sum = 0
    for (let at = 0; at < code.length; at += 1) sum += (code[at] ?? 0) * (stored[at] ?? 0)
    return sum
  }

  #mustTake(components: number): void {
    if (this.#disposed) throw new TypeError('these vectors were given back with their segment: load it again')
    if (components !== this.dimension) throw new RangeError(`these vectors have ${this.dimension} components, received ${components}`)
  }
}
