import { expect, onTestFinished, test } from 'vitest'
import { ManualClock, scriptedModelServer } from '../../packages/varve/src/testing/index.ts'
import { modelName, openAt } from '../fixtures/distil/open.ts'
import { sentence, settled } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'

test('Ollama reads forty messages for all layers in one call of its own chat', async () => {
  const show = { details: { family: 'llama' }, model_info: { 'llama.context_length': 131_072 }, capabilities: ['completion'] }
  const server = await scriptedModelServer(copied, { endpoints: { 'POST /api/show': show } })
  onTestFinished(() => server.close())
  const clock = new ManualClock()
  const memory = await openAt(server.url, { clock, layers: { gists: true, facts: true, bank: true } })
  const ada = memory.for('ada')
  const said = (place: number): string => `${sentence('tern', place).slice(0, -1)}, and it waits by the pier with its crew until spring.`
  await ada.append(
    'talk',
    Array.from({ length: 40 }, (_, place) => ({
      role: place % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: said(place),
    })),
  )
  clock.advance(settled)
  await memory.upkeep.run()
  expect(server.count).toBe(1)
  expect(server.requests[0]?.body).toMatchObject({ options: { num_ctx: 16_384 } })
  expect(await ada.gists.get('talk')).toMatchObject({ writer: modelName, provisional: false, messages: 40 })
})
