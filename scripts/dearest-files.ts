import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const most = 10

/** Returns the test files with the most CPU time, children included, a line each; and the time of all files. */
export function dearestFiles(report: string, root: string): string[] {
  if (!existsSync(report)) return []
  const files: { file: string; ms: number }[] = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} CPU-s`
  const all = files.reduce((sum, { ms }) => sum + ms, 0)
  const dearest = files.toSorted((one, other) => other.ms - one.ms).slice(0, most)
  return [
    `The ${dearest.length} dearest of ${files.length} test files, of ${seconds(all).trim()} in all:`,
    ...dearest.map(({ file, ms }) => `${seconds(ms)}  ${relative(root, file)}`),
  ]
}
