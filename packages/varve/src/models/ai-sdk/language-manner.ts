import { z } from 'zod'
import { isUnreadable } from './classify-failure.ts'
import type { ModelRequest } from '../language-model.ts'
import type { GenerateOptions } from './language-model-shape.ts'

/** The manner of a request: parts that a model refuses are left out. */
export interface Manner {
  /** True when the schema goes to the provider; otherwise it stands in the prompt. */
  readonly isStructured: boolean
  readonly hasTemperature: boolean
  /** True where the room for the answer is named `max_completion_tokens`, as newer models of OpenAI want it. */
  readonly namesCompletion: boolean
  /** `low` once a model was seen to reason: a memory's texts need little of it. `refused` when it takes no such wish. */
  readonly effort: 'usual' | 'low' | 'refused'
  /** True where the answer comes in pieces. */
  readonly isStreamed: boolean
  /** The factor on the room for an answer: reasoning takes room too. */
  readonly room: number
}

export const fullManner: Manner = {
  isStructured: true,
  hasTemperature: true,
  namesCompletion: false,
  effort: 'usual',
  isStreamed: false,
  room: 1,
}

/** The key of the options for a server of the OpenAI wire format, which go into its request's body as they are. */
const optionsKey = 'openaiCompatible'

/** A summary must keep to its source; 0 makes small models repeat themselves. */
const temperature = 0.2

/** Statuses with which servers refuse a part of a request. Some answer 500 or 501 to a grammar that they cannot build. */
const refusing: ReadonlySet<number> = new Set([400, 422, 500, 501])

/** The most of a server's words that is searched for the refused part, in characters: it may return the whole request. */
const maxWords = 2000

const aboutFormat = /response_?format|json_?schema|structured[ _-]?output|guided|grammar|\bschema\b/i
const aboutTemperature = /temperature/i
const aboutCompletion = /max_completion_tokens/
const aboutStream = /\bstream(?:ing|_options)?\b/i
const aboutRoom = /max_(?:completion_)?tokens|context|too (?:long|large|many)/i
const aboutEffort = /reasoning|effort|thinking/i

const refusalShape = z.object({ statusCode: z.number(), message: z.string().catch(''), responseBody: z.string().catch('') })

const named = z.object({ name: z.string() })

function nameOf(error: unknown): string | undefined {
  return named.safeParse(error).data?.name
}

/** Returns the manner of the next request after a failure about an optional part; undefined after any other failure. */
export function milderAfter(manner: Manner, error: unknown): Manner | undefined {
  const { data } = refusalShape.safeParse(error)
  // A server that knows no pieces answers with the whole.
  if (manner.isStreamed && isUnreadable(nameOf(error))) return { ...manner, isStreamed: false }
  if (data === undefined || !refusing.has(data.statusCode)) return undefined
  const said = `${data.message} ${data.responseBody.slice(0, maxWords)}`
  if (manner.room > 1 && aboutRoom.test(said)) return { ...manner, room: 1 }
  if (manner.isStreamed && aboutStream.test(said)) return { ...manner, isStreamed: false }
  if (!manner.namesCompletion && aboutCompletion.test(said)) return { ...manner, namesCompletion: true }
  if (manner.effort === 'low' && aboutEffort.test(said)) return { ...manner, effort: 'refused' }
  if (manner.isStructured && aboutFormat.test(said)) return { ...manner, isStructured: false }
  if (manner.hasTemperature && aboutTemperature.test(said)) return { ...manner, hasTemperature: false }
  return undefined
}

/** Returns the manner with only the parts that both leave in, and all that either learnt. */
export function milderOf(one: Manner, other: Manner): Manner {
  const efforts = [one.effort, other.effort]
  return {
    isStructured: one.isStructured && other.isStructured,
    hasTemperature: one.hasTemperature && other.hasTemperature,
    namesCompletion: one.namesCompletion || other.namesCompletion,
    isStreamed: one.isStreamed && other.isStreamed,
    effort: efforts.includes('refused') ? 'refused' : efforts.includes('low') ? 'low' : 'usual',
    room: Math.max(one.room, other.room),
  }
}

/** Returns the request in the AI SDK's words. */
export function generateOptions(request: ModelRequest, manner: Manner, abortSignal: AbortSignal): GenerateOptions {
  const { instructions, prompt, schema, schemaName: name } = request
  const maxOutputTokens = Math.floor(request.maxOutputTokens * manner.room)
  const system = manner.isStructured ? instructions : `${instructions}\n\n${inWords(schema)}`
  return {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    abortSignal,
    ...(manner.namesCompletion ? { providerOptions: { [optionsKey]: { max_completion_tokens: maxOutputTokens } } } : { maxOutputTokens }),
    ...(manner.effort === 'low' ? { reasoning: 'low' as const } : {}),
    ...(manner.hasTemperature ? { temperature } : {}),
    ...(manner.isStructured ? { responseFormat: { type: 'json', schema, name } } : {}),
  }
}

function inWords(schema: ModelRequest['schema']): string {
  return (
    'Answer with one JSON object and nothing else: no words before or after it, no Markdown. It has to fit this JSON ' +
    `schema:\n${JSON.stringify(schema)}`
  )
}
