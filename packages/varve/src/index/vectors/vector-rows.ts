/** The initial room for rows; columns double. */
const firstRoom = 16

const mostDoc = 2 ** 31 - 1
const none = -1

/** The message and the scale of each row. */
export class VectorRows {
  /** Columns, longer than the number of rows; new objects after `add`. */
  docs = new Int32Array(firstRoom)
  scales = new Float32Array(firstRoom)
  count = 0
  /** The highest message that has a row, −1 without any. */
  lastDoc = none
  /**
   * By message its last row, and by row the earlier row of the same message. The newest messages come first, so nothing
   * is in order.
   */
  #last = new Int32Array(firstRoom).fill(none)
  #before = new Int32Array(firstRoom)

  get bytes(): number {
    return this.docs.byteLength + this.scales.byteLength + this.#last.byteLength + this.#before.byteLength
  }

  add(scale: number, doc: number): void {
    const row = this.count
    if (row === this.docs.length) this.#widen()
    if (doc >= this.#last.length) this.#last = wider(this.#last, new Int32Array(Math.max(doc + 1, this.#last.length * 2)).fill(none))
    this.docs[row] = doc
    this.scales[row] = scale
    this.#before[row] = this.#last[doc] ?? none
    this.#last[doc] = row
    this.lastDoc = Math.max(this.lastDoc, doc)
    this.count = row + 1
  }

  /** Returns the rows of a message, ascending. */
  of(doc: number): number[] {
    const found: number[] = []
    for (let row = this.#last[doc] ?? none; row !== none; row = this.#before[row] ?? none) found.push(row)
    return found.toReversed()
  }

  #widen(): void {
    const room = this.count * 2
    this.docs = wider(this.docs, new Int32Array(room))
    this.#before = wider(this.#before, new Int32Array(room))
    this.scales = wider(this.scales, new Float32Array(room))
  }
}

function wider<Column extends Int32Array | Float32Array>(old: Column, larger: Column): Column {
  larger.set(old)
  return larger
}

/** Throws RangeError for values that the columns cannot hold. */
export function mustBeRow(scale: number, doc: number): void {
  if (!(scale >= 0 && scale < Number.POSITIVE_INFINITY)) throw new RangeError(`a scale is finite and not negative, received ${scale}`)
  if (!Number.isInteger(doc) || doc < 0 || doc > mostDoc)
    throw new RangeError(`a message's number is from 0 to ${mostDoc}, received ${doc}`)
}
