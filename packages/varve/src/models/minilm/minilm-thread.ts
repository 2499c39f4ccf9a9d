import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { toWire } from '../../errors/wire.ts'
import { unitVectors } from '../unit-vectors.ts'
import { chooseRuntime, type ChosenRuntime } from './choose-runtime.ts'
import { identity } from './identity.ts'
import { readModelFiles } from './model-files.ts'
import type { Done, FromThread, ThreadOptions, ToThread } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { loadWordPieces, type WordPieces } from './tokenizer.ts'

// Only thread-handle.ts starts this file, with this shape.
const options: ThreadOptions = workerData

async function load(): Promise<ChosenRuntime & { readonly pieces: WordPieces }> {
  const { onnx, tokenizer } = readModelFiles(options.paths)
  const pieces = loadWordPieces(tokenizer)
  // Each runtime is imported only where it is used.
  const chosen = await chooseRuntime(options.runtime, {
    native: async () => (await import('./runtime-native.ts')).nativeRuntime(onnx, options.gate),
    wasm: async () => (await import('./runtime-wasm.ts')).wasmRuntime(onnx),
  })
  return { ...chosen, pieces }
}

async function serve(port: MessagePort): Promise<void> {
  const { runtime, lacksNative, passedOver, pieces } = await load()
  const answer = async ({ texts }: ToThread): Promise<void> => {
    const done = await embed(texts, pieces, runtime)
    port.postMessage(done, [done.vectors.buffer])
  }
  port.on('message', (message: ToThread) => void answer(message).catch(fail))
  post({ kind: 'ready', runtime: runtime.kind, detail: runtime.detail, lacksNative, passedOver })
}

async function embed(
  texts: readonly string[],
  pieces: WordPieces,
  runtime: Runtime,
): Promise<Done & { vectors: Float32Array<ArrayBuffer> }> {
  const start = performance.now()
  const batch = texts.map((text) => pieces.encode(text))
  const made = unitVectors(await runtime.embed(batch), { model: identity.name, texts: texts.length, dimension: identity.dimension })
  const vectors = new Float32Array(texts.length * identity.dimension)
  for (const [row, vector] of made.entries()) vectors.set(vector, row * identity.dimension)
  return { kind: 'done', vectors, tokens: batch.reduce((sum, ids) => sum + ids.length, 0), ms: performance.now() - start }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message)
}

function fail(error: unknown): void {
  post({ kind: 'failed', error: toWire(error) })
}

if (parentPort !== null) serve(parentPort).catch(fail)
