import { z } from 'zod'
import { Cancelled } from '../../errors/cancelled.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import type { CallOutcome } from '../language-model.ts'
import { isNetworkFailure, isUnreadable } from './classify-failure.ts'

/** Outcomes after which another request may be answered. */
export const passing: ReadonlySet<CallOutcome> = new Set(['limited', 'unavailable', 'late'])

/** Statuses under 500 that pass by themselves, apart from 429: time-out, conflict, too early. */
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425])

/** Statuses that every request meets: a wrong key, an empty account, a wrong address, a proxy's sign-in. Moderation answers 403. */
const ofModel: ReadonlySet<number> = new Set([401, 402, 404, 405, 407])

const failureShape = z.object({
  name: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  isRetryable: z.boolean().optional().catch(undefined),
})

/** Returns the outcome of a failed request. Varve's own errors come from its deadline and from the caller's signal. */
export function outcomeOf(error: unknown): CallOutcome {
  if (error instanceof Cancelled) return 'cancelled'
  if (error instanceof ModelFailed) return 'late'
  const { name, statusCode, isRetryable = isNetworkFailure(error) } = failureShape.safeParse(error).data ?? {}
  if (statusCode === undefined) return isUnreadable(name) ? 'unreadable' : isRetryable ? 'unavailable' : 'refused'
  if (statusCode === 429) return 'limited'
  if (statusCode >= 500 || passingStatuses.has(statusCode)) return 'unavailable'
  if (statusCode >= 400) return 'refused'
  // A success whose body broke off may be whole the next time; a senseless one is the server's answer.
  return isRetryable ? 'unavailable' : 'unreadable'
}

/** Tells whether other requests may be answered all the same: this one got a senseless answer, or was refused for its text. */
export function concernOf(outcome: CallOutcome, error: unknown): ModelFailed['concerns'] {
  if (outcome === 'unreadable') return 'request'
  const { statusCode } = failureShape.safeParse(error).data ?? {}
  return outcome === 'refused' && statusCode !== undefined && !ofModel.has(statusCode) ? 'request' : 'model'
}
