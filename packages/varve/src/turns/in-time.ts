import { DeadlineExceeded } from '../errors/deadline-exceeded.ts'

/** Waits at most `deadlineMs` for a call, also when the call does not keep to its deadline itself. DeadlineExceeded after it. */
export async function inTime<Result>(
  operation: string,
  deadlineMs: number,
  start: (deadlineMs: number) => Promise<Result>,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new DeadlineExceeded({ operation, deadlineMs })), deadlineMs)
  try {
    return await Promise.race([start(deadlineMs), late])
  } finally {
    clearTimeout(timer)
  }
}
