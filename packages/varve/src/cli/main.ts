#!/usr/bin/env node
// This file runs on any Node from 18 on. The import at its end needs a newer Node: native code would crash an older one.
import * as module from 'node:module'
import { setFlagsFromString } from 'node:v8'

// An import of node:fs would load streams: 6 ms of a hook's 300.
const manifest: { version: string; engines: { node: string } } = module.createRequire(new URL('../../package.json', import.meta.url))(
  './package.json',
)
const args = process.argv.slice(2)

/** Tells whether a version such as 22.22.2 is in a range such as `>=22.22.2`. */
function isNewEnough(found: string, range: string): boolean {
  const parts = found.split('.').map(Number)
  const needed = range.replace(/^>=/, '').split('.').map(Number)
  const at = needed.findIndex((least, index) => parts[index] !== least)
  return at === -1 || Number(parts[at]) > Number(needed[at])
}

const isVersionOnly =
  args.some((arg) => arg === '--version' || arg === '-V') && args.every((arg) => ['--version', '-V', '--json'].includes(arg))

if (!isNewEnough(process.versions.node, manifest.engines.node)) {
  const needed = manifest.engines.node.replace(/^>=/, '')
  const message =
    `Varve ${manifest.version} needs Node ${needed} or newer; this is Node ${process.versions.node}, at ${process.execPath}. ` +
    'Install a newer Node (https://nodejs.org), then run the same command again.'
  const next = 'node --version'
  process.stderr.write(
    args.includes('--json')
      ? `${JSON.stringify({ error: { code: 'NODE_TOO_OLD', message, next } })}\n`
      : `varve: ${message}\nNext: ${next}\n`,
  )
  process.exitCode = 1
} else if (isVersionOnly) {
  process.stdout.write(args.includes('--json') ? `${JSON.stringify({ version: manifest.version })}\n` : `${manifest.version}\n`)
} else {
  const isHook = args[0] === 'hook' && !args.includes('--help') && !args.includes('-h')
  if (isHook) {
    // Node's own modules come compiled for the flags that V8 starts with. So these are loaded before a flag changes.
    for (const name of ['crypto', 'fs/promises', 'os', 'perf_hooks', 'timers/promises', 'vm', 'worker_threads'])
      process.getBuiltinModule(name)
    void [process.stdin, process.stdout, performance, new TextDecoder()]
    // A hook ends before optimized code pays: 10 % of its CPU time. Compiled code is kept for its flags, so this comes before the cache.
    setFlagsFromString('--no-opt')
    // Nor do patterns run often enough. V8 would improve the bytecode of each at once and compile it to machine code at its second run:
    // a tenth of the time of a prompt that may name a date.
    setFlagsFromString('--regexp-tier-up-ticks=100')
    setFlagsFromString('--no-regexp-peephole-optimization')
  }
  // Node keeps the compiled code: compiling takes a fifth of a short command's time. Where the cache cannot be written, nothing is kept.
  module.enableCompileCache()
  if (isHook) await (await import('./start-hook.ts')).startHook(args.slice(1), process.env)
  else await (await import('./run.ts')).runCommandLine(args, manifest)
}
