import { type CallOptions, guarded } from './call.ts'
import { type ErrorCode, VarveError } from './errors/varve-error.ts'
import type { Ground } from './ground.ts'
import type { Recalled } from './recall/hit.ts'
import { type RecallOptions, recallRequest } from './recall/request.ts'
import type { PartitionId } from './scope/partition.ts'

/** With these a question rejects: the caller's own doing. With all others it is answered with nothing. */
const rejects: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'ISOLATION_WARNING', 'LIMIT_EXCEEDED', 'MEMORY_CLOSED', 'OPTION_INVALID'])

export function withDegraded<Result extends { readonly degraded: readonly string[] }>(result: Result, degraded: readonly string[]): Result {
  return degraded.length === 0 ? result : { ...result, degraded: [...degraded, ...result.degraded] }
}

/** Who asks what of which partition. */
interface Asking {
  readonly partition: PartitionId
  readonly project: string
  readonly user?: string
  ready?(): Promise<void> | undefined
}

/** Recall on a partition, a project's shared one included. */
export async function recallOn(
  ground: Ground,
  { partition, ready, ...who }: Asking,
  query: string,
  options: RecallOptions & CallOptions,
): Promise<Recalled> {
  const { engine, clock, observer, questions } = ground
  const request = recallRequest(query, options, clock.now())
  const start = performance.now()
  const recalled = await failingOpen(ground, 'recall', { hits: [], degraded: [] }, () =>
    whenReady('recall', options, ready, async () => {
      const { vector, degraded } = await questions.of(partition, request.query)
      return withDegraded(await engine.read('recall.hits', partition, request, vector), degraded)
    }),
  )
  observer.count('recalls')
  observer.emit({ type: 'recalled', ...who, hits: recalled.hits.length, ms: performance.now() - start })
  return recalled
}

/** Does a call once isolation was looked at. */
export function whenReady<Result>(
  operation: string,
  options: CallOptions,
  ready: (() => Promise<void> | undefined) | undefined,
  start: () => Promise<Result>,
): Promise<Result> {
  return guarded(operation, options, async () => {
    // Not awaited without need: a call that came before close() must be sent before it.
    const looked = ready?.()
    if (looked !== undefined) await looked
    return start()
  })
}

/** A question must never break the agent that asks it: only the caller's own abort and bad input reject. */
export function failingOpen<Result extends { degraded: readonly string[] }>(
  ground: Ground,
  operation: string,
  empty: Result,
  start: () => Promise<Result>,
): Promise<Result> {
  return failingOpenTo(ground, (error) => ({ ...empty, degraded: [`${operation} failed: ${error.message}`] }), start)
}

/** The same, with an answer that is made when it is needed. */
export async function failingOpenTo<Result>(
  { observer }: Ground,
  otherwise: (error: VarveError) => Result,
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof VarveError) || rejects.has(error.code)) throw error
    observer.count('failedOpen')
    observer.warn(error.code, error.message, `open ${error.code}`)
    return otherwise(error)
  }
}
