import { quantise } from '../packages/varve/src/index/vectors/quantise.ts'
import { lanes } from '../packages/varve/src/index/vectors/scan-twin.ts'
import { blockBytes, rowStep, VectorArena } from '../packages/varve/src/index/vectors/vector-arena.ts'
import { VectorCodes } from '../packages/varve/src/index/vectors/vector-codes.ts'
import { readArguments, stop, wholeNumber } from './shared/arguments.ts'
import { calibrate } from './shared/calibrate.ts'
import { below, normal, type Random, seeded } from './shared/random.ts'
import { setting, settingLine } from './shared/results.ts'
import { percentile } from './shared/statistics.ts'
import { figure, table } from './shared/table.ts'

const about = `How long the exact search of one partition takes: --rows made-up vectors of --dimension components, in one byte each,
a message each.
\`scan\` is all of it: the query made into bytes, the kernel, and the best cosine of every message. \`kernel\` is the kernel alone.`

const options = readArguments('scan', about, {
  rows: { value: 'n', text: 'Vectors.', default: '100000' },
  dimension: { value: 'n', text: 'Components of a vector.', default: '384' },
  runs: { value: 'n', text: 'Runs that are measured, after a fifth as many that are not.', default: '50' },
})
const rows = wholeNumber('rows', options.rows, 1, 4_000_000)
const dimension = wholeNumber('dimension', options.dimension, 1, 4_096)
const runs = wholeNumber('runs', options.runs, 1, 10_000)

const distinct = 1_000
const kinds = ['simd', 'plain'] as const

function unitVector(random: Random): Float32Array {
  const vector = Float32Array.from({ length: dimension }, () => normal(random))
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

/** Returns the measured runs, in ms. */
function timed(run: () => void): number[] {
  for (let warm = 0; warm < runs / 5; warm += 1) run()
  return Array.from({ length: runs }, () => {
    const start = performance.now()
    run()
    return performance.now() - start
  })
}

function codesOf(arena: VectorArena): VectorCodes {
  const random = seeded(2)
  const some = Array.from({ length: Math.min(rows, distinct) }, () => quantise(unitVector(random)))
  const codes = new VectorCodes(arena, dimension)
  for (let doc = 0; doc < rows; doc += 1) {
    const { code, scale } = some[below(random, some.length)] ?? quantise(unitVector(random))
    if (!codes.add(code, scale, doc)) stop(`${rows} rows of ${dimension} components do not fit the arena`)
  }
  return codes
}

/** Makes a run of the kernel over as many blocks as the rows take. Their content is arbitrary: the time is the same. */
function kernelOnly(arena: VectorArena): () => void {
  const rowBytes = Math.ceil(dimension / rowStep) * rowStep
  const rowsPerBlock = Math.floor(blockBytes / rowBytes)
  const quarter = Math.ceil(rows / rowsPerBlock / lanes)
  const blocks = Array.from({ length: quarter * lanes }, () => arena.allocate() ?? stop('the arena is full'))
  for (const block of blocks) arena.write(block, 0, new Uint8Array(blockBytes).fill(1), blockBytes)
  const block = (at: number): number => blocks[at] ?? 0
  return () => {
    for (let at = 0; at < quarter; at += 1)
      arena.scan(rowBytes, rowsPerBlock, block(at), block(at + quarter), block(at + quarter * 2), block(at + quarter * 3))
  }
}

function measured(kind: 'simd' | 'plain'): string[][] {
  const arena = new VectorArena({ maxBytes: 4 * 1024 ** 3, kind })
  const codes = codesOf(arena)
  const [query, cosines] = [unitVector(seeded(3)), new Float32Array(rows)]
  const lines: [string, number[]][] = [
    [`scan, ${arena.kind}`, timed(() => codes.scan(query, cosines))],
    [`kernel, ${arena.kind}`, timed(kernelOnly(arena))],
  ]
  return lines.map(([name, ms]) => [name, ...[0, 0.5, 0.9].map((part) => figure(percentile(ms, part)))])
}

console.log(`${settingLine(setting())}\n`)
const calibrationMs = calibrate()
console.log(table([`${rows.toLocaleString('en-US')} × ${dimension}, ms`, 'least', 'p50', 'p90'], kinds.flatMap(measured)))
console.log(`\na fixed piece of work took ${figure(calibrationMs)} CPU-ms before`)
