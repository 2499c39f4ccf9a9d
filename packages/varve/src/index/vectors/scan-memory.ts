import { scanBytes } from './scan-bytes.ts'
import { type Scan, scanTwin } from './scan-twin.ts'

/** A piece of memory that grows, and the kernel that reads it. */
export interface ScanMemory {
  readonly kind: 'simd' | 'plain'
  /** Another object after each growth: views of the one before are empty. */
  readonly buffer: ArrayBuffer
  /** Grows to so many bytes, a multiple of `pageBytes`; false, and nothing changes, when the system gives no more. */
  growTo(bytes: number): boolean
  readonly scan: Scan
}

/** WebAssembly's page: memory comes in multiples of it. */
export const pageBytes = 64 * 1024

interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of WebAssembly that is used here: Node's types leave it to the browser's. */
interface Wasm {
  Memory: new (limits: { initial: number; maximum: number }) => WasmMemory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { arena: { memory: WasmMemory } }) => { readonly exports: { readonly scan: Scan } }
}

/**
 * One page with the SIMD kernel, or undefined where there is no WebAssembly, no SIMD, or no room among addresses: it
 * reserves gigabytes of them.
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

/** One page with the plain twin of the kernel. */
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
    // What both memories throw when the system refuses.
    if (error instanceof RangeError) return false
    throw error
  }
}
