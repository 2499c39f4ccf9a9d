import type { PartitionRow } from '../partitions.ts'
import { abreast, type Program, type SingleStep } from '../program.ts'
import { type Ordinals, termsAt, termsDrop } from './terms.ts'
import { tombstones } from './tombstones.ts'
import { vectorBytesAt, vectorDrops } from './vectors.ts'

/** The index data of some ordinals. */
export interface Indexed {
  readonly terms: ReadonlyMap<number, Uint8Array>
  /** The bytes of all vectors, by ordinal. */
  readonly vectors: ReadonlyMap<number, readonly Uint8Array[]>
}

export function* indexedAt(ordinals: Ordinals): Program<Indexed> {
  const [terms, vectors] = yield* abreast([termsAt(ordinals), vectorBytesAt(ordinals)])
  return { terms, vectors }
}

/**
 * Removes the index data of some ordinals, and tells readers, if there may be any. Changes `owner`, whose epoch is
 * already raised; the caller saves it.
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
