import { Cancelled } from './errors/cancelled.ts'
import { DeadlineExceeded } from './errors/deadline-exceeded.ts'
import { InvalidOption } from './errors/invalid-option.ts'
import { shown } from './scope/name.ts'
import { givenObject, inRange } from './scope/options.ts'

/** What every call takes. */
export interface CallOptions {
  /** Aborting rejects the call with Cancelled. A write that was already sent may still be stored. */
  readonly signal?: AbortSignal
  /** The call rejects with DeadlineExceeded after this many milliseconds; recall and context answer with nothing instead. */
  readonly deadlineMs?: number
}

const longestDeadlineMs = 2_147_483_647

/** Runs a call under its signal and deadline. Without either there is nothing between the caller and the answer. */
export async function guarded<Result>(operation: string, options: CallOptions, start: () => Promise<Result>): Promise<Result> {
  const { signal, deadlineMs } = givenObject('options', options)
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new InvalidOption({ option: 'signal', received: shown(signal), expected: 'an AbortSignal' })
  if (signal?.aborted === true) throw new Cancelled({ operation }, { cause: signal.reason })
  if (deadlineMs !== undefined) inRange('deadlineMs', deadlineMs, 1, longestDeadlineMs, false)
  if (signal === undefined && deadlineMs === undefined) return start()
  const { promise: cut, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(new Cancelled({ operation }, { cause: signal?.reason }))
  const timer = deadlineMs === undefined ? undefined : setTimeout(() => reject(new DeadlineExceeded({ operation, deadlineMs })), deadlineMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([start(), cut])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
