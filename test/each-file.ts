import { appendFileSync } from 'node:fs'
import { configureGlobal } from 'fast-check'
import { afterAll, expect } from 'vitest'
import { runs } from '../packages/varve/src/testing/runs.ts'

// For properties that do not say how often they are tried.
configureGlobal({ numRuns: runs(100) })

// What a file takes is written down, so that the dearest can be told.
const report = process.env['VARVE_CPU_REPORT']
const before = process.cpuUsage()
afterAll(() => {
  if (report === undefined) return
  const { user, system } = process.cpuUsage(before)
  appendFileSync(report, `${JSON.stringify({ file: expect.getState().testPath ?? '', ms: Math.round((user + system) / 1_000) })}\n`)
})
