import { Arena } from './arena.ts'
import { chunkTokens, embedChunk, takeRoom } from './forward.ts'
import { type KernelKind, loadKernels } from './kernels.ts'
import { readConstants } from './onnx-weights.ts'
import type { Weights } from './weights.ts'
import { WeightsPlan } from './weights-plan.ts'

/** MiniLM, loaded: texts as token ids in, vectors out. It works in the calling thread, on one core. */
export interface MiniLmEngine {
  readonly kind: KernelKind
  /** Its memory in bytes: weights and room for activations. It does not grow. */
  readonly bytes: number
  /**
   * Returns a vector of 384 numbers and length 1 for each text, in order. A text is its token ids with [CLS] and [SEP],
   * 1 to 256 of them.
   *
   * A text's vector does not depend on the rest of the batch, to the bit.
   */
  embed(batch: readonly Int32Array[]): Float32Array[]
}

/**
 * Loads the engine from the bytes of minilm.onnx, which may be released afterwards. Rejects with a RangeError for any
 * other bytes. `wanted` is for tests: by default relaxed SIMD is used where there is any.
 *
 * @example const engine = await loadEngine(await readFile('minilm.onnx')) const [vector] =
 * engine.embed([Int32Array.of(101, 7592, 102)])
 */
export async function loadEngine(onnxBytes: Uint8Array, wanted?: KernelKind): Promise<MiniLmEngine> {
  const arena = new Arena()
  const plan = new WeightsPlan(readConstants(onnxBytes), arena)
  const { weights } = plan
  const room = takeRoom(arena, weights.places)
  const kernels = loadKernels(arena.bytes, wanted)
  plan.write(kernels.memory)
  return {
    kind: kernels.kind,
    bytes: kernels.memory.byteLength,
    embed: (batch) => {
      for (const ids of batch) checkIds(ids, weights)
      return chunksOf(batch).flatMap((chunk) => embedChunk(kernels, weights, room, chunk))
    },
  }
}

function checkIds(ids: Int32Array, { vocabulary, places }: Weights): void {
  if (ids.length === 0 || ids.length > places)
    throw new RangeError(`A text has ${ids.length} tokens, not 1 to ${places}: cut it before it is embedded`)
  const wrong = ids.find((id) => id < 0 || id >= vocabulary)
  if (wrong !== undefined) throw new RangeError(`Token id ${wrong} is not from 0 to ${vocabulary - 1}: the tokenizer is not this model's`)
}

/** Groups texts in order into chunks of at most `chunkTokens`. */
function chunksOf(batch: readonly Int32Array[]): Int32Array[][] {
  const chunks: Int32Array[][] = []
  let room = 0
  for (const ids of batch) {
    if (room < ids.length) {
      chunks.push([])
      room = chunkTokens
    }
    chunks.at(-1)?.push(ids)
    room -= ids.length
  }
  return chunks
}
