import { expect, test } from 'vitest'
import { InvalidOption, NotFound } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled } from '../fixtures/distil/talk.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

async function given(store = 'memory:') {
  const clock = new ManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const memory = await openForTest({ store, clock, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  await ada.append('one', { role: 'user', content: 'I live in Oslo.' })
  clock.advance(settled)
  await memory.upkeep.run()
  const [home] = await ada.facts.query({ subject: 'I', predicate: 'lives in' })
  clock.advance(day)
  return { clock, memory, ada, facts: ada.facts, id: home?.id ?? '', home }
}

const changes = {
  retract: ({ facts, id }: Awaited<ReturnType<typeof given>>) => facts.retract(id),
  'retract from a time': ({ facts, id, clock }: Awaited<ReturnType<typeof given>>) => facts.retract(id, { validUntil: clock.now() }),
  correct: ({ facts, id }: Awaited<ReturnType<typeof given>>) => facts.correct(id, { object: 'Bergen' }),
}

test.each(Object.entries(changes))(
  '%s is taken back: the facts are as before, and the belief in between is told as of its time',
  async (_, change) => {
    const it = await given()
    const { facts, ada, clock, id, home } = it
    // A statement that was taken back still counts among the words, so scores differ a little.
    const found = async () => (await facts.recall('where do I live')).hits.map(({ text }) => text)
    const before = [await facts.list(), await found()]
    await change(it)
    clock.advance(day)
    const between = clock.now()
    const during = await facts.list({ asOf: between, validAt: between })
    clock.advance(day)
    expect(await facts.restore(id)).toEqual(home)
    expect([await facts.list(), await found()]).toEqual(before)
    expect(await facts.list({ asOf: between, validAt: between })).toEqual(during)
    expect(during).not.toEqual(before[0])
    // Once more changes nothing.
    expect(await facts.restore(id)).toEqual(home)
    expect(JSON.stringify(await ada.profile())).toContain('Oslo')
  },
)

test('a correction that was corrected in its turn is taken back from the last on', async () => {
  const { facts, id } = await given()
  const bergen = await facts.correct(id, { object: 'Bergen' })
  await facts.correct(bergen.id, { object: 'Moss' })
  const error = await rejection(facts.restore(id))
  expect(error).toBeInstanceOf(InvalidOption)
  expect(String(error)).toContain(bergen.id)
  await facts.restore(bergen.id)
  expect((await facts.list()).map(({ object }) => object)).toEqual(['Bergen'])
  await facts.restore(id)
  expect((await facts.list()).map(({ object }) => object)).toEqual(['Oslo'])
})

test('a fact that nobody changed, a forgotten one and another user’s are refused', async () => {
  const { memory, facts, ada, id } = await given()
  expect(await rejection(facts.restore(id))).toBeInstanceOf(InvalidOption)
  await facts.retract(id)
  expect(await rejection(memory.for('bob').facts.restore(id))).toBeInstanceOf(NotFound)
  await ada.sessions.delete('one')
  expect(await rejection(facts.restore(id))).toBeInstanceOf(NotFound)
})

test('a merge of names is listed with who and when, and taken back: each name counts as before', async () => {
  const { memory, facts, clock } = await given()
  await facts.add({ subject: 'Addie', predicate: 'likes', object: 'rye bread' })
  await facts.add({ subject: 'Adele', predicate: 'likes', object: 'oat milk' })
  await facts.merge('Adele', 'Addie')
  const before = [await facts.list(), await facts.list({ subject: 'Addie' })]
  clock.advance(day)
  await facts.merge('Addie', 'I')
  expect((await facts.list({ subject: 'I' })).map(({ object }) => object).toSorted()).toEqual(['Oslo', 'oat milk', 'rye bread'])
  const [merge] = await facts.merges()
  expect(merge).toMatchObject({ entity: 'addie', into: 'I', by: 'person', at: clock.now(), restorable: true })
  expect(await facts.unmerge(merge?.id ?? '')).toMatchObject({ undoneAt: clock.now(), restorable: false })
  expect([await facts.list(), await facts.list({ subject: 'Addie' })]).toEqual(before)
  expect(await facts.unmerge(merge?.id ?? '')).toMatchObject({ restorable: false })
  expect(await memory.for('bob').facts.merges()).toEqual([])
  expect(await rejection(memory.for('bob').facts.unmerge(merge?.id ?? ''))).toBeInstanceOf(NotFound)
})

test('merged names are forgotten with the last statement that names one, also in the files', async () => {
  const [store, name] = [newStore(), canary()]
  const { memory, ada, facts } = await given(store)
  await ada.append('two', { role: 'user', content: `My sister ${name} lives in Moss.` })
  const [message] = await ada.messages('two')
  await facts.add({ subject: name, predicate: 'likes', object: 'rye bread', sources: [{ message: message?.id ?? '' }] })
  await facts.merge(name, 'Addie')
  expect(await facts.merges()).toMatchObject([{ entity: name }])
  await ada.forget({ session: 'two' })
  expect(await facts.merges()).toMatchObject([{ restorable: false }])
  await memory.close()
  expect(tracesOf([name], store)).toEqual([])
})
