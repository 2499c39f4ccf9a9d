import { AssertionError } from 'node:assert/strict'
import { apartChecks } from './apart-checks.ts'
import type { BreachCheck } from './breach-check.ts'
import { callChecks } from './call-checks.ts'
import type { MemoryUnderTest } from './memory-under-test.ts'

/** One promise of isolation and a test of it: `run` rejects with an AssertionError that lists the breaches. */
export interface IsolationCheck {
  readonly name: string
  run(): Promise<void>
}

export interface IsolationKit {
  readonly checks: readonly IsolationCheck[]
  /** Names of the checks that this memory cannot run, for want of a way to ask. Count them, so that none is silently missing. */
  readonly absent: readonly string[]
}

/** The most breaches that an error lists. */
const mostListed = 40

/**
 * Returns checks that no owner of a memory sees, moves or harms what is another's. Needs no test runner. It knows the
 * memory only through its adapter, and finds every public method by reflection: a method without a case is a breach.
 *
 * `seed` chooses the owners; the same seed gives the same ones.
 *
 * @example for (const { name, run } of isolationKit(mine).checks) test(name, run)
 */
export function isolationKit<Handle>(memory: MemoryUnderTest<Handle>, seed = 1): IsolationKit {
  const isAbsent = ({ needs }: BreachCheck): boolean => needs !== undefined && memory[needs] === undefined
  const all = [...callChecks, ...apartChecks(memory.apart ?? ['project', 'user'])]
  return {
    checks: all.filter((check) => !isAbsent(check)).map((check) => ({ name: check.name, run: () => runOne(memory, check, seed) })),
    absent: all.filter(isAbsent).map(({ name }) => name),
  }
}

async function runOne<Handle>(memory: MemoryUnderTest<Handle>, { name, breaches }: BreachCheck, seed: number): Promise<void> {
  const opened = await memory.open()
  try {
    const found = await breaches(memory, opened, seed)
    if (found.length === 0) return
    const more = found.length > mostListed ? `\n- and ${found.length - mostListed} more` : ''
    const listed = found.slice(0, mostListed).map((line) => `\n- ${line}`)
    throw new AssertionError({ message: `${name}: ${found.length} breaches${listed.join('')}${more}`, actual: found.length, expected: 0 })
  } finally {
    await opened.close()
  }
}
