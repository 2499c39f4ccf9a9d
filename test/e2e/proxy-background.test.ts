import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { heldIn, proxyServer, scopeOf } from '../fixtures/proxy/proxy-server.ts'
import { jsonAnswer, scriptedUpstream } from '../fixtures/proxy/scripted-upstream.ts'

const shared = sharedMemory({ embeddingModel: false })
const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'At ten.' }] }]

/** An upstream that makes its reply in the background, and two keys of one user beside one of another. */
async function background() {
  const ada = shared.user()
  const polls = ['in_progress', 'completed', 'completed']
  const { url, requests } = await scriptedUpstream(({ url: path }) => {
    const status = path === '/v1/responses' ? 'queued' : path.endsWith('/cancel') ? 'cancelled' : (polls.shift() ?? 'completed')
    return jsonAnswer({
      id: 'resp_1',
      object: 'response',
      background: true,
      status,
      error: null,
      output: status === 'completed' ? output : [],
    })
  })
  const server = await proxyServer({ openai: { url, key: 'sk-up' } })
  const client = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0, defaultHeaders: { 'varve-session': 's' } })
  server.key('vk-ada-2', scopeOf(ada))
  server.key('vk-bob', scopeOf(shared.user()))
  return { ada, server, requests, client, openai: client(server.key('vk-ada', scopeOf(ada))) }
}

test('a reply that is made in the background is stored once, when the client gets it whole', async () => {
  const { ada, server, openai, requests } = await background()
  const { id } = await openai.responses.create({ model: 'm', input: 'When does the kiosk open?', background: true })
  await server.proxy.settled()
  expect(await heldIn(ada, 's')).toEqual(['user: When does the kiosk open?'])
  const seen: (string | undefined)[] = []
  for (let poll = 0; poll < 3; poll += 1) {
    const { status, output_text: said } = await openai.responses.retrieve(id)
    seen.push(`${status} ${said}`)
    await server.proxy.settled()
  }
  expect(seen).toEqual(['in_progress ', 'completed At ten.', 'completed At ten.'])
  expect(await heldIn(ada, 's')).toEqual(['user: When does the kiosk open?', 'assistant: At ten.'])
  expect(requests.slice(1).map(({ url, headers }) => [url, headers.authorization])).toEqual(
    seen.map(() => ['/v1/responses/resp_1', 'Bearer sk-up']),
  )
})

test('it can be ended and deleted, and is shown to nobody but the key that asked', async () => {
  const { ada, server, openai, client, requests } = await background()
  await openai.responses.create({ model: 'm', input: 'When does the kiosk open?', background: true })
  await server.proxy.settled()
  const notFound = { status: 404, code: 'response_not_found' }
  for (const other of ['vk-bob', 'vk-ada-2'].map(client)) {
    await expect(other.responses.retrieve('resp_1')).rejects.toMatchObject(notFound)
    await expect(other.responses.cancel('resp_1')).rejects.toMatchObject(notFound)
    await expect(other.responses.delete('resp_1')).rejects.toMatchObject(notFound)
    await expect(other.responses.inputItems.list('resp_1')).rejects.toMatchObject(notFound)
  }
  await expect(openai.responses.retrieve('resp_1/../../models')).rejects.toMatchObject({ status: 404 })
  expect(requests).toHaveLength(1)
  expect(await openai.responses.cancel('resp_1')).toMatchObject({ status: 'cancelled' })
  await openai.responses.delete('resp_1')
  await server.proxy.settled()
  expect(requests.slice(1).map(({ url }) => url)).toEqual(['/v1/responses/resp_1/cancel', '/v1/responses/resp_1'])
  expect(await heldIn(ada, 's')).toEqual(['user: When does the kiosk open?'])
})
