import { createHash } from 'node:crypto'
import { unitVectors } from '../../../packages/varve/src/models/unit-vectors.ts'
import { hashedEmbeddingModel } from '../../../packages/varve/src/testing/hashed-embedding-model.ts'

export const dimension = 64

const model = 'faults'

/** A model of the suite, with every text that it was given. */
export type FaultModel = ReturnType<typeof hashedEmbeddingModel> & { readonly asked: string[] }

/**
 * Makes a model with vectors from a text's hash. None has a stretch of zeros or of another's bytes, so that a search of
 * the files for one finds no other.
 */
export function faultModel(): FaultModel {
  const asked: string[] = []
  return {
    ...hashedEmbeddingModel({ dimension, name: model }),
    asked,
    doEmbed: async ({ values }) => {
      asked.push(...values)
      return { embeddings: values.map(componentsOf) }
    },
  }
}

/** Tells by a model's name in a store whether its vectors are those of `vectorOf`. */
export function isFaultModel(name: string): boolean {
  return name.endsWith(`:${model}`)
}

/** Returns the vector that the store keeps of a text, from the text alone. */
export function vectorOf(text: string): Float32Array {
  return unitVectors([componentsOf(text)], { model, texts: 1, dimension })[0] ?? new Float32Array(0)
}

function componentsOf(text: string): number[] {
  return [...createHash('shake256', { outputLength: dimension }).update(text).digest()].map((byte) => byte - 127.5)
}
