// Runs vitest with the arguments given, then prints `N passed, N failed` as its last line, counted from the runner's own report.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dearestFiles } from './dearest-files.ts'
import { postgresLine } from './postgres-line.ts'
import { readReport } from './test-report.ts'

const root = dirname(import.meta.dirname)
const report = join(root, 'reports', 'vitest.json')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

mkdirSync(dirname(report), { recursive: true })
// When this run dies before it writes its own report, the report of an earlier run would be counted.
rmSync(report, { force: true })
const cpuReport = join(root, 'reports', 'cpu.jsonl')
rmSync(cpuReport, { force: true })
const postgresReport = join(root, 'reports', 'postgres.jsonl')
rmSync(postgresReport, { force: true })

const run = spawnSync(
  process.execPath,
  [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, VARVE_CPU_REPORT: cpuReport, VARVE_POSTGRES_REPORT: postgresReport } },
)

for (const line of dearestFiles(cpuReport, root)) console.log(line)
const summary = readReport(report, run.status)
for (const line of summary.notes) console.log(line)
if (summary.skipped > 0) console.log(`${summary.skipped} skipped`)
const postgres = postgresLine(report, postgresReport)
if (postgres !== undefined) console.log(postgres)
console.log(`${summary.passed} passed, ${summary.failed} failed`)
process.exitCode = summary.failed > 0 ? 1 : 0
