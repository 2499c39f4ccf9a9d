import { type GateMemory, throughGate } from './gate.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs the model on onnxruntime-node, which users install for speed. Throws when it is not installed or cannot run
 * here.
 *
 * One thread: a second thread with another text gains more than more threads for one text. One text at a time: it
 * rounds activations over a whole batch, so that a text's vector would depend on its neighbours (cosine .990). A batch
 * is only 15 % faster.
 */
export async function nativeRuntime(onnx: Uint8Array, gate: GateMemory): Promise<Runtime> {
  // The package is CommonJS: only its default export has all names for certain. It may be absent, and webpack refuses an
  // import that it does not find.
  const { default: ort } = await throughGate(gate, () => import(/* webpackIgnore: true */ 'onnxruntime-node'))
  const session = await throughGate(gate, () =>
    ort.InferenceSession.create(onnx, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    }),
  )

  const embed = async (ids: Int32Array): Promise<Float32Array> => {
    const shape = [1, ids.length]
    const feeds = {
      input_ids: new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
      attention_mask: new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    }
    const { pooled } = await throughGate(gate, () => session.run(feeds))
    if (pooled?.data instanceof Float32Array) return pooled.data
    throw new TypeError('the model has no output `pooled` of 32-bit numbers')
  }

  return {
    kind: 'native',
    detail: `onnxruntime-node ${ort.env.versions.common ?? ''}`.trim(),
    embed: async (batch) => {
      const vectors: Float32Array[] = []
      for (const ids of batch) vectors.push(await embed(ids))
      return vectors
    },
  }
}
