import { expect, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 5, 8)
const things = ['boat', 'pier', 'kiosk', 'ferry', 'oven']

test('after each day of talk a small context and a small bank show a line of that day, within their budgets', async () => {
  const clock = new ManualClock(start)
  await using memory = await openMemory({
    store: 'memory:',
    upkeep: 'manual',
    clock,
    logger: { warn: () => undefined },
    languageModel: false,
    embeddingModel: false,
    isolation: 'silent',
    layers: { gists: false, bank: true },
  })
  const ada = memory.for('ada')
  for (let at = 0; at < 25; at += 1) {
    clock.set(start + at * day)
    const line = (place: number) =>
      `We decided to paint the ${things[(at + place) % 5]} mark${at} green before the inspector comes, for ${at + 100 * place} euros.`
    for (const place of [0, 1]) {
      clock.advance(60_000)
      await ada.append(
        `s${at}-${place}`,
        [place, place + 2].map((one) => ({ role: 'user' as const, content: line(one) })),
      )
    }
    clock.advance(day / 3)
    while (!(await memory.upkeep.run()).settled);
    for (const maxTokens of [400, 200]) {
      const { text, tokens } = await ada.bank.render(maxTokens)
      expect(tokens).toBeLessThanOrEqual(maxTokens)
      expect(text, `bank of ${maxTokens}, day ${at}`).toContain(`mark${at} `)
    }
    const context = await ada.context({ query: 'What did we decide to paint before the inspector comes in January?', maxTokens: 400 })
    expect(context.tokens).toBeLessThanOrEqual(400)
    const told = context.sections.find(({ tier }) => tier === 'bank')?.text
    expect(told, `context, day ${at}`).toContain(`mark${at} `)
  }
  // The running session's own turns are shown: its line would say them again.
  const { sections } = await ada.context({
    session: 's24-1',
    query: 'What did we decide to paint before the inspector comes?',
    maxTokens: 400,
  })
  expect(sections.find(({ tier }) => tier === 'recent')?.text).toContain('mark24 ')
  expect(sections.find(({ tier }) => tier === 'bank')?.text ?? '').not.toContain('mark24 ')
})
