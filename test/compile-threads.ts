import { execFileSync } from 'node:child_process'

/** What a thread loads when a room is first asked. */
const catalogue = new URL('../packages/varve/src/engine/catalogue.ts', import.meta.url).href

const entries = [
  'stores/worker.ts',
  'importers/read-thread.ts', 'storage/sqlite/scan-worker.ts', 'models/minilm/minilm-thread.ts', 'models/minilm/runtime-wasm.ts', 'models/minilm/runtime-native.ts',
]

/**
 * Puts what threads load into Node's compile cache, from a process with one thread. Node strips types with a WebAssembly
 * module, and threads that do so at the same time can crash V8 (nodejs/node#64500): a test file then dies with SIGSEGV or
 * `jit_page`, once in some thousand threads. What is in the cache is not stripped again. Only TypeScript sources are
 * concerned: a package's threads load JavaScript.
 */
export function setup(): void {
  // An entry throws after it was compiled, since nothing told it what to do.
  const program = `import { reads, works, writes } from ${JSON.stringify(catalogue)}; for (const rooms of [reads, writes, works]) for (const load of Object.values(rooms)) await load(); for (const entry of ${JSON.stringify(entries)}) await import(new URL(entry, ${JSON.stringify(new URL('../packages/varve/src/', import.meta.url).href)}).href).catch((error) => { if (!(error instanceof TypeError)) throw error })`
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'inherit'] })
}
