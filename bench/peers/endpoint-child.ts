import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { miniLm } from '../../packages/varve/src/models/minilm/minilm.ts'
import { dimension, modelName } from './system.ts'
import { field } from './read.ts'
import { residentMb } from '../shared/usage.ts'

// The embeddings endpoint of OpenAI's API, on loopback, with Varve's own MiniLM behind it. So all systems get the same
// vectors, and this process counts the model's cost. Started by endpoint.ts only.
const model = miniLm({ threads: 1, runtime: process.argv[2] === 'wasm' ? 'wasm' : 'native' })
const largestBody = 2 ** 24
const count = { requests: 0, texts: 0, refused: 0 }

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => reply(response, 500, { error: { message: String(error) } }))
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/usage') {
    const { user, system } = process.cpuUsage()
    reply(response, 200, { cpuMs: (user + system) / 1_000, residentMb: residentMb(), ...count })
  } else if (request.url === '/v1/embeddings') {
    await embed(await body(request), response)
  } else {
    // There is no language model here: requests for one are counted.
    count.refused += 1
    reply(response, 404, { error: { message: `nothing is served at ${request.url}` } })
  }
}

async function embed(asked: unknown, response: ServerResponse): Promise<void> {
  const input = field(asked, 'input')
  const texts = (Array.isArray(input) ? input : [input]).map(String)
  const vectors: Float32Array[] = []
  for (let from = 0; from < texts.length; from += model.limits.texts)
    vectors.push(...(await model.embed(texts.slice(from, from + model.limits.texts))))
  count.requests += 1
  count.texts += texts.length
  const write = field(asked, 'encoding_format') === 'base64' ? base64 : (vector: Float32Array) => [...vector]
  reply(response, 200, {
    object: 'list',
    model: modelName,
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: write(vector) })),
    usage: { prompt_tokens: 0, total_tokens: 0 },
  })
}

function base64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, dimension * Float32Array.BYTES_PER_ELEMENT).toString('base64')
}

async function body(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > largestBody) throw new RangeError(`a request is over ${largestBody} bytes`)
    chunks.push(bytes)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

function reply(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
}

// The model is loaded before anyone times it.
await model.embed(['ready'])
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
process.once('disconnect', () => process.exit(0))
