import { existsSync, readFileSync } from 'node:fs'

/** Test files that need a server, or several connections: those of PostgreSQL, and of moving stores to it and back. */
export const needsServer = /\/(?:postgres|move)[\w-]*\.test\.ts$/

/** The part of vitest's JSON report that is counted. */
interface Report {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly { readonly status: string }[] }[]
}

/**
 * Says which PostgreSQL the tests took, and how many of them it could not run. Undefined when no suite of PostgreSQL was
 * among them. `report` is vitest's, and `taken` has the PostgreSQL in its first line and then a line a file.
 */
export function postgresLine(report: string, taken: string): string | undefined {
  if (!existsSync(taken) || !existsSync(report)) return undefined
  const [source = '{}', ...files] = readFileSync(taken, 'utf8').trim().split('\n')
  const { kind, version }: { kind?: string; version?: string } = JSON.parse(source)
  const counts = files.map((line): { ran: number; leftOut: number } => JSON.parse(line))
  const ran = counts.reduce((sum, one) => sum + one.ran, 0)
  const leftOut = counts.reduce((sum, one) => sum + one.leftOut, 0)
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const notRun = testResults
    .filter(({ name }) => needsServer.test(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed').length
  if (kind === 'server') return `PostgreSQL ${version}: ${notRun === 0 ? 'all suites' : `${notRun} not run`}, ${ran} tests`
  return `PGlite (PostgreSQL ${version}): ${ran} tests, ${notRun + leftOut} not run: they need a server (apt-get install postgresql)`
}
