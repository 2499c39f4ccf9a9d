import { z } from 'zod'
import type { AiSdkLanguageModel, GenerateOptions } from './language-model-shape.ts'

/** A model of an Ollama server. */
export interface OllamaModel {
  /** The server's address, without /v1. */
  readonly root: string
  readonly model: string
  readonly key: string | undefined
  /** The tokens of prompt and answer together. The same for all requests: another number loads the model anew. */
  readonly window: number
  /** True where the model can reason before it answers. */
  readonly canThink: boolean
  readonly fetch: typeof fetch
}

/** An answer of Ollama with a status, in the fields of the AI SDK's own error. */
class OllamaRefused extends Error {
  readonly statusCode: number
  readonly responseBody: string
  readonly responseHeaders: Readonly<Record<string, string>>

  constructor({ status, headers }: Response, body: string) {
    super('Ollama refused a request')
    this.statusCode = status
    this.responseBody = body
    this.responseHeaders = Object.fromEntries(headers)
  }
}

/** A line of the answer. The last one has the counts. */
const lineShape = z.object({
  error: z.string().optional(),
  message: z.object({ content: z.string().catch(''), thinking: z.string().catch('') }).optional(),
  done: z.boolean().catch(false),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
})

/**
 * Makes a model behind Ollama's own chat. Its OpenAI format takes no context size, so that it cuts a prompt over 4,096
 * tokens in silence; here the size is `num_ctx`. The answer comes in lines, so no connection idles.
 */
export function ollamaChat(served: OllamaModel): AiSdkLanguageModel {
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: served.model,
    doGenerate: async (options) => {
      const response = await served.fetch(`${served.root}/api/chat`, requestOf(served, options))
      if (response.status !== 200 || response.body === null) throw new OllamaRefused(response, await response.text())
      return answerIn(response.body, (body) => new OllamaRefused(new Response(null, { status: 500 }), body))
    },
  }
}

function requestOf({ model, key, window, canThink }: OllamaModel, options: GenerateOptions): RequestInit {
  const { prompt, maxOutputTokens, temperature, responseFormat, abortSignal } = options
  const messages = prompt.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
  }))
  return {
    method: 'POST',
    signal: abortSignal,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model,
      messages,
      stream: true,
      format: responseFormat?.schema,
      // A memory's texts need no reasoning. Only gpt-oss cannot go without.
      ...(canThink ? { think: /gpt-oss/i.test(model) ? 'low' : false } : {}),
      options: { num_ctx: window, num_predict: maxOutputTokens, temperature },
    }),
  }
}

/** Joins the lines to a result as the AI SDK's models give it. */
async function answerIn(body: ReadableStream<Uint8Array<ArrayBuffer>>, refused: (body: string) => Error): Promise<unknown> {
  let [text, thought, rest] = ['', '', '']
  let last: z.infer<typeof lineShape> | undefined
  const read = (line: string): void => {
    if (line.trim() === '') return
    const { data } = lineShape.safeParse(JSON.parse(line))
    if (data?.error !== undefined) throw refused(data.error)
    text += data?.message?.content ?? ''
    thought += data?.message?.thinking ?? ''
    if (data?.done === true) last = data
  }
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) read(line)
  }
  read(rest)
  // A stream that ends before its last line broke off.
  if (last === undefined) throw Object.assign(new TypeError('the answer broke off'), { code: 'ECONNRESET' })
  return {
    content: [
      { type: 'reasoning', text: thought },
      { type: 'text', text },
    ],
    finishReason: { unified: last.done_reason === 'stop' || last.done_reason === 'length' ? last.done_reason : 'other' },
    usage: { inputTokens: { total: last.prompt_eval_count ?? 0 }, outputTokens: { total: last.eval_count ?? 0 } },
    warnings: [],
  }
}
