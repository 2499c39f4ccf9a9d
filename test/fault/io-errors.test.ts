import { describe, expect, it } from 'vitest'
import type { IoArguments, IoLine } from './children/io-child.ts'
import { buildShim, shimMissing } from './shim/build.ts'
import { Child } from './support/child.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { counted, everyFault, scaled, summarise } from './support/scale.ts'
import { type Run, type ScenarioName, scenarioNames } from './support/scenarios.ts'

const missing = shimMissing()
if (missing !== undefined) console.log(`faults: failing writes and fsyncs are skipped: ${missing}`)

/** One bad write, a disk that stays bad, a full disk, and a write that is cut short. */
const failures: readonly (Pick<Run, 'kind' | 'sticky'> & { readonly errors: readonly string[] })[] = [
  { kind: 'eio', sticky: false, errors: ['STORE_FAILED'] },
  // On a full disk, the error of an fsync, a truncate or the growth of the shared index is not "full".
  { kind: 'enospc', sticky: true, errors: ['DISK_FULL', 'STORE_FAILED'] },
  ...scaled([], [
    { kind: 'eio', sticky: true, errors: ['STORE_FAILED'] },
    { kind: 'short', sticky: false, errors: [] },
  ] as const),
]

const step = scaled(19, 1)

describe.skipIf(missing !== undefined)('a process whose n-th write, fsync, truncate or unlink fails', () => {
  for (const { kind, sticky, errors } of failures) {
    // requirement: P1.8
    it(
      `keeps what it acknowledged, and goes on: ${kind}${sticky ? ' until it is mended' : ' once'}`,
      { timeout: scaled(180_000, 1_800_000) },
      async () => {
        using folder = temporaryFolder()
        const shim = buildShim(folder)
        const store = folder.file('store.db')
        const runs: Run[] = scenarioNames.map((scenario: ScenarioName, place) => ({
          scenario,
          kind,
          sticky,
          first: everyFault ? 1 : 1 + ((place * 5) % step),
          step,
        }))
        const child = new Child<IoLine>('io-child.ts', { store, control: shim.control, runs, ahead: 0 } satisfies IoArguments, {
          environment: shim.environment(store),
        })
        const { code, stderr } = await child.ended
        expect(stderr).toBe('')
        expect(code).toBe(0)

        const tried = child.lines.filter((line) => line.type === 'tried')
        const fired = tried.filter((line) => line.fired)
        const refused = fired.filter(({ outcome }) => outcome !== 'ok')
        const problems = tried.flatMap((line) => line.problems)
        summarise(
          `${kind}${sticky ? ' until mended' : ''}: ${counted(fired.length)} operations failed (${operations(fired)}), ` +
            `${refused.length} calls refused, ${problems.length} problems`,
        )
        expect(problems).toEqual([])
        expect(problemsOf(store)).toEqual([])
        expect(new Set(refused.map(({ outcome }) => outcome)).difference(new Set<string>(errors))).toEqual(new Set())
        // Each scenario went on until there was no further operation.
        expect(tried.filter((line) => !line.fired)).toHaveLength(scenarioNames.length)
        expect(fired.length).toBeGreaterThan(scenarioNames.length)
      },
    )
  }
})

function operations(lines: readonly { operation: string }[]): string {
  const counts = Map.groupBy(lines, ({ operation }) => operation)
  return [...counts].map(([operation, { length }]) => `${length} ${operation}`).join(', ')
}
