import { loadEngine } from './engine/engine.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs the model on the engine that comes with the package: WebAssembly, one thread, no dependency. Throws when the
 * machine lacks a needed feature.
 */
export async function wasmRuntime(onnx: Uint8Array): Promise<Runtime> {
  const engine = await loadEngine(onnx)
  const detail = `WebAssembly, ${engine.kind} SIMD, ${Math.round(engine.bytes / 1e6)} MB`
  return { kind: 'wasm', detail, embed: async (batch) => engine.embed(batch) }
}
