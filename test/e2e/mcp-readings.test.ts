import { expect, test } from 'vitest'
import { messagesOf, readerOf } from '../fixtures/facts/told.ts'
import { connected, eras, textOf, transports } from '../fixtures/mcp/connected.ts'
import { hostName } from '../fixtures/readings/host.ts'
import { holds, user } from '../fixtures/scenarios/telling.ts'

const said = [
  user('I live in Porto.', holds('', 'lives in', 'Porto')),
  user('My sister Nuria likes figs.', holds('Nuria', 'likes', 'figs')),
]

for (const transport of transports)
  for (const era of eras)
    test(`an agent reads what is due, over ${transport} (${era})`, async () => {
      const { client, memory } = await connected(transport, { era }, ['--readings'])
      const ada = memory.for({ project: 'acme', user: 'ada' })
      await ada.append(
        'talk',
        messagesOf(said).map((one) => ({ ...one, at: '2026-01-05T10:00:00Z' })),
      )
      const next = () => client.callTool({ name: 'reading_next', arguments: { model: 'scripted' } })
      expect(textOf(await next())).toContain('Readings are off in this project')
      await memory.project('acme').settings.set({ readings: {} })
      const reading = await next()
      const text = textOf(reading)
      expect(text).toContain('I live in Porto.')
      const [, id = ''] = /with the id ([\w-]{22}):/.exec(text) ?? []
      expect(reading.structuredContent).toMatchObject({ reading: { id } })
      const schema: Readonly<Record<string, unknown>> = JSON.parse(text.slice(text.lastIndexOf(`${id}:\n`) + id.length + 2))
      const asked = {
        number: 1,
        model: 'scripted',
        instructions: '',
        prompt: text,
        schema,
        isStructured: true,
        isStreamed: false,
        schemaName: 'varve_span',
      }
      const { object } = await readerOf(said)({
        ...asked,
        temperature: undefined,
        maxTokens: undefined,
        authorization: undefined,
        body: {},
      })
      const done = await client.callTool({ name: 'reading_done', arguments: { id, answer: Object(object) } })
      expect(textOf(done)).toBe('The answer is stored.')
      expect((await ada.gists.get('talk'))?.writer).toBe(hostName)
      const forged = await client.callTool({ name: 'reading_done', arguments: { id: 'A'.repeat(22), answer: '{}' } })
      expect(forged.isError).toBe(true)
    })

test('nobody is offered the tools who does not ask for them, or may only read', async () => {
  for (const flags of [[], ['--tools'], ['--readings', '--read-only']]) {
    const { client } = await connected('http', {}, flags)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('reading_'))).toEqual([])
  }
})
