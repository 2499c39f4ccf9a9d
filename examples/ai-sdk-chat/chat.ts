// A chat server with memory. Its answers are in the protocol of useChat: a page with @ai-sdk/react works with it as it is.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  consumeStream,
  convertToModelMessages,
  createUIMessageStreamResponse,
  type LanguageModel,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import type { Memory } from 'varve'
import { varveMemory } from 'varve/ai-sdk'

type ChatModel = Exclude<LanguageModel, string>

/** The person who asks. In an application, their login tells it: never the request's body. */
const personOf = (_request: Request): string => 'ada'

/** Makes a chat server. After its `close`, wait for `settled`, and close the memory then. */
export function chatServer(memory: Memory, model: ChatModel): { server: Server; settled: () => Promise<void> } {
  const varve = varveMemory({ memory })

  async function answer(request: Request): Promise<Response> {
    const { id, messages }: { id: string; messages: UIMessage[] } = JSON.parse(await request.text())
    // The page sends its whole conversation each time. What was said in other chats comes from memory.
    const scope = { project: 'chat', user: personOf(request), session: id, history: 'host' as const }
    const result = streamText({
      model: varve.model(model, { scope }),
      instructions: 'You are a helpful assistant. Answer in a few sentences.',
      messages: await convertToModelMessages(messages),
      abortSignal: request.signal,
    })
    const stream = toUIMessageStream({ stream: result.stream, originalMessages: messages })
    return createUIMessageStreamResponse({ stream, consumeSseStream: consumeStream })
  }

  async function page(): Promise<Response> {
    return new Response(await readFile(new URL('page.html', import.meta.url)), { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }

  const server = createServer((incoming, outgoing) => {
    const request = requestOf(incoming, outgoing)
    const isChat = request.method === 'POST' && incoming.url === '/api/chat'
    void (isChat ? answer(request) : page())
      .catch(() => new Response('the request cannot be answered', { status: 400 }))
      .then((response) => send(outgoing, response))
  })
  return { server, settled: () => varve.settled() }
}

/** Makes a Request of Node's. Its signal aborts when the browser leaves or presses Stop. */
function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const left = new AbortController()
  outgoing.on('close', () => left.abort())
  const { method = 'GET', url = '/' } = incoming
  const body = method === 'GET' ? null : Readable.toWeb(incoming)
  return new Request(new URL(url, 'http://localhost'), { method, body, duplex: 'half', signal: left.signal })
}

function send(outgoing: ServerResponse, { status, headers, body }: Response): void {
  outgoing.writeHead(status, Object.fromEntries(headers))
  if (body === null) outgoing.end()
  else
    Readable.fromWeb(body)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing)
}
