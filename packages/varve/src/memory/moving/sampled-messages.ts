import type { MovedTable } from '../../storage/moving.ts'
import { unpackRow } from '../../storage/packed-row.ts'

/** Questions that are asked of both stores. */
export const mostQuestions = 1_000

/** The place of a message that a question is made of. */
export interface SampledMessage {
  readonly partition: number
  readonly ord: number
}

/** Chooses messages at equal distances, in the order in which the rows are read: so every large partition has some. */
export class SampledMessages {
  readonly #all: SampledMessage[] = []
  readonly #distance: number
  #seen = 0

  constructor(messages: number) {
    this.#distance = Math.max(1, messages / mostQuestions)
  }

  /** The messages, partition by partition: an index is loaded once. */
  get all(): readonly SampledMessage[] {
    return this.#all.toSorted((a, b) => a.partition - b.partition || a.ord - b.ord)
  }

  /** Makes the function that sees each row of the messages. */
  noting({ columns }: MovedTable): (row: Buffer) => void {
    const kinds = columns.map(({ kind }) => kind)
    const placeOf = (name: string): number => columns.findIndex((column) => column.name === name)
    const [partition, ord] = [placeOf('partition_id'), placeOf('ord')]
    return (row) => {
      const isDue = this.#seen >= this.#all.length * this.#distance && this.#all.length < mostQuestions
      this.#seen += 1
      if (!isDue) return
      const values = unpackRow(row, kinds)
      this.#all.push({ partition: Number(values[partition]), ord: Number(values[ord]) })
    }
  }
}
