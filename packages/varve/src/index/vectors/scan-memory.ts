import { scanBytes } from './scan-bytes.ts'
import { type Scan, scanTwin } from './scan-twin.ts'

/** Memory that can grow, and the kernel that reads it. */
export interface ScanMemory {
  readonly kind: 'simd' | 'plain'
  /** Another object after each growth: earlier views are empty. */
  readonly buffer: ArrayBuffer
  /** Grows to so many bytes, a multiple of `pageBytes`. Returns false and changes nothing when the system gives no more. */
  growTo(bytes: number): boolean
  readonly scan: Scan
}

/** The page size of WebAssembly: memory comes in multiples of it. */
export const pageBytes = 64 * 1024

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of WebAssembly that is used here: only the browser's types declare it, not Node's. */
interface Wasm {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { arena: { memory: WasmMemory } }) => { readonly exports: { readonly scan: Scan } }
}

/**
 * Makes one page with the SIMD kernel. Returns undefined without WebAssembly, without SIMD, or without free addresses:
 * it reserves gigabytes of them.
 */
export function simdMemory(maxBytes: number): ScanMemory | undefined {
  const wasm: Wasm | undefined = Reflect.get(globalThis, 'WebAssembly')
  if (wasm === undefined) return undefined
  try {
    const memory = new wasm.Memory({ initial: 1, maximum: Math.floor(maxBytes / pageBytes) })
    const { scan } = new wasm.Instance(new wasm.Module(Buffer.from(scanBytes, 'base64')), { arena: { memory } }).exports
    return {
      kind: 'simd',
      get buffer() {
        return memory.buffer
      },
      growTo: (bytes) => grown(() => memory.grow((bytes - memory.buffer.byteLength) / pageBytes)),
      scan,
    }
  } catch {
    return undefined
  }
}

/** Makes one page with the plain twin of the kernel. */
export function plainMemory(): ScanMemory {
  let buffer = new ArrayBuffer(pageBytes)
  return {
    kind: 'plain',
    get buffer() {
      return buffer
    },
    growTo: (bytes) =>
      grown(() => {
        buffer = buffer.transfer(bytes)
      }),
    scan: (...places) => scanTwin(buffer, ...places),
  }
}

function grown(grow: () => void): boolean {
  try {
    grow()
    return true
  } catch (error) {
    // Both memories throw RangeError when the system refuses.
    if (error instanceof RangeError) return false
    throw error
  }
}
