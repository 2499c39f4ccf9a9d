import { z } from 'zod'

const messageShape = z.object({ role: z.string(), content: z.unknown() })
const bodyShape = z.looseObject({
  model: z.string(),
  messages: z.array(messageShape),
  temperature: z.number().optional(),
  max_tokens: z.number().optional(),
  stream: z.boolean().optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
})

const ollamaShape = z.looseObject({
  model: z.string(),
  messages: z.array(messageShape),
  stream: z.boolean().optional(),
  format: z.record(z.string(), z.unknown()).optional(),
  options: z.looseObject({ temperature: z.number().optional(), num_predict: z.number().optional() }).catch({}),
})

/** A request whose answer in pieces is to end with its tokens. */
const wantsUsage = z.looseObject({ stream_options: z.looseObject({ include_usage: z.literal(true) }) })

/** A request for a chat completion. */
export interface ScriptedRequest {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly model: string
  /** The system prompt. */
  readonly instructions: string
  /** The user prompt. */
  readonly prompt: string
  /** True when the request asks the provider for structured output. */
  readonly isStructured: boolean
  readonly schemaName: string | undefined
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly temperature: number | undefined
  readonly maxTokens: number | undefined
  /** The `authorization` header. */
  readonly authorization: string | undefined
  /** True when the answer is to come in pieces. */
  readonly isStreamed: boolean
  /** The whole body, as it came. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The server's answer to a request. Without `object`, `text` or `body`, the answer's text is empty. */
export interface ScriptedAnswer {
  /** The answer's text, as JSON. */
  readonly object?: unknown
  /** The answer's text. */
  readonly text?: string
  /** The model's reasoning before the answer. */
  readonly reasoning?: string
  /** The finish reason. Default `stop`; `length` for an answer that was cut. */
  readonly finish?: string
  /** The counted tokens. Default: a token for each four characters. */
  readonly tokens?: { readonly input: number; readonly output: number }
  /** The HTTP status. Default 200. With another one, `text` is the error's message. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The whole body, in place of a chat completion: a string as it is, anything else as JSON. */
  readonly body?: unknown
  /** Waits this long first: milliseconds. */
  readonly delayMs?: number
  /** Never answers; the connection stays open until the client ends it. */
  readonly hangs?: boolean
  /** The text in pieces, for a request with `stream`. With `hangs`, the connection stays open behind them. */
  readonly pieces?: readonly string[]
  /** Sends half of the body and closes the connection. */
  readonly isCut?: boolean
}

/** Reads a request's body; undefined when it is not a chat completion. */
export function readRequest(text: string, number: number, authorization: string | undefined): ScriptedRequest | undefined {
  const { data: body } = bodyShape.safeParse(parsedJson(text))
  if (body === undefined) return undefined
  const said = (role: string): string =>
    body.messages
      .filter((message) => message.role === role)
      .map(({ content }) => textOf(content))
      .join('\n')
  const { name: schemaName, schema } = body.response_format?.json_schema ?? {}
  return {
    number,
    model: body.model,
    instructions: said('system'),
    prompt: said('user'),
    isStructured: body.response_format !== undefined,
    schemaName,
    schema,
    temperature: body.temperature,
    maxTokens: body.max_tokens,
    authorization,
    isStreamed: body.stream === true,
    body,
  }
}

/** Reads the body of a request to Ollama's own chat; undefined when it is none. */
export function readOllamaRequest(text: string, number: number, authorization: string | undefined): ScriptedRequest | undefined {
  const { data: body } = ollamaShape.safeParse(parsedJson(text))
  if (body === undefined) return undefined
  const { model, messages, stream, format: schema, options } = body
  const inOpenAi = { model, messages, stream, temperature: options.temperature, max_tokens: options.num_predict }
  const read = readRequest(JSON.stringify(inOpenAi), number, authorization)
  return read === undefined ? undefined : { ...read, isStructured: schema !== undefined, schema, body }
}

/** Returns the lines of Ollama's own chat for an answer. */
export function ollamaLinesFor(answer: ScriptedAnswer, prompt: string): string {
  const { reasoning, finish = 'stop', pieces = [textIn(answer)], hangs, status = 200 } = answer
  if (status >= 400) return JSON.stringify({ error: textIn(answer) })
  const { input, output } = answer.tokens ?? countedOf(prompt, pieces.join(''))
  const line = (message: object): object => ({ model: 'scripted', message: { role: 'assistant', ...message }, done: false })
  const last = { model: 'scripted', message: { role: 'assistant', content: '' }, done: true, done_reason: finish }
  const lines = [
    ...(reasoning === undefined ? [] : [line({ content: '', thinking: reasoning })]),
    ...pieces.map((content) => line({ content })),
    ...(hangs === true ? [] : [{ ...last, prompt_eval_count: input, eval_count: output }]),
  ]
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('')
}

function countedOf(prompt: string, text: string): { input: number; output: number } {
  return { input: Math.ceil(prompt.length / 4), output: Math.ceil(text.length / 4) }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parts = z.array(z.object({ text: z.string() }))

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : (parts.safeParse(content).data ?? []).map(({ text }) => text).join('')
}

function textIn({ object, text, pieces }: ScriptedAnswer): string {
  return object === undefined ? (text ?? pieces?.join('') ?? '') : JSON.stringify(object)
}

/** Returns the events of an answer that comes in pieces. */
export function eventsFor(answer: ScriptedAnswer, { prompt, body }: Pick<ScriptedRequest, 'prompt' | 'body'>): string[] {
  const { pieces = [textIn(answer)], reasoning, finish = 'stop', hangs } = answer
  const head = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' }
  const chunk = (delta: object, finish_reason: string | null) => eventOf({ ...head, choices: [{ index: 0, delta, finish_reason }] })
  const { input, output } = answer.tokens ?? countedOf(prompt, pieces.join(''))
  const usage = eventOf({ ...head, choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } })
  const thought = reasoning === undefined ? [] : [chunk({ role: 'assistant', reasoning_content: reasoning }, null)]
  const said = pieces.map((content) => chunk({ role: 'assistant', content }, null))
  return [
    ...thought,
    ...said,
    ...(hangs === true ? [] : [chunk({}, finish), ...(wantsUsage.safeParse(body).success ? [usage] : []), 'data: [DONE]\n\n']),
  ]
}

function eventOf(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** Returns the body of an answer. */
export function bodyFor(answer: ScriptedAnswer, prompt: string): string {
  const { status = 200, body, reasoning, finish = 'stop' } = answer
  if (body !== undefined) return typeof body === 'string' ? body : JSON.stringify(body)
  const text = textIn(answer)
  if (status >= 400) return JSON.stringify({ error: { message: text, type: 'scripted' } })
  const { input, output } = answer.tokens ?? countedOf(prompt, text)
  const message = { role: 'assistant', content: text, ...(reasoning === undefined ? {} : { reasoning_content: reasoning }) }
  return JSON.stringify({
    id: 'scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  })
}
