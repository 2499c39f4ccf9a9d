import { once } from 'node:events'
import { createAdaptorServer } from '@hono/node-server'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { type HonoBindings, type HonoVariables, MastraServer } from '@mastra/hono'
import { Hono } from 'hono'
import { mastraParts } from '../systems/mastra.ts'
import { type ServeSystem, withoutKey } from './list.ts'

/**
 * Mastra's server over Hono with one agent, whose memory is asked. Its language model is never called. Messages are in a
 * libSQL file, which syncs at checkpoints alone (`synchronous=NORMAL`).
 */
export const serveMastra: ServeSystem = async (options) => {
  const { memory, storage, close } = await mastraParts(options)
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'None.', model: 'openai/none', memory })
  const mastra = new Mastra({ agents: { bench: agent }, storage, logger: false })
  const app = new Hono<{ Bindings: HonoBindings; Variables: HonoVariables }>()
  await new MastraServer({ app, mastra }).init()
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new RangeError('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    key: withoutKey,
    close: async () => {
      server.close()
      await close()
    },
  }
}
