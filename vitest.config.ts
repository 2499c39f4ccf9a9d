import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtThreads } from './test/build.ts'
import { onPostgres, postgresDriver, postgresStands } from './test/fixtures/postgres/on-postgres.ts'
import { postgresSuites } from './test/fixtures/postgres/suites.ts'
import { overTheWire } from './test/fixtures/wire/over-the-wire.ts'
import { wireSuites } from './test/fixtures/wire/suites.ts'

/** `full` runs every fault there is; otherwise test/fault takes a bounded sample of them. */
const everyFault = process.env['VARVE_FAULTS'] === 'full'

// For every process and thread of the tests: what is compiled once is not stripped of its types again.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/varve-tests', import.meta.url))

/** Files that need a process of their own: they change its environment, its clock or its limits, or count what it holds. */
const alone = [
  '**/*.memory',
  'models/*',
  'models/ai-sdk/*',
  'models/minilm/**/*',
  'observe/*',
  'importers/import-file*',
  'storage/dialect',
  'storage/statement',
  'storage/needles',
].map((name) => `packages/*/src/${name}.test.ts`)

/** Of the tests of the whole: those about processes, folders, signals, models and the clock. */
const aloneWhole = [
  'cli*',
  'minilm',
  'embedding*',
  'notes-directory',
  'other-process',
  'import-abort',
  'distil-model-faults',
  'two-processes',
].map((name) => `test/e2e/${name}.test.ts`)

const shared = {
  setupFiles: 'test/each-file.ts',
  // A process of its own for each file: native modules, worker threads and signals behave as they do in a host.
  pool: 'forks',
  // Against tests that hang, on a machine that may be ten times as busy as ours: the longest take 20 seconds.
  testTimeout: everyFault ? 600_000 : 120_000,
  hookTimeout: 120_000,
  // A test that leaves a worker or a store open is a defect: say so, rather than wait.
  teardownTimeout: 10_000,
} as const

/** Words alone, but where a test is about vectors: a model for every memory that a test opens would be most of what is done. */
const wordsAlone = { VARVE_EMBEDDINGS: 'off' }
/** And in the caller's thread, but where a test is about threads: they take most of what is done. */
const inline = { ...wordsAlone, VARVE_ENGINE: 'inline' }

/** Examples import Varve as its users do. Tests run them on the sources. */
const source = (path: string): string => fileURLToPath(new URL(`packages/varve/src/${path}index.ts`, import.meta.url))
const fromSources = [
  { find: /^varve$/, replacement: source('') },
  { find: /^varve\/([\w-]+)$/, replacement: source('integrations/$1/') },
]

export default defineConfig({
  test: {
    globalSetup: 'test/build.ts',
    // Three, on any machine, of which one may wait for a disk or a child: two cores are at work then.
    maxWorkers: 3,
    projects: [
      // Unit tests share a process: most of what they take is loading the same modules.
      {
        plugins: [builtThreads],
        test: { ...shared, name: 'unit', include: ['packages/*/src/**/*.test.ts'], exclude: alone, isolate: false, env: inline },
      },
      {
        plugins: [builtThreads],
        resolve: { alias: fromSources },
        test: {
          ...shared,
          name: 'together',
          include: ['test/contract/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          exclude: [...aloneWhole, 'test/contract/postgres*.test.ts'],
          isolate: false,
          env: inline,
        },
      },
      // The same suites, by a client and a server on this machine.
      {
        plugins: [builtThreads, overTheWire],
        test: {
          ...shared,
          name: 'wire',
          include: [...wireSuites],
          isolate: false,
          env: inline,
          setupFiles: ['test/each-file.ts', 'test/fixtures/wire/each-test.ts'],
        },
      },
      // And on a server of PostgreSQL.
      {
        plugins: [builtThreads, onPostgres, postgresDriver, postgresStands],
        test: {
          ...shared,
          name: 'postgres',
          globalSetup: 'test/fixtures/postgres/start.ts',
          include: [...postgresSuites],
          isolate: false,
          env: inline,
          setupFiles: ['test/each-file.ts', 'test/fixtures/postgres/each-test.ts'],
        },
      },
      { plugins: [builtThreads], test: { ...shared, name: 'whole', include: [...alone, ...aloneWhole], env: inline } },
      // As a host runs it.
      {
        plugins: [builtThreads],
        test: { ...shared, name: 'fault', include: ['test/fault/**/*.test.ts'], env: { ...wordsAlone, VARVE_ENGINE: 'threads' } },
      },
    ],
  },
})
