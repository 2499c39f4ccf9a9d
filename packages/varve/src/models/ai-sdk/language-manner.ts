import { z } from 'zod'
import type { ModelRequest } from '../language-model.ts'
import type { GenerateOptions } from './language-model-shape.ts'

/** The manner of a request: parts that a model refuses are left out. */
export interface Manner {
  /** True when the schema goes to the provider; otherwise it stands in the prompt. */
  readonly isStructured: boolean
  readonly hasTemperature: boolean
}

export const fullManner: Manner = { isStructured: true, hasTemperature: true }

/** A summary must keep to its source; 0 makes small models repeat themselves. */
const temperature = 0.2

/** Statuses with which servers refuse a part of a request. Some answer 500 or 501 to a grammar that they cannot build. */
const refusing: ReadonlySet<number> = new Set([400, 422, 500, 501])

/** The most of a server's words that is searched for the refused part, in characters: it may return the whole request. */
const maxWords = 2000

const aboutFormat = /response_?format|json_?schema|structured[ _-]?output|guided|grammar|\bschema\b/i
const aboutTemperature = /temperature/i

const refusalShape = z.object({ statusCode: z.number(), message: z.string().catch(''), responseBody: z.string().catch('') })

/** Returns the manner of the next request after a failure about an optional part; undefined after any other failure. */
export function milderAfter(manner: Manner, error: unknown): Manner | undefined {
  const { data } = refusalShape.safeParse(error)
  if (data === undefined || !refusing.has(data.statusCode)) return undefined
  const said = `${data.message} ${data.responseBody.slice(0, maxWords)}`
  if (manner.isStructured && aboutFormat.test(said)) return { ...manner, isStructured: false }
  if (manner.hasTemperature && aboutTemperature.test(said)) return { ...manner, hasTemperature: false }
  return undefined
}

/** Returns the manner with only the parts that both leave in. */
export function milderOf(one: Manner, other: Manner): Manner {
  return { isStructured: one.isStructured && other.isStructured, hasTemperature: one.hasTemperature && other.hasTemperature }
}

/** Returns the request in the AI SDK's words. */
export function generateOptions(request: ModelRequest, manner: Manner, abortSignal: AbortSignal): GenerateOptions {
  const { instructions, prompt, schema, schemaName: name, maxOutputTokens } = request
  const system = manner.isStructured ? instructions : `${instructions}\n\n${inWords(schema)}`
  return {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    maxOutputTokens,
    abortSignal,
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
