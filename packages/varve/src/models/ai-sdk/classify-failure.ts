import { z } from 'zod'
import type { Clock } from '../../clock/clock.ts'
import { ModelFailed } from '../../errors/model-failed.ts'
import { VarveError } from '../../errors/varve-error.ts'
import { sortOf, wordless } from '../../errors/wordless.ts'

/** The longest time-out that a provider may ask for: a header with a year is a mistake. */
const maxRetryAfterMs = 86_400_000

/** The fields of the AI SDK's APICallError that are read here; other errors lack them. */
const failureShape = z.object({
  name: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  isRetryable: z.boolean().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
})

type Failure = z.infer<typeof failureShape>

/** The AI SDK's errors for an answer that arrived but makes no sense, when they have no status. */
const unreadable = /^AI_(?:EmptyResponseBody|InvalidResponseData|JSONParse|NoContentGenerated|TypeValidation)Error$/

/** Statuses under 500 that pass by themselves: time-out, conflict, too early, too many requests. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Advice for statuses that do not pass. */
const advice: ReadonlyMap<number, string> = new Map([
  [400, 'it does not take this request: check the model’s name and the length of the texts'],
  [401, 'check the key'],
  [402, 'check the account'],
  [403, 'check what the key may do'],
  [404, 'check the address and the model’s name'],
  [413, 'the texts are too long for it'],
])

/**
 * Turns a provider's failure into an error that says why, and whether another attempt makes sense. It keeps none of the
 * provider's words: an answer of 400 or 401 may hold the request and its key.
 */
export function classifyFailure(error: unknown, model: string, clock: Clock, concerns: ModelFailed['concerns'] = 'model'): VarveError {
  // Not VarveError.is: an error of another copy of Varve came from the host's model, and no caller knows its class as ModelFailed.
  if (error instanceof VarveError) return error
  const failure = failureShape.safeParse(error).data ?? {}
  const facts = {
    model,
    reason: reasonOf(failure, error),
    isRetryable: isRetryable(error, failure),
    retryAfterMs: retryAfterMs(failure, clock),
    concerns,
  }
  return new ModelFailed(facts, { cause: wordless(error) })
}

function reasonOf({ name, statusCode }: Failure, error: unknown): string {
  if (statusCode === undefined && !isUnreadable(name)) return callFailed(error)
  if (statusCode === undefined || statusCode < 400) return 'its answer cannot be read'
  const advised = advice.get(statusCode)
  return `it answered ${statusCode}${advised === undefined ? '' : `; ${advised}`}`
}

function callFailed(error: unknown): string {
  const sort = sortOf(error)
  return sort === '' ? 'its call failed' : `its call failed (${sort})`
}

/**
 * Tells whether an attempt may be repeated. A status decides alone, even one of success: a body that is cut off or is
 * prose may come from a proxy in between.
 */
function isRetryable(error: unknown, { name, statusCode, isRetryable }: Failure): boolean {
  if (isUnreadable(name)) return true
  if (statusCode !== undefined) return statusCode < 400 || statusCode >= 500 || passing.has(statusCode)
  return isRetryable ?? isNetworkFailure(error)
}

/** Tells whether an error of this name means an answer that arrived whole and makes no sense. */
export function isUnreadable(name: string | undefined): boolean {
  return name !== undefined && unreadable.test(name)
}

/**
 * Tells whether fetch or a socket failed. They throw a TypeError around a system error, or a system error alone, or a
 * time-out of the provider's own.
 */
export function isNetworkFailure(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at.name === 'TimeoutError' || at.name === 'AbortError') return true
    if ('code' in at && typeof at.code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(at.code)) return true
  }
  return false
}

/** Reads `retry-after`, in seconds or as a date, or `retry-after-ms`. */
function retryAfterMs({ responseHeaders = {} }: Failure, clock: Clock): number | undefined {
  const headers = new Map(Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const milliseconds = headers.get('retry-after-ms')
  const after = headers.get('retry-after')
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds)) return bounded(Number(milliseconds))
  if (after === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(after)) return bounded(Number(after) * 1000)
  const at = Date.parse(after)
  return Number.isNaN(at) ? undefined : bounded(at - clock.now())
}

function bounded(milliseconds: number): number {
  return Math.ceil(Math.min(Math.max(milliseconds, 0), maxRetryAfterMs))
}
