import { Agent, type ClientRequest, request } from 'node:http'

/** What became of a request. `cut` is an answer that began and did not end. */
export type Fate = 'answered' | 'cut' | 'broken'

export interface Sent {
  /** The id that its message has for its client, or the idempotency key of its request. */
  readonly id: string
  readonly began: number
  readonly fate: Fate
  readonly status: number | undefined
}

export interface LoadTarget {
  readonly url: string
  readonly key: string
}

interface Sending {
  readonly agent?: Agent
  /** Sends the message in this many pieces, once the server says that it takes the request. */
  readonly pieces?: number
  /** Is called between two pieces. */
  readonly pause?: () => Promise<unknown>
}

/** Sends one message. */
export async function sendMessage({ url, key }: LoadTarget, id: string, { agent, pieces = 1, pause }: Sending = {}): Promise<Sent> {
  const began = performance.now()
  const isKeyed = hasKey(id)
  const message = { role: 'user', content: `The message ${id} is in the log.` }
  const body = JSON.stringify({ messages: isKeyed ? message : { ...message, id } })
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const asked = request(`${url}/v1/projects/acme/users/ada/sessions/talk/messages`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      ...(isKeyed ? { 'idempotency-key': id } : {}),
      ...(pieces > 1 ? { expect: '100-continue' } : {}),
    },
    ...(agent === undefined ? { agent: false } : { agent }),
  })
  const isOver = new Promise((resolve) => asked.once('close', resolve))
  asked.once('error', () => resolve({ id, began, fate: 'broken', status: undefined }))
  asked.once('response', (answer) => {
    const status = answer.statusCode
    let text = ''
    answer.on('data', (piece: Buffer) => (text += piece.toString()))
    answer.once('error', () => resolve({ id, began, fate: 'cut', status }))
    answer.once('close', () => resolve({ id, began, fate: answer.complete && isWhole(text) ? 'answered' : 'cut', status }))
  })
  if (pieces > 1) {
    asked.flushHeaders()
    await Promise.race([untilContinue(asked), isOver])
  }
  const size = Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length; at += size) {
    asked.write(body.slice(at, at + size))
    if (pieces > 1) await pause?.()
  }
  asked.end()
  return await promise
}

/** Every other client sends an idempotency key in the place of its messages' ids: `round-client-place`. */
function hasKey(id: string): boolean {
  return Number(id.split('-')[1]) % 2 === 1
}

function untilContinue(asked: ClientRequest): Promise<void> {
  return new Promise((resolve) => asked.once('continue', () => resolve()))
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Clients that send message after message until one is not answered. Resolves with what became of all. */
export async function load(target: LoadTarget, clients: number, prefix: string): Promise<readonly Sent[]> {
  const all = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const sent: Sent[] = []
      for (let place = 0; sent.at(-1) === undefined || sent.at(-1)?.fate === 'answered'; place += 1)
        sent.push(await sendMessage(target, `${prefix}-${client}-${place}`, { agent }))
      agent.destroy()
      return sent
    }),
  )
  return all.flat()
}
