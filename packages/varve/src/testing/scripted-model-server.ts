import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  bodyFor,
  eventsFor,
  ollamaLinesFor,
  readOllamaRequest,
  readRequest,
  type ScriptedAnswer,
  type ScriptedRequest,
} from './scripted-completion.ts'

/** The most requests and probes that are kept; all requests are counted. */
const maxKept = 1000

/** A larger request is refused with 413. */
const maxRequestBytes = 8_388_608

export type ModelScript = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>

export interface ScriptedServerOptions {
  /** Other endpoints with their JSON answers: `{ 'GET /props': {…}, 'POST /api/show': {…} }`. All others answer 404. */
  readonly endpoints?: Readonly<Record<string, unknown>>
}

/** A language model's server that answers by a test's script. */
export interface ScriptedModelServer extends AsyncDisposable {
  /** The address for VARVE_MODEL_URL: it ends in /v1. */
  readonly url: string
  /** The requests for chat completions, the first 1,000. */
  readonly requests: readonly ScriptedRequest[]
  /** The number of requests for chat completions. */
  readonly count: number
  /** The requests for other endpoints, the first 1,000: `GET /props`. */
  readonly probes: readonly string[]
  /** The number of answers that the client did not wait for. */
  readonly abandoned: number
  close(): Promise<void>
}

/**
 * Starts a server on 127.0.0.1 that speaks the OpenAI chat-completions format, and Ollama's own, and answers by a script. When the script
 * throws, the answer is 400 with its message.
 *
 * @example await using server = await scriptedModelServer(({ schemaName }) => ({ object: { summary: schemaName } }))
 */
export async function scriptedModelServer(
  script: ModelScript,
  { endpoints = {} }: ScriptedServerOptions = {},
): Promise<ScriptedModelServer> {
  const server = new ModelServer(script, endpoints)
  await server.start()
  return server
}

class ModelServer implements ScriptedModelServer {
  readonly requests: ScriptedRequest[] = []
  readonly probes: string[] = []
  count = 0
  abandoned = 0
  url = ''
  readonly #script: ModelScript
  readonly #endpoints: Readonly<Record<string, unknown>>
  readonly #server = createServer((request, response) => void this.#serve(request, response).catch(() => response.destroy()))

  constructor(script: ModelScript, endpoints: Readonly<Record<string, unknown>>) {
    this.#script = script
    this.#endpoints = endpoints
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = `${request.method} ${request.url?.split('?')[0]}`
    const text = await bodyOf(request)
    const { authorization } = request.headers
    if (endpoint === 'POST /v1/chat/completions') await this.#complete(text, authorization, response)
    else if (endpoint === 'POST /api/chat') await this.#complete(text, authorization, response, true)
    else {
      if (this.probes.length < maxKept) this.probes.push(endpoint)
      const known = Object.hasOwn(this.#endpoints, endpoint)
      send(response, known ? { body: this.#endpoints[endpoint] } : { status: 404, text: 'no such endpoint' }, '')
    }
  }

  /** Answers a chat: in OpenAI's format, or in Ollama's own. */
  async #complete(text: string | undefined, authorization: string | undefined, response: ServerResponse, isOllama = false): Promise<void> {
    this.count += 1
    response.on('close', () => (this.abandoned += response.writableFinished ? 0 : 1))
    if (text === undefined) return send(response, { status: 413, text: 'too large' }, '')
    const request = (isOllama ? readOllamaRequest : readRequest)(text, this.count, authorization)
    if (request === undefined) return send(response, { status: 400, text: 'not a chat completion' }, '')
    if (this.requests.length < maxKept) this.requests.push(request)
    const answer = await played(this.#script, request)
    if (answer.delayMs !== undefined) await pause(answer.delayMs, undefined, { ref: false })
    if (isOllama) return sendLines(response, answer, request)
    const { status = 200, body, hangs, pieces } = answer
    if (hangs === true && pieces === undefined) return undefined
    if (request.isStreamed && status < 400 && body === undefined) return sendPieces(response, answer, request)
    return send(response, answer, request.prompt)
  }
}

/** Sends Ollama's lines: whole, cut in the middle, or without an end. */
function sendLines(response: ServerResponse, answer: ScriptedAnswer, { prompt }: ScriptedRequest): void {
  const lines = ollamaLinesFor(answer, prompt)
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/x-ndjson', ...answer.headers })
  if (answer.isCut === true) response.write(lines.slice(0, lines.length / 2), () => response.destroy())
  else if (answer.hangs === true) response.write(lines)
  else response.end(lines)
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const received = Buffer.from(chunk)
    bytes += received.length
    if (bytes <= maxRequestBytes) chunks.push(received)
  }
  return bytes > maxRequestBytes ? undefined : Buffer.concat(chunks).toString()
}

async function played(script: ModelScript, request: ScriptedRequest): Promise<ScriptedAnswer> {
  try {
    return await script(request)
  } catch (error) {
    return { status: 400, text: `the script failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function sendPieces(response: ServerResponse, answer: ScriptedAnswer, request: ScriptedRequest): void {
  const events = eventsFor(answer, request)
  response.writeHead(200, { 'content-type': 'text/event-stream', ...answer.headers })
  const isCut = answer.isCut === true
  for (const event of isCut ? events.slice(0, events.length / 2) : events) response.write(event)
  if (isCut) response.write('', () => response.destroy())
  else if (answer.hangs !== true) response.end()
}

function send(response: ServerResponse, answer: ScriptedAnswer, prompt: string): void {
  const { status = 200, headers = {}, isCut = false } = answer
  const body = Buffer.from(bodyFor(answer, prompt))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length, ...headers })
  if (isCut) response.write(body.subarray(0, body.length / 2), () => response.destroy())
  else response.end(body)
}
