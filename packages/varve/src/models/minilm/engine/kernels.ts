import { activationsBytes } from './activations-bytes.ts'
import { attentionBytes } from './attention-bytes.ts'
import { gemmPlainBytes } from './gemm-plain-bytes.ts'
import { gemmRelaxedBytes } from './gemm-relaxed-bytes.ts'
import { rowsBytes } from './rows-bytes.ts'

/** `relaxed` uses relaxed SIMD and is half as fast again. Both give the same numbers, bit by bit. */
export type KernelKind = 'relaxed' | 'plain'

/** The exports of the `.wat` files beside this. Arguments are addresses in `memory`, and counts; each file documents its functions. */
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

/** The part of WebAssembly that is used here: only the browser's types declare it, not Node's. */
interface Wasm {
  validate(bytes: Uint8Array): boolean
  Memory: new (limits: { initial: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { engine: { memory: Memory } }) => { readonly exports: Kernels }
}

const pageBytes = 64 * 1024

/** Loads the kernels with a memory of their own. Falls back to `plain` when this machine lacks relaxed SIMD. */
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
