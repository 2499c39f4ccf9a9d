import * as z from 'zod'
import { maxFacts } from './facts-task.ts'

const digits = /^\s*\[?\d{1,9}\]?\s*$/
const decimal = /^\s*\d{0,9}(?:\.\d{1,20})?\s*$/
const oneNumber = z.union([
  z.number(),
  z
    .string()
    .regex(digits)
    .transform((text) => Number(text.replaceAll(/[[\]\s]/g, ''))),
])

/** The schema of numbers: a list or one alone, as figures or as text. It passes over other values. */
const numbers = z
  .unknown()
  .optional()
  .transform((given) => (Array.isArray(given) ? given : [given]).slice(0, maxFacts).flatMap((each) => oneNumber.safeParse(each).data ?? []))

/** The schema of a text. Null and any other value count as ''. */
const words = z
  .unknown()
  .optional()
  .transform((given) => (typeof given === 'string' ? given : typeof given === 'number' ? String(given) : ''))

const asWord = (given: unknown): unknown => (typeof given === 'string' ? given.trim().toLowerCase() : given)

const confidence = z
  .unknown()
  .optional()
  .transform((given) => {
    const value =
      typeof given === 'number' ? given : typeof given === 'string' && /\d/.test(given) && decimal.test(given) ? Number(given) : Number.NaN
    return Number.isNaN(value) ? undefined : Math.min(1, Math.max(0, value))
  })

const single = z
  .unknown()
  .optional()
  .transform((given) => {
    const word = asWord(given)
    return word === true || word === 'true' ? true : word === false || word === 'false' ? false : undefined
  })

/** Kinds as an earlier format named them. */
const earlierKinds: ReadonlyMap<unknown, string> = new Map([
  ['is', 'state'],
  ['ends', 'ended'],
  ['wrong', 'never'],
])

const kind = z.preprocess(
  (given) => {
    const word = asWord(given) || 'state'
    return earlierKinds.get(word) ?? word
  },
  z.enum(['state', 'ended', 'event', 'never']),
)

/** Fields from `instead` on are of earlier formats, but for `when`. What an answer leaves out is told by the words of its quote. */
const fields = z.object({
  from: numbers,
  quote: z.string(),
  kind,
  subject: words,
  predicate: z.string(),
  object: words,
  instead: words,
  when: words,
  until: words,
  tense: z.preprocess(asWord, z.enum(['past', 'present', 'future']).optional().catch(undefined)),
  confidence,
  single,
  restsOn: numbers,
})

/** The schema by which a fact is read. Small models leave fields out, write null in their place, or numbers as text. */
const answeredFact = z.preprocess((given) => {
  // An earlier format called the kind "says".
  const item = z.looseObject({ kind: z.unknown().optional(), says: z.unknown().optional() }).safeParse(given).data
  return item === undefined ? given : { ...item, kind: item.kind ?? item.says }
}, fields)

export type AnsweredFact = z.output<typeof answeredFact>

/** Reads a fact. Gives the reason when it is none: its kind is unknown, or another field is wrong. */
export function readFact(given: unknown): AnsweredFact | 'kind' | 'shape' {
  const { data, error } = answeredFact.safeParse(given)
  return data ?? (error?.issues.every(({ path }) => path[0] === 'kind') === true ? 'kind' : 'shape')
}
