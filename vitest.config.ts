import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** `full` runs every fault there is; otherwise test/fault takes a bounded sample of them. */
const everyFault = process.env['VARVE_FAULTS'] === 'full'

// For every process and thread of the tests: what is compiled once is not stripped of its types again.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/varve-tests', import.meta.url))

export default defineConfig({
  test: {
    globalSetup: 'test/compile-threads.ts',
    include: [
      'packages/*/src/**/*.test.ts',
      'test/contract/**/*.test.ts',
      'test/e2e/**/*.test.ts',
      'test/fault/**/*.test.ts',
    ],
    // A process of its own for each file: native modules, worker threads and signals behave as they do in a host.
    pool: 'forks',
    // Words alone, but where a test is about vectors: a model for every memory that a test opens would be most of what is done.
    // In the caller's thread, but where a test is about threads: they take most of what is done.
    env: { VARVE_EMBEDDINGS: 'off', VARVE_ENGINE: 'inline' },
    // Two, on any machine: the fault tests start children of their own.
    maxWorkers: 2,
    // Against tests that hang, on a machine that may be ten times as busy as ours: the longest take 20 seconds.
    testTimeout: everyFault ? 600_000 : 120_000,
    hookTimeout: 120_000,
    // A test that leaves a worker or a store open is a defect: say so, rather than wait.
    teardownTimeout: 10_000,
  },
})
