import { shown } from '../../errors/shown.ts'
import { z } from 'zod'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { InvalidOption } from '../../errors/invalid-option.ts'

export interface AiSdkLanguageOptions {
  /** Tokens of prompt and answer together. Default: the server's own where its address is known, else 8,192. */
  readonly window?: number | undefined
  /** The most time of one request before it is tried again: milliseconds. Default: the whole call's, as a slow local model needs. */
  readonly requestDeadlineMs?: number | undefined
  /** The clock for a date in `retry-after`. Default: the system's. */
  readonly clock?: Clock | undefined
  /** The pause before the first repeated request, in milliseconds; later ones double it. Default 1,000; tests make it short. */
  readonly firstPauseMs?: number | undefined
}

/** A number of tokens, also as a server tells its window. */
export const tokens = z.int().min(1).max(100_000_000)

const optionsShape = z.strictObject({
  window: tokens.optional(),
  requestDeadlineMs: z.int().min(1).max(3_600_000).optional(),
  clock: z.custom<Clock>().default(systemClock),
  firstPauseMs: z.int().min(0).max(60_000).default(1000),
})

export type CheckedLanguageOptions = Readonly<z.infer<typeof optionsShape>>

/** Returns the options with their defaults. Throws InvalidOption for a bad one. */
export function checkedLanguageOptions(options: AiSdkLanguageOptions): CheckedLanguageOptions {
  const { data, error } = optionsShape.safeParse(options)
  if (data !== undefined) return data
  const [problem] = error.issues
  const option = problem?.path.join('.') ?? ''
  throw new InvalidOption({ option: option === '' ? 'options' : option, received: shown(options), expected: problem?.message ?? 'valid' })
}
