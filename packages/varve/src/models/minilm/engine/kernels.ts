import { activationsBytes } from './activations-bytes.ts'
import { attentionBytes } from './attention-bytes.ts'
import { gemmPlainBytes } from './gemm-plain-bytes.ts'
import { gemmRelaxedBytes } from './gemm-relaxed-bytes.ts'
import { rowsBytes } from './rows-bytes.ts'

/** `relaxed` uses relaxed SIMD and is half as fast again. Both give the same numbers, bit by bit. */
export type KernelKind = 'relaxed' | 'plain'

/** What the `.wat` files beside this export. Arguments are addresses in `memory`, and counts; each file says what its functions do. */
export interface Kernels {
  readonly kind: KernelKind
  readonly memory: ArrayBuffer
  embed(ids: number, places: number, rows: number, words: number, wordScales: number, positions: number, x: number, y: number): void
  normalise(x: number, y: number, gamma: number, beta: number, rows: number): void
  pool(x: number, rows: number, out: number): void
  gelu(x: number, end: number): void
  quantise(x: number, rows: number, blocks: number, q: number, scales: number): void
  attend(qkv: number, rows: number, out: number, scratch: number): void
  softmax(x: number, count: number): void
  multiply(
    q: number,
    rowScales: number,
    rows: number,
    blocks: number,
    weights: number,
    sums: number,
    scales: number,
    biases: number,
    channels: number,
    out: number,
  ): void
}

interface Memory {
  readonly buffer: ArrayBuffer
}

/** The part of WebAssembly that is used here: Node's types leave it to the browser's. */
interface Wasm {
  validate(bytes: Uint8Array): boolean
  Memory: new (limits: { initial: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { engine: { memory: Memory } }) => { readonly exports: Kernels }
}

const pageBytes = 64 * 1024

/** The kernels with a memory of their own; `plain` also where relaxed SIMD was asked for and this engine lacks it. */
export function loadKernels(bytes: number, wanted: KernelKind = 'relaxed'): Kernels {
  const wasm: Wasm = Reflect.get(globalThis, 'WebAssembly')
  const memory = new wasm.Memory({ initial: Math.ceil(bytes / pageBytes) })
  const exportsOf = (base64: string) => new wasm.Instance(new wasm.Module(Buffer.from(base64, 'base64')), { engine: { memory } }).exports
  const kind = wanted === 'relaxed' && wasm.validate(Buffer.from(gemmRelaxedBytes, 'base64')) ? 'relaxed' : 'plain'
  const { multiply } = exportsOf(kind === 'relaxed' ? gemmRelaxedBytes : gemmPlainBytes)
  const { embed, normalise, pool } = exportsOf(rowsBytes)
  const { gelu, quantise } = exportsOf(activationsBytes)
  const { attend, softmax } = exportsOf(attentionBytes)
  return { kind, memory: memory.buffer, embed, normalise, pool, gelu, quantise, attend, softmax, multiply }
}
