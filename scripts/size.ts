// Checks sizes of files and functions, and counts the ways around the type checker. The limits are fixed; the counts
// are a ratchet.
//
// `scripts/size-ratchet.json` records the counts. More fail, and so do fewer, until `npm run size -- --tighten` records
// them.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Counts, type Measure, emptyCounts, measure } from './measure.ts'

const root = dirname(import.meta.dirname)
const ratchetFile = join(root, 'scripts', 'size-ratchet.json')
const limits = { functionLines: 70, fileLines: 500, testFileLines: 800, medianFileLines: 130, lineLength: 140 }

/** Files that a script or a test writes. */
const written = /(?:-bytes|newest-schema)\.ts$/

/** Here an error of another copy of the package has to be told from this copy's: each file says why. */
const classCheckers: ReadonlySet<string> = new Set([
  'packages/varve/src/errors/wire.ts',
  'packages/varve/src/models/ai-sdk/classify-failure.ts',
])

interface Measured extends Measure {
  readonly path: string
  readonly isTest: boolean
  readonly longLines: readonly number[]
}

function longLines(text: string): number[] {
  return text.split('\n').flatMap((line, at) => (line.length > limits.lineLength ? [at + 1] : []))
}

/** Separate counts for product and tests, so that a cast saved in a test buys none in the product. */
type Ratchet = Record<'product' | 'tests', Counts>

function measureAll(): Measured[] {
  const paths = globSync(['packages/*/src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'vitest.config.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  return paths
    .filter((path) => !path.endsWith('.d.ts'))
    .sort()
    .map((path) => {
      const isTest = !path.startsWith('packages/') || /\.(?:test|sentences)\.ts$/.test(path)
      const text = readFileSync(join(root, path), 'utf8')
      return { path, isTest, longLines: written.test(path) ? [] : longLines(text), ...measure(path, text) }
    })
}

/** Finds long lines of the sources that are not TypeScript. */
function longLinesElsewhere(): string[] {
  const paths = globSync(['*.mjs', 'scripts/*.mjs', 'packages/*/src/**/*.wat', 'test/**/*.c'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  return paths.flatMap((path) => longLines(readFileSync(join(root, path), 'utf8')).map((line) => tooLong(path, line)))
}

function tooLong(path: string, line: number): string {
  return `${path}:${line} is longer than ${limits.lineLength} characters`
}

function overLimit(file: Measured): string[] {
  const found = file.functions
    .filter(({ lines }) => lines > limits.functionLines)
    .map(({ name, line, lines }) => `${file.path}:${line} ${name} has ${lines} lines, over ${limits.functionLines}`)
  const mostLines = written.test(file.path) ? Number.POSITIVE_INFINITY : file.isTest ? limits.testFileLines : limits.fileLines
  if (file.lines > mostLines) found.push(`${file.path} has ${file.lines} lines, over ${mostLines}`)
  found.push(...file.longLines.map((line) => tooLong(file.path, line)))
  if (!classCheckers.has(file.path))
    found.push(...file.classChecks.map((line) => `${file.path}:${line} asks for instanceof VarveError: use VarveError.is(error)`))
  return [...found, ...file.emptyCatches.map((line) => `${file.path}:${line} catches and does nothing`)]
}

function total(files: readonly Measured[]): Counts {
  const sum = emptyCounts()
  for (const file of files) for (const kind of kinds) sum[kind] += file.counts[kind]
  return sum
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** Returns the differences from the recorded counts, a line each. */
function ratchetProblems(now: Ratchet, recorded: Ratchet): string[] {
  const problems: string[] = []
  for (const part of ['product', 'tests'] as const) {
    for (const kind of kinds) {
      const [found, most] = [now[part][kind], recorded[part][kind]]
      if (found > most) problems.push(`${part}: ${found} ${kind}, over the ${most} recorded`)
      if (found < most) problems.push(`${part}: ${found} ${kind}, fewer than the ${most} recorded: npm run size -- --tighten`)
    }
  }
  return problems
}

/** Records the counts, except higher ones. */
function tighten(now: Ratchet, recorded: Ratchet | undefined): Ratchet {
  const least = (part: keyof Ratchet): Counts => {
    const counts = { ...now[part] }
    if (recorded !== undefined) for (const kind of kinds) counts[kind] = Math.min(counts[kind], recorded[part][kind])
    return counts
  }
  const tightened = { product: least('product'), tests: least('tests') }
  writeFileSync(ratchetFile, `${JSON.stringify(tightened, null, 2)}\n`)
  return tightened
}

const kinds = Object.keys(emptyCounts()) as (keyof Counts)[]
const files = measureAll()
const product = files.filter(({ isTest }) => !isTest)
const now: Ratchet = { product: total(product), tests: total(files.filter(({ isTest }) => isTest)) }
let recorded: Ratchet | undefined = existsSync(ratchetFile) ? JSON.parse(readFileSync(ratchetFile, 'utf8')) : undefined
if (process.argv.includes('--tighten')) recorded = tighten(now, recorded)

const problems = [...files.flatMap(overLimit), ...longLinesElsewhere()]
const middle = median(product.map(({ lines }) => lines))
if (middle >= limits.medianFileLines) problems.push(`the median file has ${middle} lines, not under ${limits.medianFileLines}`)
problems.push(...(recorded === undefined ? ['no ratchet is recorded: npm run size -- --tighten'] : ratchetProblems(now, recorded)))

const longest = Math.max(0, ...product.flatMap(({ functions }) => functions.map(({ lines }) => lines)))
console.log(`${files.length} files; in the product ${product.length}, median ${middle} lines, longest function ${longest} lines`)
for (const [part, counts] of Object.entries(now)) console.log(`${part}: ${kinds.map((kind) => `${counts[kind]} ${kind}`).join(', ')}`)
for (const problem of problems) console.error(`error: ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
