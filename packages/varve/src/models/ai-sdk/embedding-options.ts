import { shown } from '../../errors/shown.ts'
import { z } from 'zod'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'

export interface AiSdkEmbeddingOptions {
  /** The most time of a query, including its wait: milliseconds. Default 2,000. */
  readonly queryDeadlineMs?: number
  /** The most time of each background request: milliseconds. Default 30,000. */
  readonly backgroundDeadlineMs?: number
  /** The most texts of one request, unless the model itself allows fewer. Default 8. */
  readonly requestTexts?: number
  /** The clock for a date in `retry-after`. Default: the system's. */
  readonly clock?: Clock
}

/**
 * The AI SDK parses an answer on the host's event loop. 8 vectors of 1,536 components (250 KB of JSON) block it for
 * some 4 ms, 16 for 8 ms. Where that does not matter, more texts a request are faster.
 */
const defaultRequestTexts = 8

const milliseconds = z.int().min(1).max(600_000)
const optionsShape = z.strictObject({
  queryDeadlineMs: milliseconds.default(2000),
  backgroundDeadlineMs: milliseconds.default(30_000),
  requestTexts: z.int().min(1).max(2048).default(defaultRequestTexts),
  clock: z.custom<Clock>().default(systemClock),
})

export type CheckedOptions = Readonly<z.infer<typeof optionsShape>>

/** Returns the options with their defaults. Throws InvalidOption for a bad one. */
export function checkedOptions(options: AiSdkEmbeddingOptions): CheckedOptions {
  const { data, error } = optionsShape.safeParse(options)
  if (data !== undefined) return data
  const [problem] = error.issues
  const option = problem?.path.join('.') ?? ''
  throw new InvalidOption({ option: option === '' ? 'options' : option, received: shown(options), expected: problem?.message ?? 'valid' })
}
