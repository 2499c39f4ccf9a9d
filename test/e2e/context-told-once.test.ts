import { expect, test } from 'vitest'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const day = 86_400_000

/** A project in which ada and bob share their talk of some days, and have a bank of their own. */
async function talking(days: number) {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, layers: { gists: false, facts: false, bank: true } })
  const acme = memory.project('acme')
  const of = (user: string) => memory.for({ project: 'acme', user })
  await acme.bank.setSharing(true)
  clock.advance(1)
  const settle = async () => {
    clock.advance(600_000)
    await memory.upkeep.run({ maxSeconds: 60 })
  }
  for (let count = 0; count < days; count += 1) {
    for (const user of ['ada', 'bob'])
      await of(user).append(`${user} ${count}`, {
        role: 'user',
        content: `The ${user === 'ada' ? 'torches' : 'pallets'} of depot ${count} go to Skagen by ferry, and Grace signs for them.`,
      })
    await settle()
    clock.advance(day)
  }
  await settle()
  return { clock, memory, acme, of, settle }
}

const bankOf = (context: { sections: readonly { tier: string; text: string; tokens: number }[] }) =>
  context.sections.find(({ tier }) => tier === 'bank')

test('the same talk is told once: by the own bank, and not by the project’s, on whatever rung', async () => {
  for (const [days, maxTokens] of [
    [3, 4_000],
    [40, 1_500],
  ] as const) {
    const { acme, of } = await talking(days)
    const shared = (await acme.bank.render()).text
    expect(shared).toMatch(/- ada: /)
    const text = bankOf(await of('ada').context({ query: 'hm', maxTokens }))?.text ?? ''
    expect(text).toContain('torches')
    expect(text).toContain('bob: The pallets')
    expect(text).not.toMatch(/ada: /)
    // A third member still reads both.
    const third = bankOf(await of('grace').context({ query: 'hm', maxTokens }))?.text ?? ''
    expect(third).toMatch(/ada: The torches[^]*bob: |bob: [^]*ada: The torches/)
  }
})

test('what the own bank does not hold stays: a session without a bank of its own, a correction, a pinned entry', async () => {
  const { acme, of, settle } = await talking(3)
  const text = async () => bankOf(await of('ada').context({ query: 'hm' }))?.text ?? ''
  await of('ada').sessions.ensure('apart', { layers: { bank: false } })
  await of('ada').append('apart', { role: 'user', content: 'The anchor of the Petrel lies in Vejle.' })
  await settle()
  expect(await text()).toContain('ada: The anchor of the Petrel')
  const [first, second] = (await acme.bank.entries({ granularity: 'conversation' })).filter(
    ({ members, bullets }) => members?.[0] === 'ada' && bullets.join().includes('torches'),
  )
  await acme.bank.correct(first?.id ?? '', 'The torches went to Ribe after all.')
  await acme.bank.pin(second?.id ?? '')
  expect(await text()).toContain('corrected: The torches went to Ribe after all.')
  expect(await text()).toContain('ada: The torches of depot')
})

test('a member with only the shared bank reads their talk there', async () => {
  const { memory, of } = await talking(2)
  await memory.project('acme').settings.set({ layers: { bank: false } })
  await of('ada').bank.clear()
  expect(bankOf(await of('ada').context({ query: 'hm' }))?.text).toContain('ada: The torches')
})
