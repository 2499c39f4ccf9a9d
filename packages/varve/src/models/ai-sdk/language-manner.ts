import { z } from 'zod'
import type { ModelRequest } from '../language-model.ts'
import type { GenerateOptions } from './language-model-shape.ts'

/** How a model is asked: what it refuses is left out. */
export interface Manner {
  /** The schema goes to the provider; otherwise it stands in the prompt. */
  readonly isStructured: boolean
  readonly hasTemperature: boolean
}

export const fullManner: Manner = { isStructured: true, hasTemperature: true }

/** What is written must keep to its source; 0 makes small models repeat themselves. */
const temperature = 0.2

/** Statuses under which servers refuse a part of a request: 500 and 501 are what some answer to a grammar that they cannot make. */
const refusing: ReadonlySet<number> = new Set([400, 422, 500, 501])

/** Of a server's words, as many as tell what it refuses: it may give the whole request back. */
const maxWords = 2000

const aboutFormat = /response_?format|json_?schema|structured[ _-]?output|guided|grammar|\bschema\b/i
const aboutTemperature = /temperature/i

const refusalShape = z.object({ statusCode: z.number(), message: z.string().catch(''), responseBody: z.string().catch('') })

/** What to ask with once a request failed because of a part that can be left out; undefined when it failed for something else. */
export function milderAfter(manner: Manner, error: unknown): Manner | undefined {
  const { data } = refusalShape.safeParse(error)
  if (data === undefined || !refusing.has(data.statusCode)) return undefined
  const said = `${data.message} ${data.responseBody.slice(0, maxWords)}`
  if (manner.isStructured && aboutFormat.test(said)) return { ...manner, isStructured: false }
  if (manner.hasTemperature && aboutTemperature.test(said)) return { ...manner, hasTemperature: false }
  return undefined
}

/** What both leave in. */
export function milderOf(one: Manner, other: Manner): Manner {
  return { isStructured: one.isStructured && other.isStructured, hasTemperature: one.hasTemperature && other.hasTemperature }
}

/** The request in the AI SDK's words. */
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
