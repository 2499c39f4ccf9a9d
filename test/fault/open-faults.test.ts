import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../packages/varve/src/memory/memory.ts'
import { schemaVersion } from '../../packages/varve/src/storage/sqlite/migrations/all.ts'
import type { OpenArguments, OpenLine } from './children/open-child.ts'
import { buildShim, type Shim, shimMissing } from './shim/build.ts'
import { Child } from './support/child.ts'
import { fixtureContents, fixtureFile, fixtureSessions, fixtureUsers } from './support/fixture.ts'
import { copyPrivately, temporaryFolder } from './support/folder.ts'
import { problemsOf } from './support/inspect.ts'
import { everyFault, scaled, summarise } from './support/scale.ts'

const missing = shimMissing()
if (missing !== undefined) console.log(`faults: failures and deaths while a store is made or migrated are skipped: ${missing}`)

const failures = [
  { kind: 'eio', sticky: false },
  { kind: 'enospc', sticky: true },
  { kind: 'short', sticky: false },
] as const
const deaths = ['kill', 'torn'] as const
type Death = (typeof deaths)[number]
const clear = new Set(['ok', 'STORE_FAILED', 'DISK_FULL'])

describe.skipIf(missing !== undefined).each([
  ['made', undefined, 43, 'eio', 'torn'],
  ['migrated', fixtureFile(schemaVersion - 1), 53, 'enospc', 'kill'],
] as const)('a store that is being %s', (what, from, sampleStep, sampleFailure, sampleDeath) => {
  const step = scaled(sampleStep, 1)

  it(
    'is as before or whole when an operation fails, and opens once the fault is gone',
    { timeout: scaled(180_000, 1_800_000) },
    async () => {
      using folder = temporaryFolder()
      const { control, environment } = buildShim(folder)
      const summary: string[] = []
      const problems: string[] = []
      for (const { kind, sticky } of failures.filter(({ kind }) => everyFault || kind === sampleFailure)) {
        const prefix = folder.file(kind)
        const args: OpenArguments = { prefix, control, kind, sticky, first: scaled(11, 1), step, ...(from === undefined ? {} : { from }) }
        const child = new Child<OpenLine>('open-child.ts', args, { environment: environment(prefix) })
        const { code, stderr } = await child.ended
        if (code !== 0) problems.push(stderr)
        for (const { n, operation, outcome, again } of child.lines.filter(({ fired }) => fired)) {
          const name = `${kind} at ${n} (${operation})`
          if (!clear.has(outcome)) problems.push(`${name}: ${outcome}`)
          if (again !== 'ok') problems.push(`${name}, then without a fault: ${again}`)
          problems.push(...(await look(`${prefix}-${n}.db`, from !== undefined)).map((problem) => `${name}: ${problem}`))
        }
        summary.push(`${child.lines.filter(({ fired }) => fired).length} ${kind}`)
        if (child.lines.at(-1)?.fired !== false) problems.push(`${kind} did not come to its end`)
      }
      summarise(`operations that failed while a store was ${what}: ${summary.join(', ')}, ${problems.length} problems`)
      expect(problems).toEqual([])
    },
  )

  it('is as before or whole when the process dies at an operation', { timeout: scaled(180_000, 3_600_000) }, async () => {
    using folder = temporaryFolder()
    const shim = buildShim(folder)
    const problems: string[] = []
    const counts = { kill: 0, torn: 0 }
    for (const kind of scaled<readonly Death[]>([sampleDeath], deaths)) {
      for (let n = scaled(24, 1); await dies(shim, folder.file(kind), kind, n, from); n += step) {
        counts[kind] += 1
        problems.push(...(await look(folder.file(`${kind}-${n}.db`), from !== undefined)).map((problem) => `${kind} at ${n}: ${problem}`))
      }
    }
    summarise(
      `deaths while a store was ${what}: ${counts.kill} killed before an operation, ${counts.torn} half way through, ` +
        `${problems.length} problems`,
    )
    expect(problems).toEqual([])
    expect(counts[sampleDeath]).toBeGreaterThan(0)
  })
})

/** Runs a process that dies at its n-th operation; returns false when it had fewer. */
async function dies({ control, environment }: Shim, prefix: string, kind: Death, n: number, from: string | undefined): Promise<boolean> {
  const args: OpenArguments = { prefix, control, kind, sticky: false, first: n, step: 1, ...(from === undefined ? {} : { from }) }
  const child = new Child<OpenLine>('open-child.ts', args, { environment: environment(prefix) })
  return (await child.ended).signal === 'SIGKILL'
}

/** Opens a store as the next process would: all its content is there, and no file lies beside it. */
async function look(store: string, migrated: boolean): Promise<string[]> {
  const problems: string[] = []
  if (migrated && !existsSync(store)) copyPrivately(fixtureFile(schemaVersion - 1), store)
  await using memory = await openMemory({ store, engine: 'inline', upkeep: 'manual' })
  for (const user of migrated ? fixtureUsers : []) {
    for (const session of fixtureSessions) {
      const messages = await memory.for({ project: 'acme', user }).messages(session)
      const expected = fixtureContents(user, session)
      if (messages.length !== expected.length || messages.some(({ content }, at) => content !== expected[at]))
        problems.push(`${user}'s ${session} is not whole`)
    }
  }
  const { checks } = await memory.doctor()
  problems.push(...checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`), ...problemsOf(store))
  const folder = store.slice(0, store.lastIndexOf('/'))
  problems.push(
    ...readdirSync(folder)
      .filter((name) => name.includes(`${store.slice(folder.length + 1)}.before`))
      .map((name) => `${name} is left`),
  )
  return problems
}
