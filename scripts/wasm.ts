// Compiles each `X.wat` under packages/varve/src into an `X-bytes.ts` beside it. That file holds the module as base64,
// so that a bundle or a worker needs no file at run time. `--check` writes nothing and fails when a committed file
// differs.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import loadWabt from 'wabt'

const root = dirname(import.meta.dirname)
const features = { simd: true, relaxed_simd: true, bulk_memory: true, mutable_globals: true, sign_extension: true, multi_value: true }

const wabt = await loadWabt()
/** The part of WebAssembly that is used here: only the browser's types declare it, not Node's. */
const { Module }: { Module: new (bytes: Uint8Array) => object } = Reflect.get(globalThis, 'WebAssembly')

/** Returns the module's bytes; a syntax error is thrown with its line. V8 checks the types: wabt's own check knows no relaxed SIMD. */
function assemble(path: string): Uint8Array {
  const module = wabt.parseWat(path, readFileSync(join(root, path), 'utf8'), features)
  try {
    const bytes = new Uint8Array(module.toBinary({}).buffer)
    void new Module(bytes)
    return bytes
  } finally {
    module.destroy()
  }
}

/** Returns the source of the bytes' module: `a/gemm-plain.wat` becomes `a/gemm-plain-bytes.ts`, which exports `gemmPlainBytes`. */
function sourceOf(path: string): string {
  const name = basename(path, '.wat').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const base64 = Buffer.from(assemble(path)).toString('base64')
  return (
    `// Generated from ${basename(path)} by scripts/wasm.ts: change that file and run \`node scripts/wasm.ts\`.\nexport const ` +
    `${name}Bytes =\n  '${base64}'\n`
  )
}

const check = process.argv.includes('--check')
// wabt.js throws from one line of 600,000 characters, which Node would print before the message.
process.on('uncaughtException', (error) => {
  console.error(`error: ${error.message}`)
  process.exit(1)
})
const paths = globSync('packages/*/src/**/*.wat', { cwd: root }).sort()
const stale = paths.filter((path) => {
  const target = join(root, path.replace(/\.wat$/, '-bytes.ts'))
  const source = sourceOf(path)
  if (existsSync(target) && readFileSync(target, 'utf8') === source) return false
  if (!check) writeFileSync(target, source)
  return true
})

if (check && stale.length > 0) {
  console.error(`error: not what these compile to: ${stale.join(', ')}. Run node scripts/wasm.ts`)
  process.exitCode = 1
} else console.log(`${paths.length} WebAssembly modules, ${check ? 'all as committed' : `${stale.length} compiled anew`}.`)
