import { z } from 'zod'
import type { CallEnd, ModelAnswer } from '../language-model.ts'
import { objectIn, strictObjectIn } from '../json-answer.ts'

/** Some 60,000 tokens: a layer asks for a few thousand at most. Parsing that much takes a few ms of the host's event loop. */
const maxAnswerBytes = 262_144

// A number in v2, an object with the total in v3 and v4.
const count = z.union([z.number().nonnegative(), z.object({ total: z.number().nonnegative() }).transform(({ total }) => total)]).catch(0)

// Specifications v3 and v4 tell both counts, v2 only the tokens that were read. No number: the provider does not tell.
const tokens = z.number().nonnegative().optional().catch(undefined)
const cached = z.union([
  z.object({ inputTokens: z.object({ cacheRead: tokens, cacheWrite: tokens }) }).transform(({ inputTokens }) => inputTokens),
  z.object({ cachedInputTokens: tokens }).transform(({ cachedInputTokens }) => ({ cacheRead: cachedInputTokens, cacheWrite: undefined })),
])

const text = z.object({ type: z.literal('text'), text: z.string() })
// `unsupported-setting` with its setting in v2, `unsupported` with its feature in v3 and v4.
const warning = z.object({ type: z.string().startsWith('unsupported'), setting: z.string().optional(), feature: z.string().optional() })

const counted = z.object({ inputTokens: count, outputTokens: count }).catch({ inputTokens: 0, outputTokens: 0 })

const reasoning = z.object({ type: z.literal('reasoning'), text: z.string().min(1) })
// In an object with the total in v3 and v4, beside it in v2.
const reasoned = z.union([
  z.object({ outputTokens: z.object({ reasoning: z.number().min(1) }) }),
  z.object({ reasoningTokens: z.number().min(1) }),
])

const resultShape = z.object({
  content: z.array(z.unknown()),
  finishReason: z.union([z.string(), z.object({ unified: z.string() }).transform(({ unified }) => unified)]).catch('other'),
  usage: z.unknown(),
  warnings: z.array(z.unknown()).catch([]),
})

/** The reading of a model's answer. */
export interface AnswerReading {
  /** Undefined when the answer holds no JSON object; `fault` then says why. */
  readonly answer: ModelAnswer | undefined
  readonly fault: string
  /** True when the model ignored the requested format: a request with the schema in words may do better. */
  readonly isUnstructured: boolean
  /** True when the room for the answer was used up. */
  readonly isCut: boolean
  /** True when the model reasoned before it answered. */
  readonly hasReasoned: boolean
  readonly used: UsedTokens
}

/** The tokens of a request, as the provider counts them. */
export type UsedTokens = Pick<CallEnd, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>

/** Reads the result of `doGenerate` of any specification: only its text counts, not its reasoning. */
export function readResult(result: unknown, isStructured: boolean): AnswerReading {
  const { content = [], finishReason = 'other', usage, warnings = [] } = resultShape.safeParse(result).data ?? {}
  const finish = finishReason === 'stop' || finishReason === 'length' ? finishReason : 'other'
  const said = content.map((part) => text.safeParse(part).data?.text ?? '').join('')
  const size = Buffer.byteLength(said)
  const object = size > maxAnswerBytes ? undefined : objectOf(said, isStructured && finish !== 'length')
  const isIgnored = warnings.some((one) => isAboutFormat(warning.safeParse(one).data))
  const isOther = object === undefined && size <= maxAnswerBytes && !ended.has(finishReason)
  return {
    answer: object === undefined ? undefined : { object, finish },
    fault: faultOf(size, finishReason),
    isUnstructured: isStructured && (isIgnored || isOther),
    isCut: finish === 'length',
    hasReasoned: content.some((part) => reasoning.safeParse(part).success) || reasoned.safeParse(usage).success,
    used: usedIn(usage),
  }
}

function usedIn(usage: unknown): UsedTokens {
  const { cacheRead, cacheWrite } = cached.safeParse(usage).data ?? {}
  return {
    ...counted.parse(usage),
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
  }
}

/** An answer that was ended from outside tells nothing about the format. */
const ended: ReadonlySet<string> = new Set(['length', 'content-filter'])

/** Finds the object. Structured output that was not cut is plain JSON: a text that needs repair was made without the schema. */
function objectOf(said: string, isStrict: boolean): ModelAnswer['object'] | undefined {
  return isStrict ? strictObjectIn(said) : objectIn(said)
}

function isAboutFormat(data: z.infer<typeof warning> | undefined): boolean {
  return data?.setting === 'responseFormat' || data?.feature === 'responseFormat'
}

/** The AI SDK's reasons for an end. Any other is a provider's own words. */
const finishes: ReadonlySet<string> = new Set(['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other', 'unknown'])

function faultOf(size: number, finishReason: string): string {
  if (size > maxAnswerBytes) return `its answer has ${size} bytes, more than the ${maxAnswerBytes} that are read`
  if (size === 0) return `its answer is empty${finishes.has(finishReason) ? ` (it finished with "${finishReason}")` : ''}`
  if (finishReason === 'content-filter') return 'its content filter ended the answer'
  return finishReason === 'length'
    ? 'its answer was cut before it held a JSON object: allow more output tokens'
    : 'its answer holds no JSON object'
}
