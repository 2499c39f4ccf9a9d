// Repeats scenarios under the shim while the n-th operation fails: n = first, first + step, … until none failed.
import { type Memory, openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { Control } from '../shim/control.ts'
import { embedRest } from '../support/embed-rest.ts'
import { faultModel } from '../support/embedding-model.ts'
import { childArguments, codeOf, say } from '../support/say.ts'
import { type Run, scenarioOf, session, userOf } from '../support/scenarios.ts'
import { textOf } from '../support/text.ts'
import { judge, searchErased, type Trial } from '../support/trial.ts'

export interface IoArguments {
  readonly store: string
  readonly control: string
  readonly runs: readonly Run[]
  /** The milliseconds that this process's clock is ahead: past the lease of a dead process's erasure or claim. */
  readonly ahead: number
  /** The trial during which the process before this one died. */
  readonly previous?: Trial
}

export type IoLine =
  | { readonly type: 'prepared' | 'acknowledged' }
  | { readonly type: 'judged'; readonly problems: readonly string[] }
  | {
      readonly type: 'tried'
      readonly user: string
      readonly n: number
      readonly fired: boolean
      readonly operation: string
      readonly outcome: string
      readonly problems: readonly string[]
    }

const given = childArguments<IoArguments>()
const { store, runs, previous } = given
using control = new Control(given.control)
const model = faultModel()
/** After a failure embedding pauses for a second, and for twice as long after each further one. */
const longestPauseMs = 10_000
let ahead = given.ahead
await using memory = await openMemory({
  store,
  upkeep: 'manual',
  logger: { warn: () => {} },
  clock: { now: () => Date.now() + ahead },
  embeddingModel: model,
})

if (previous !== undefined) {
  const { state, problems } = await judge(memory, previous)
  const left = [...(await searchErased(memory, store, previous, state)), ...(await embedRest(memory, store, model))]
  say({ type: 'judged', problems: [...problems, ...left, ...(await clear(memory, previous.user))] } satisfies IoLine)
}
/** Trials are cleared away now and then, so that the store stays small: the cost of a rewrite depends on its size. */
const clearEvery = 8
const uncleared: string[] = []

for (const run of runs) {
  for (let n = run.first; ; n += run.step) {
    if (!(await tryOne(memory, run, n))) break
  }
}

async function tryOne(memory: Memory, run: Run, n: number): Promise<boolean> {
  const { scenario, kind, sticky } = run
  const user = userOf(run, n)
  const { prepare, steps } = scenarioOf(scenario, { memory, store, user })
  await prepare()
  say({ type: 'prepared' } satisfies IoLine)
  control.arm({ failAt: n, kind, sticky })
  let acknowledged = 0
  let outcome = 'ok'
  try {
    for (const act of steps) {
      await act()
      acknowledged += 1
      say({ type: 'acknowledged' } satisfies IoLine)
    }
  } catch (error) {
    outcome = codeOf(error)
  }
  const { fired, operation } = control.disarm()
  const problems = await afterwards(memory, { scenario, user, acknowledged, later: [] })
  uncleared.push(user)
  if (uncleared.length >= clearEvery) for (const name of uncleared.splice(0)) problems.push(...(await clear(memory, name)))
  say({ type: 'tried', user, n, fired, operation, outcome, problems } satisfies IoLine)
  return fired
}

/** Checks the process after the fault: it reads the acknowledged messages, and writes again. */
async function afterwards(memory: Memory, trial: Trial): Promise<string[]> {
  const problems: string[] = []
  const later = textOf(`${trial.user}/later`)
  try {
    await memory.for({ project: 'faults', user: trial.user }).append(session, { role: 'user', content: later })
  } catch (error) {
    problems.push(`${trial.user}: after the fault, append: ${codeOf(error)}`)
  }
  const judged = await judge(memory, { ...trial, later: problems.length === 0 ? [later] : [] })
  ahead += longestPauseMs
  const rest = (await embedRest(memory, store, model)).map((problem) => `${trial.user}: ${problem}`)
  return [...problems, ...judged.problems, ...(await searchErased(memory, store, trial, judged.state)), ...rest]
}

async function clear(memory: Memory, user: string): Promise<string[]> {
  const receipt = await memory.for({ project: 'faults', user }).forget({ all: true })
  return receipt.physical === 'done' ? [] : [`${user}: clearing up stays pending: ${receipt.reason ?? ''}`]
}
