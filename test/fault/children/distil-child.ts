// Distils due sessions of a store with the model that the environment names, until nothing is left or it is killed.
// Others do the same on that store.
import { openMemory } from '../../../packages/varve/src/memory/memory.ts'
import { childArguments, codeOf, say } from '../support/say.ts'

export interface DistilArguments {
  readonly store: string
  /**
   * The time that the clock is ahead of the system's, in milliseconds: sessions are settled, and leases of killed
   * processes ran out.
   */
  readonly aheadMs: number
  readonly bank: boolean
}

export type DistilLine =
  | { readonly type: 'opened' }
  | { readonly type: 'done'; readonly distilled: number; readonly errors: readonly string[] }

const { store, aheadMs, bank } = childArguments<DistilArguments>()
const errors: string[] = []
let distilled = 0
/** The notice of the first paid call is no error. */
const warn = (message: string): void => {
  if (!message.includes('is asked to write')) errors.push(message)
}
await using memory = await openMemory({
  store,
  upkeep: 'manual',
  layers: { gists: true, bank },
  clock: { now: () => Date.now() + aheadMs },
  logger: { warn },
})
say({ type: 'opened' } satisfies DistilLine)
try {
  // It does not wait for sessions that another process reads now: two runs that found nothing are the end.
  for (let idle = 0; idle < 2;) {
    const run = await memory.upkeep.run({ maxSeconds: 20 })
    distilled += run.distilled
    idle = run.distilled + run.digested > 0 ? 0 : idle + 1
  }
} catch (error) {
  errors.push(codeOf(error))
}
say({ type: 'done', distilled, errors } satisfies DistilLine)
