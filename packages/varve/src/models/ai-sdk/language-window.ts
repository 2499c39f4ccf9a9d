import { ModelFailed } from '../../errors/model-failed.ts'
import { z } from 'zod'
import { readBounded } from './language-body.ts'
import { tokens } from './language-options.ts'

/** The context that is asked for of Ollama: a part of a session for all layers fits. A model of 8 B takes 2 GB more for it. */
const ollamaWindow = 16_384

/** The context of a model of Ollama that does not tell its own: the server's default. */
const carefulWindow = 4096

/** LM Studio's default context; it too cuts longer requests. */
const lmStudioWindow = 4096

/** The time for each question, in milliseconds; all are asked at the same time. */
const defaultQuestionDeadlineMs = 1500

/** A long list of models is some 600 KB; parsing 1 MiB takes 5 ms. */
const maxBodyBytes = 1_048_576

/** Gives a server's address without the path of its OpenAI format. */
export function rootOf(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** The place of a served model. */
export interface ServedModel {
  /** The address, which usually ends in `/v1`. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  readonly questionDeadlineMs?: number
}

/** llama.cpp: the context of one slot, so of one request. It is asked before /api/show, since its own /api/show copies Ollama's. */
const propsShape = z
  .object({ default_generation_settings: z.object({ n_ctx: tokens }) })
  .transform((props) => ({ window: props.default_generation_settings.n_ctx }))

/** Ollama: `parameters` is the text of its Modelfile's lines; models in its cloud have all of their context. */
const showShape = z
  .object({
    parameters: z.string().catch(''),
    model_info: z.record(z.string(), z.unknown()).catch({}),
    details: z.unknown(),
    remote_host: z.string().min(1).optional().catch(undefined),
    capabilities: z.array(z.string()).catch([]),
  })
  .refine(({ model_info, details }) => details !== undefined || Object.keys(model_info).length > 0)
  .transform(({ parameters, model_info, remote_host, capabilities }) => {
    const [, told] = Object.entries(model_info).find(([name]) => name.endsWith('.context_length')) ?? []
    const trained = tokens.safeParse(told).data
    const set = tokens.safeParse(Number(/^\s*num_ctx\s+"?(\d+)/m.exec(parameters)?.[1])).data
    const window = Math.min(set ?? (remote_host === undefined ? ollamaWindow : Infinity), trained ?? carefulWindow)
    return { window, ollama: { canThink: capabilities.includes('thinking') } }
  })

const size = tokens.optional().catch(undefined)
/** vLLM: max_model_len. LM Studio, under /api/v0: the next two. OpenRouter, Groq and others: the last three. */
const entryShape = z
  .object({
    id: z.string(),
    state: z.string().optional().catch(undefined),
    max_model_len: size,
    loaded_context_length: size,
    max_context_length: size,
    context_length: size,
    context_window: size,
    top_provider: z.object({ context_length: size }).optional().catch(undefined),
  })
  .transform(({ id, state, max_model_len, loaded_context_length, max_context_length, context_length, context_window, top_provider }) => {
    const most = max_model_len ?? max_context_length ?? context_length ?? context_window
    const unloaded = state === 'not-loaded' ? lmStudioWindow : Infinity
    const smallest = Math.min(most ?? Infinity, unloaded, top_provider?.context_length ?? Infinity)
    return { id, window: loaded_context_length ?? (most === undefined ? undefined : smallest) }
  })

const listShape = z.object({ data: z.array(z.unknown()) })

/** A server's own word about a model. */
export interface ServerTold {
  /** The most tokens of a request. */
  readonly window: number
  /** Present for Ollama, which has a chat of its own. */
  readonly ollama?: { readonly canThink: boolean }
}

/** Returns the window of one model in a list of them. */
function inList(body: unknown, model: string): ServerTold | undefined {
  const entries = listShape.safeParse(body).data?.data ?? []
  const window = entries.map((entry) => entryShape.safeParse(entry).data).find((entry) => entry?.id === model)?.window
  return window === undefined ? undefined : { window }
}

/**
 * Asks a server for the most tokens of a request to one of its models. Returns undefined when it does not tell; rejects
 * when nobody answers. Formats as of llama.cpp b8681, Ollama 0.15, LM Studio 0.4, vLLM 0.11 and OpenRouter in 2026.
 */
export async function probeServer(served: ServedModel): Promise<ServerTold | undefined> {
  const { model } = served
  const base = served.url.replace(/\/+$/, '')
  const root = rootOf(base)
  const questions: readonly [question: Promise<unknown>, told: (body: unknown) => ServerTold | undefined][] = [
    [ask(`${root}/props`, served), (body) => propsShape.safeParse(body).data],
    [ask(`${root}/api/v0/models`, served), (body) => inList(body, model)],
    [ask(`${root}/api/show`, served, { model }), (body) => showShape.safeParse(body).data],
    [ask(`${base}/models`, served), (body) => inList(body, model)],
  ]
  const answers = await Promise.allSettled(questions.map(([question]) => question))
  if (answers.every(({ status }) => status === 'rejected')) throw new ModelFailed({ model, reason: 'nobody answers', isRetryable: true })
  const all = answers.map((answer, at) => (answer.status === 'fulfilled' ? questions[at]?.[1](answer.value) : undefined))
  return all.find((told) => told !== undefined)
}

/** Returns the body as JSON; undefined when it is not JSON, too long, or not a 200. Rejects when nobody answers, or not yet. */
async function ask(url: string, { key, questionDeadlineMs = defaultQuestionDeadlineMs }: ServedModel, body?: unknown): Promise<unknown> {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const request = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) }
  // A redirect answers none of these questions, and would be one more host to talk to.
  const response = await fetch(url, { ...request, headers, redirect: 'manual', signal: AbortSignal.timeout(questionDeadlineMs) })
  if (response.status !== 200) {
    await response.body?.cancel()
    // llama.cpp answers 503 to everything while it loads the model: it will tell later.
    if (response.status >= 500) throw new ModelFailed({ model: url, reason: `it answered ${response.status}`, isRetryable: true })
    return undefined
  }
  return jsonOf(response)
}

/** Parses a body. Returns undefined when it is too long, cut off or not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await readBounded(response, maxBodyBytes))
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
