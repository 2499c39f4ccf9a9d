import { existsSync, readFileSync } from 'node:fs'

/** Says which PostgreSQL the tests took, and how many it could not run; undefined when none of them was about PostgreSQL. */
export function postgresLine(report: string): string | undefined {
  if (!existsSync(report)) return undefined
  const [source = '{}', ...files] = readFileSync(report, 'utf8').trim().split('\n')
  const { kind, version }: { kind?: string; version?: string } = JSON.parse(source)
  const counts: { ran: number; needConnections: number }[] = files.map((line) => JSON.parse(line))
  const ran = counts.reduce((sum, one) => sum + one.ran, 0)
  const notRun = counts.reduce((sum, one) => sum + one.needConnections, 0)
  if (kind === 'server') return `PostgreSQL ${version}: all suites, ${ran} tests`
  return `PGlite (PostgreSQL ${version}): ${ran} tests, ${notRun} not run: they need several connections (apt-get install postgresql)`
}
