import type { Memory } from '../../../packages/varve/src/index.ts'
import { DelayingProxy } from '../../server/delaying-proxy.ts'
import { through } from '../../server/server.ts'
import { productFrom, withoutVectors } from '../product.ts'
import type { Called, Store } from '../tasks.ts'

/** Measures one call: its time, its round trips and its statements. */
export type Measure = (call: () => Promise<unknown>) => Promise<Called>

/** A transaction that only read ends after its answer: its end is waited for. */
const trailingMs = 20

/** Opens a memory whose server is a little farther away. The engine has threads of its own, and the proxy is in this one. */
export async function farAway<Result>(
  store: Store,
  delayMs: number,
  work: (memory: Memory, measure: Measure) => Promise<Result>,
): Promise<Result & { readonly delayMs: number }> {
  const { openMemory } = await productFrom(store.from)
  await using proxy = await DelayingProxy.start(store.place, { delayMs })
  const measure: Measure = async (call) => {
    const before = proxy.passed
    const begun = performance.now()
    await call()
    const wallMs = performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, trailingMs))
    const { turns, statements } = proxy.passed
    return { wallMs, turns: turns - before.turns, statements: statements - before.statements }
  }
  await using memory = await openMemory({
    ...{ store: through(store.place, proxy.port), upkeep: 'manual', isolation: 'silent' },
    ...withoutVectors,
  })
  const result = await work(memory, measure)
  return { ...result, delayMs: proxy.meanDelayMs }
}

/** Opens a memory on the server as it is, to fill it. */
export async function nearBy(store: Store, work: (memory: Memory) => Promise<void>): Promise<void> {
  const { openMemory } = await productFrom(store.from)
  await using memory = await openMemory({ store: store.place, upkeep: 'manual', isolation: 'silent', ...withoutVectors })
  await work(memory)
}
