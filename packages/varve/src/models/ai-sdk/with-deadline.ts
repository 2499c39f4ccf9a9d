import { Cancelled } from '../../errors/cancelled.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import { wordless } from '../../errors/wordless.ts'

export interface Bounds {
  readonly model: string
  /** The operation that `Cancelled` names. */
  readonly operation: string
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Ends work at its deadline or with its signal, even if it heeds neither. Rejects with `Cancelled` for the caller's
 * signal, and with `ModelFailed` for the time.
 *
 * The signal that the work gets closes its connection in both cases.
 */
export async function withDeadline<Result>(
  { model, operation, deadlineMs, signal }: Bounds,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), deadlineMs)
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(either.reason)
  try {
    either.throwIfAborted()
    either.addEventListener('abort', end, { once: true })
    return await Promise.race([ended.promise, work(either)])
  } catch (error) {
    if (signal?.aborted === true) throw new Cancelled({ operation }, { cause: signal.reason })
    if (!timeout.signal.aborted) throw error
    throw new ModelFailed({ model, reason: `it gave no answer within ${deadlineMs} ms`, isRetryable: true }, { cause: wordless(error) })
  } finally {
    clearTimeout(timer)
    either.removeEventListener('abort', end)
  }
}
