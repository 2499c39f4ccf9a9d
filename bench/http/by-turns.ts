import type { Ask } from './serving-child.ts'
import type { Taken } from './tasks.ts'

/** The runs of the same work done both ways. */
export interface BothWays {
  readonly here: Taken[]
  readonly there: Taken[]
}

/** Does the same both ways, by turns, after each was done once. */
export async function byTurns(repeat: number, here: () => Promise<Taken>, there: () => Promise<Taken>): Promise<BothWays> {
  await here()
  await there()
  const runs: BothWays = { here: [], there: [] }
  for (let run = 0; run < repeat; run += 1) {
    runs.here.push(await here())
    runs.there.push(await there())
  }
  return runs
}

/** What the memory's process takes while this one sends. */
export async function over(ask: Ask, send: () => Promise<unknown>): Promise<Taken> {
  const before = await ask({ do: 'usage' })
  await send()
  const after = await ask({ do: 'usage' })
  return { wallMs: after.wallMs - before.wallMs, cpuMs: after.cpuMs - before.cpuMs, rssMb: after.rssMb, heapMb: after.heapMb }
}
