import { z } from 'zod'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'

export interface AiSdkEmbeddingOptions {
  /** How long a query may take, waiting for its turn included. Default 2,000. */
  readonly queryDeadlineMs?: number
  /** How long each request of background work may take. Default 30,000. */
  readonly backgroundDeadlineMs?: number
  /** The most texts of one request, if the model itself does not allow fewer. Default 8. */
  readonly requestTexts?: number
  /** For the date in a `retry-after`. Default: the system's. */
  readonly clock?: Clock
}

/**
 * The AI SDK parses an answer on the host's event loop: 8 vectors of 1,536 components (250 KB of JSON) hold it up for some
 * 4 ms, 16 for 8. More texts a request are faster where that does not matter.
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

/** The options with their defaults, or InvalidOption. */
export function checkedOptions(options: AiSdkEmbeddingOptions): CheckedOptions {
  const { data, error } = optionsShape.safeParse(options)
  if (data !== undefined) return data
  const [problem] = error.issues
  const option = problem?.path.join('.') ?? ''
  throw new InvalidOption({
    option: option === '' ? 'options' : option,
    received: JSON.stringify(options),
    expected: problem?.message ?? 'valid',
  })
}
