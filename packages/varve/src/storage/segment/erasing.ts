import type { PartitionRow } from '../partitions.ts'
import { abreast, type Program, type SingleStep } from '../program.ts'
import { type Ordinals, termsAt, termsDrop } from './terms.ts'
import { tombstones } from './tombstones.ts'
import { vectorBytesAt, vectorDrops } from './vectors.ts'

/** What the index has of some ordinals. */
export interface Indexed {
  readonly terms: ReadonlyMap<number, Uint8Array>
  /** The bytes of all vectors of each. */
  readonly vectors: ReadonlyMap<number, readonly Uint8Array[]>
}

export function* indexedAt(ordinals: Ordinals): Program<Indexed> {
  const [terms, vectors] = yield* abreast([termsAt(ordinals), vectorBytesAt(ordinals)])
  return { terms, vectors }
}

/**
 * Takes what the index has of some ordinals out of it, and tells readers, if there may be any. `owner` is changed,
 * its epoch already raised; to be saved.
 */
export function indexedDrops(
  owner: PartitionRow,
  ords: readonly number[],
  { terms, vectors }: Indexed,
  isTold = true,
): readonly SingleStep[] {
  for (const body of terms.values()) owner.term_bytes -= body.length
  const ordinals = ordinalsAt(owner, ords)
  return [termsDrop(ordinals), ...(vectors.size > 0 ? vectorDrops(ordinals) : []), ...(isTold ? [tombstones(ordinals, owner.epoch)] : [])]
}

export function ordinalsAt({ id }: Pick<PartitionRow, 'id'>, ords: readonly number[]): Ordinals {
  return { partition: id, ords: JSON.stringify(ords) }
}
