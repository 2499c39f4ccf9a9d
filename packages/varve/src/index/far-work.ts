import type { Here, WritingHere } from '../storage/here.ts'
import { answer, type Program } from '../storage/program.ts'
import type { VectorMaker } from '../storage/segment/embeddings.ts'
import type { FarBound } from '../storage/segment/far-vectors.ts'
import { bytesPerVector, memoryPerStoredByte } from './segments.ts'

/** Says when a partition is over the bound: as a segment reckons it before it is loaded. */
function boundOf({ segmentBytes }: Pick<Here, 'segmentBytes'>): FarBound {
  return { bytes: segmentBytes, perStoredByte: memoryPerStoredByte, perVector: bytesPerVector }
}

/** Tells whether vectors of a partition over the bound wait to be copied. Where nothing finds them, it asks nothing. */
export function isFarDue(here: Pick<Here, 'far' | 'segmentBytes'>, maker: VectorMaker | undefined): Program<boolean> {
  return here.far === undefined || maker === undefined ? answer(false) : here.far.isDue(maker, boundOf(here))
}

/** Copies some vectors of a partition over the bound. Returns whether there may be more; asks nothing where nothing finds them. */
export async function keepFar(here: Pick<WritingHere, 'far' | 'segmentBytes' | 'write'>, maker: VectorMaker): Promise<boolean> {
  const { far } = here
  return far === undefined ? false : here.write(() => far.keep(maker, boundOf(here)))
}
