/** A build of somebody's program that uses Varve, in `test/fixtures/builds`. */
export interface Build {
  readonly name: string
  /** Its folder there. */
  readonly folder: string
  /** Commands of the tools that the fixtures install. The guide shows each that is shown. */
  readonly steps: readonly string[]
  /** The command that runs it, with the store's path as its last argument, or `next` for a server that is asked. */
  readonly run: string
  /** Files that the guide shows whole. */
  readonly shown?: readonly string[]
}

const esbuild = 'esbuild main.js --bundle --platform=node'

/** The builds whose commands and files `docs/guides/bundlers.md` shows: a test compares them. */
export const shownBuilds: readonly Build[] = [
  {
    name: 'Next.js, standalone',
    folder: 'next',
    steps: ['next build'],
    run: 'node .next/standalone/next/server.js',
    shown: ['next.config.js'],
  },
  {
    name: 'esbuild',
    folder: 'esbuild',
    steps: [`${esbuild} --format=esm --external:varve --outfile=dist/main.js`],
    run: 'node dist/main.js',
  },
  { name: 'Vite, SSR', folder: 'vite', steps: ['vite build'], run: 'node dist/main.js', shown: ['vite.config.js'] },
  {
    name: 'webpack',
    folder: 'webpack',
    steps: ['node build.js ./webpack.config.js'],
    run: 'node dist/main.js',
    shown: ['webpack.config.js'],
  },
  { name: 'CommonJS', folder: 'commonjs', steps: [], run: 'node main.js' },
  { name: 'tsx', folder: 'tsx', steps: [], run: 'tsx main.ts' },
  { name: 'Deno', folder: '.', steps: [], run: 'deno run --allow-all main.js' },
]

/** Builds that take the code of Varve in. They run while the package is installed, and say what mends them when it is not. */
export const inlinedBuilds: readonly Build[] = [
  {
    name: 'esbuild, all inlined',
    folder: 'esbuild',
    steps: [`${esbuild} --format=esm --external:better-sqlite3 --outfile=inlined/main.js`],
    run: 'node inlined/main.js',
  },
  {
    name: 'esbuild, all inlined as CommonJS',
    folder: 'esbuild',
    steps: [`${esbuild} --external:better-sqlite3 --outfile=inlined/main.cjs --log-level=error`],
    run: 'node inlined/main.cjs',
  },
  { name: 'Vite, all inlined', folder: 'vite', steps: ['vite build --config inlined.config.js'], run: 'node inlined/main.js' },
  { name: 'webpack, all inlined', folder: 'webpack', steps: ['node build.js ./inlined.config.js'], run: 'node dist/inlined.cjs' },
]
