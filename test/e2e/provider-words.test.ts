import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { settled } from '../fixtures/distil/talk.ts'
import { listeningLogger, newStore, openForTest } from '../fixtures/memory/open.ts'

const key = 'key-of-the-host-48151623'
const said = 'Gudrun parks the velvet submarine behind the observatory.'
/** Words that only the provider says. */
const words = 'the quota of account 7734 is spent'

/** Serves a provider that answers every request with the request itself: its Authorization header and its body. */
async function echoing(status: number, isBroken: boolean): Promise<string> {
  const server = createServer((request, response) => {
    const read = async (): Promise<void> => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const message = `${words}: ${request.headers.authorization ?? ''} ${body}`
      const whole = JSON.stringify({ error: { message, type: message, code: message }, message })
      response.writeHead(status, { 'content-type': 'application/json' }).end(isBroken ? whole.slice(0, -9) : whole)
    }
    void read()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`
}

const faults = [
  [400, false],
  [401, false],
  [429, false],
  [500, false],
  [200, true],
] as const

test.each(faults)(
  'a provider’s answer of %s that echoes key and prompt (cut off: %s) is told by its status alone',
  async (status, isBroken) => {
    const provider = createOpenAICompatible({ name: 'echo', baseURL: await echoing(status, isBroken), apiKey: key })
    const logger = listeningLogger()
    const store = newStore()
    const clock = new ManualClock()
    const memory = await openForTest({
      store: `sqlite:${store}`,
      clock,
      logger,
      languageModel: provider('talk'),
      embeddingModel: provider.embeddingModel('embed'),
      layers: { gists: true, facts: true, documents: true, notes: true, bank: true },
    })
    const events: unknown[] = []
    const listening = (async () => {
      for await (const event of memory.events()) events.push(event)
    })()
    const ada = memory.for('ada')
    await ada.append('one', [
      { role: 'user', content: said },
      { role: 'assistant', content: 'Noted.' },
    ])
    clock.advance(settled)
    await memory.upkeep.run()
    await ada.notes.update('one')
    const told = [
      (await ada.recall('submarine observatory')).degraded,
      (await ada.context({ query: 'submarine observatory' })).degraded,
      await memory.upkeep.status(),
      await memory.ledger({ project: 'default' }),
      await memory.doctor(),
    ]
    await memory.close()
    await listening
    const shown = inspect([told, logger.warnings, events], { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true })
    expect(shown).toMatch(isBroken ? /cannot be read|call failed/ : new RegExp(`it answered ${status}`))
    expect(logger.warnings.length).toBeGreaterThan(0)
    for (const secret of [key, 'Gudrun', 'velvet', words, 'account 7734', 'Bearer']) expect(shown, secret).not.toContain(secret)
    const folder = dirname(store)
    const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
    // Four digits stand among any bytes.
    for (const secret of [key, words, 'Bearer']) expect(bytes.includes(secret), secret).toBe(false)
  },
)
