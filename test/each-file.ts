import { appendFileSync, readFileSync } from 'node:fs'
import { configureGlobal } from 'fast-check'
import { afterAll, expect } from 'vitest'
import { runs } from '../packages/varve/src/testing/runs.ts'

// For properties that do not say how often they are tried.
configureGlobal({ numRuns: runs(100) })

// What a file takes is written down, so that the dearest can be told.
const report = process.env['VARVE_CPU_REPORT']
const before = cpuMs()
afterAll(() => {
  if (report === undefined) return
  appendFileSync(report, `${JSON.stringify({ file: expect.getState().testPath ?? '', ms: Math.round(cpuMs() - before) })}\n`)
})

/** CPU time of this process and of the children that it has seen end. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + childrenMs()
}

/**
 * Linux tells it, in ticks of 10 ms: `cutime` and `cstime`, the 14th and the 15th after the name (proc_pid_stat(5)).
 * Elsewhere children are not counted.
 */
function childrenMs(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number)
  return (user + system) * 10
}
