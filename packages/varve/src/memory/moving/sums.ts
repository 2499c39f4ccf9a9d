import { createHash, hash } from 'node:crypto'
import type { MovedTable, RowBatch } from '../../storage/moving.ts'
import { firstNumber } from '../../storage/packed-row.ts'

/** The number and the checksum of a partition's rows in a table. */
interface Sum {
  rows: number
  low: number
  high: number
}

/** Bytes of each of the two numbers that a row's hash gives. */
const laneBytes = 6
const laneEnd = 2 ** (8 * laneBytes)

/** Counts and checksums of the rows of a table, a partition each; of the whole table where its rows name none. */
export class Sums {
  readonly #byPartition = new Map<number, Sum>()
  readonly #isPartitioned: boolean

  constructor({ columns }: MovedTable) {
    this.#isPartitioned = columns[0]?.name === 'partition_id'
  }

  /** Adds rows. Their order does not matter: each engine has its own. */
  add(rows: RowBatch): void {
    for (const row of rows) {
      const partition = this.#isPartitioned ? firstNumber(row) : 0
      let sum = this.#byPartition.get(partition)
      if (sum === undefined) this.#byPartition.set(partition, (sum = { rows: 0, low: 0, high: 0 }))
      const digest = hash('sha256', row, 'buffer')
      sum.rows += 1
      sum.low = (sum.low + digest.readUIntBE(0, laneBytes)) % laneEnd
      sum.high = (sum.high + digest.readUIntBE(laneBytes, laneBytes)) % laneEnd
    }
  }

  /** The partitions with rows; none where rows name none. */
  get partitions(): Iterable<number> {
    return this.#isPartitioned ? this.#byPartition.keys() : []
  }

  /** Names a partition whose rows are not the same, as `partition 7 (3 rows and 4)`. */
  differenceTo(other: Sums): string | undefined {
    for (const partition of new Set([...this.#byPartition.keys(), ...other.#byPartition.keys()])) {
      const [one, two] = [this.#byPartition.get(partition), other.#byPartition.get(partition)]
      if (one?.rows === two?.rows && one?.low === two?.low && one?.high === two?.high) continue
      return `partition ${partition} (${one?.rows ?? 0} rows and ${two?.rows ?? 0})`
    }
    return undefined
  }

  /** One checksum of all partitions. */
  digest(): string {
    const made = createHash('sha256')
    for (const [partition, { rows, low, high }] of [...this.#byPartition].toSorted(([a], [b]) => a - b))
      made.update(`${partition} ${rows} ${low} ${high}\n`)
    return made.digest('hex')
  }
}
