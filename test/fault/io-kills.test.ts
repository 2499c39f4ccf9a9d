import { describe, expect, it } from 'vitest'
import type { IoArguments, IoLine } from './children/io-child.ts'
import { buildShim, type Shim, shimMissing } from './shim/build.ts'
import { Child } from './support/child.ts'
import { temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { scaled, summarise } from './support/scale.ts'
import { type Run, type ScenarioName, userOf } from './support/scenarios.ts'
import type { Trial } from './support/trial.ts'

const missing = shimMissing()
if (missing !== undefined) console.log(`faults: deaths at the n-th write and fsync are skipped: ${missing}`)

/** The full run tries every n; the sample a few of each scenario. */
const scenarios: readonly (readonly [ScenarioName, sampleStep: number])[] = [
  ['append', 19],
  ['checkpoint', 31],
  ['replace', 41],
  ['forget', 43],
  ['rewrite', 67],
  ['embed', 19],
]

/**
 * The milliseconds that each process's clock is ahead of the one before it. So it need not wait for an erasure or texts
 * that the dead process had claimed.
 */
const pastTheLeaseMs = 150_000

const kinds = ['kill', 'torn'] as const
type Death = (typeof kinds)[number]

interface Deaths {
  readonly deaths: number
  readonly problems: readonly string[]
}

describe.skipIf(missing !== undefined)('a process that dies at its n-th write, fsync, truncate or unlink', () => {
  for (const [place, [scenario, sampleStep]] of scenarios.entries()) {
    it(`leaves the state before or after, and all that it acknowledged: ${scenario}`, { timeout: scaled(180_000, 1_800_000) }, async () => {
      using folder = temporaryFolder()
      const shim = buildShim(folder)
      const store = folder.file('store.db')
      const step = scaled(sampleStep, 1)
      const problems: string[] = []
      const counts: string[] = []
      // The sample takes one of the two for each scenario, in turn.
      for (const kind of scaled<readonly Death[]>([kinds[place % kinds.length] ?? 'kill'], kinds)) {
        const first = scaled(Math.ceil(step / (place + 2)), 1)
        const { deaths, problems: found } = await dieAtEach(shim, store, { scenario, kind, sticky: false, first, step })
        problems.push(...found)
        counts.push(`${deaths} ${kind === 'kill' ? 'before it' : 'half way through'}`)
        expect(deaths).toBeGreaterThan(0)
      }
      problems.push(...problemsOf(store))
      summarise(`death at an operation, ${scenario}: ${counts.join(', ')}, ${problems.length} problems`)
      expect(problems).toEqual([])
    })
  }
})

/**
 * Runs a process for each n: it judges the store that the one before it left, and dies in turn. The last finds no
 * operation to die at.
 */
async function dieAtEach(shim: Shim, store: string, run: Run): Promise<Deaths> {
  const problems: string[] = []
  let previous: Trial | undefined
  for (let n = run.first, deaths = 0; ; n += run.step, deaths += 1) {
    const args: IoArguments = {
      store,
      control: shim.control,
      runs: [{ ...run, first: n }],
      ahead: n * pastTheLeaseMs,
      ...(previous === undefined ? {} : { previous }),
    }
    const child = new Child<IoLine>('io-child.ts', args, { environment: shim.environment(store) })
    const { signal, stderr } = await child.ended
    const lines = child.lines
    problems.push(...lines.flatMap((line) => (line.type === 'judged' || line.type === 'tried' ? line.problems : [])))
    if (previous !== undefined && !lines.some((line) => line.type === 'judged')) problems.push(`${previous.user}: not judged`)
    if (signal !== 'SIGKILL') {
      const ended = lines.some((line) => line.type === 'tried' && !line.fired)
      return { deaths, problems: ended ? problems : [...problems, `${userOf(run, n)} ended by itself: ${stderr}`] }
    }
    const acknowledged = lines.filter((line) => line.type === 'acknowledged').length
    previous = { scenario: run.scenario, user: userOf(run, n), acknowledged, later: [] }
  }
}
