import { existsSync, readFileSync } from 'node:fs'

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failures that are not failed tests, a line each. */
  readonly notes: readonly string[]
}

/**
 * Counts a report. Besides failed tests, each of these counts as one failure:
 *
 * - a file that could not be imported or whose hooks failed (it has no failed test),
 * - a run that failed for another reason (an unhandled rejection, a crashed worker),
 * - no report, and no test.
 */
export function readReport(path: string, exitCode: number | null): Summary {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0, notes: [`FAIL no report was written (exit ${exitCode})`] }
  const report: Report = JSON.parse(readFileSync(path, 'utf8'))
  const notes: string[] = []
  const counts = { passed: 0, failed: 0, skipped: 0 }

  for (const file of report.testResults) {
    let failedTests = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counts.passed += 1
      else if (test.status === 'failed') failedTests += 1
      else counts.skipped += 1
    }
    counts.failed += failedTests
    if (file.status === 'failed' && failedTests === 0) {
      counts.failed += 1
      notes.push(`FAIL ${file.name}: ${firstLine(file.message) || 'failed outside its tests'}`)
    }
  }

  if (counts.failed === 0 && counts.passed === 0) {
    counts.failed += 1
    notes.push('FAIL no test ran')
  } else if (counts.failed === 0 && exitCode !== 0) {
    counts.failed += 1
    notes.push(`FAIL the run failed outside its tests (exit ${exitCode}): see the errors above`)
  }
  return { ...counts, notes }
}

function firstLine(text: string | undefined): string {
  return text?.trim().split('\n')[0] ?? ''
}
