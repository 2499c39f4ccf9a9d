import { Cancelled } from '../../errors/cancelled.ts'
import { DeadlineExceeded } from '../../errors/deadline-exceeded.ts'
import { MemoryClosed } from '../../errors/memory-closed.ts'
import { type ErrorCode, VarveError } from '../../errors/varve-error.ts'
import type { StoreMeans } from '../../operations/means.ts'
import type { CallOptions } from '../../operations/call-options.ts'
import type { Checked, Fields, OperationOf } from '../../operations/operation.ts'
import { parseInput } from '../../operations/parse.ts'

/** The state of a memory that every call looks at. */
export interface Gate {
  isClosed(): boolean
  /** Resolves when the isolation check is done; undefined when there is nothing to check. */
  ready(): Promise<void> | undefined
}

/** Errors that every call rejects with, even where it fails open: the caller caused them. */
const rejects: ReadonlySet<ErrorCode> = new Set(['CANCELLED', 'ISOLATION_WARNING', 'LIMIT_EXCEEDED', 'MEMORY_CLOSED', 'OPTION_INVALID'])

/**
 * Makes a call. Checks the memory, the input and the isolation, and keeps to signal and deadline. Fails open where the
 * operation does.
 */
export async function guarded<Means extends StoreMeans, Input extends Fields, Output>(
  gate: Gate,
  means: Means,
  operation: OperationOf<Means, Input, Output>,
  given: object,
): Promise<Output> {
  if (gate.isClosed()) throw new MemoryClosed()
  const { input, call } = parseInput(operation, given)
  const start = performance.now()
  const output = await failingOpen(means, operation, input, () =>
    inTime(operation.name, call, async () => {
      // An await only when needed: a call that came before close() must be sent before it.
      const looked = gate.ready()
      if (looked !== undefined) await looked
      return operation.run(means, input, call)
    }),
  )
  operation.told?.(means, input, output, performance.now() - start)
  return output
}

/**
 * Answers a failed question in the operation's own way: a question must never break the agent that asks it. Counts each
 * failure, and warns once of each kind.
 */
async function failingOpen<Means extends StoreMeans, Input extends Fields, Output>(
  means: Means,
  operation: OperationOf<Means, Input, Output>,
  input: Checked<Input>,
  start: () => Promise<Output>,
): Promise<Output> {
  if (operation.failsOpen === undefined) return start()
  try {
    return await start()
  } catch (error) {
    if (!VarveError.is(error) || rejects.has(error.code)) throw error
    means.observer.count('failedOpen')
    means.observer.warn(error.code, error.message, `open ${error.code}`)
    return operation.failsOpen(error, input, means)
  }
}

/** Runs a call under its signal and deadline. Without either, the caller awaits the call itself. */
async function inTime<Result>(operation: string, { signal, deadlineMs }: CallOptions, start: () => Promise<Result>): Promise<Result> {
  if (signal?.aborted === true) throw new Cancelled({ operation }, { cause: signal.reason })
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
