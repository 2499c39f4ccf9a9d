import { describe, expect, test } from 'vitest'
import { InvalidOption, NotFound } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const start = Date.parse('2026-01-05T09:00:00Z')

async function given(maxTokens = 2_000) {
  const clock = new ManualClock(start)
  const memory = await openForTest({ clock, languageModel: false, layers: { gists: true, bank: true }, isolation: 'silent' })
  await memory.project('default').settings.set({ timeZone: 'UTC', bank: { maxTokens } })
  const ada = memory.for('ada')
  const upkeep = async (): Promise<void> => {
    clock.advance(settled)
    await memory.upkeep.run({ project: 'default' })
    await memory.upkeep.run()
  }
  for (const name of ['one', 'two', 'three']) await ada.append(name, talk(name, 3))
  await upkeep()
  const leafOf = async (session: string) => {
    const found = (await ada.bank.entries({ granularity: 'conversation' })).find((entry) => entry.session === session)
    return found ?? { id: '', bullets: [] }
  }
  const { bank } = ada
  const answers = async () => ({
    entries: (await bank.entries()).map(withoutVersion),
    render: (await bank.render()).text,
    hits: (await bank.search('barge needs a new rudder', { limit: 1_000 })).hits
      .map(({ id, text, lineage }) => ({ id, text, lineage }))
      .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1)),
  })
  return { clock, memory, ada, upkeep, leafOf, answers, bank }
}

/** A history of the bank under a tight budget: days of talk, with digests above them. */
async function withDigests() {
  const it = await given(200)
  for (let at = 0; at < 24; at += 1) {
    it.clock.advance(day / 3)
    await it.ada.append(`tern-${at}`, talk(`tern${at}`, 3))
    await it.upkeep()
  }
  return it
}

describe('a deletion by hand', () => {
  test('is taken back by the id of its receipt: list, render and search answer as before', async () => {
    const { ada, bank, leafOf, answers, upkeep } = await given()
    await bank.pin((await leafOf('one')).id)
    const before = await answers()
    const { id } = await bank.delete((await leafOf('one')).id)
    expect((await answers()).entries).toHaveLength(2)
    expect(await bank.restore(id)).toMatchObject({ id, act: 'delete', by: 'person', restorable: false, entries: 1 })
    expect(await answers()).toEqual(before)
    await upkeep()
    expect(await answers()).toEqual(before)
    await ada.append('one', talk('late', 2, 9))
    await upkeep()
    const text = (await leafOf('one')).bullets.join(' ')
    expect([text.includes('late-'), text.includes('one-')]).toEqual([true, true])
  })

  test.each(['delete', 'clear'] as const)('of a month with its digests (%s) comes back with them', async (act) => {
    const { memory, bank, answers } = await withDigests()
    const month = (await bank.entries()).find(({ granularity }) => granularity !== 'conversation' && granularity !== 'day')
    expect(month).toBeDefined()
    const before = await answers()
    const { id } = act === 'clear' ? await bank.clear() : await bank.delete(month?.id ?? '')
    expect((await bank.entries()).length).toBeLessThan(before.entries.length)
    await bank.restore(id)
    await memory.upkeep.run({ kinds: ['embeddings'] })
    const byId = ({ id: one }: { id: string }, { id: other }: { id: string }): number => (one < other ? -1 : 1)
    const after = await answers()
    expect(after.entries.toSorted(byId)).toEqual(before.entries.toSorted(byId))
    expect([after.render, after.hits]).toEqual([before.render, before.hits])
  })

  test('taken back twice is taken back once', async () => {
    const { bank, leafOf, answers } = await given()
    const { id } = await bank.delete((await leafOf('one')).id)
    const once = await bank.restore(id)
    const before = await answers()
    expect(await bank.restore(id)).toEqual(once)
    expect(await answers()).toEqual(before)
  })

  test('a digest that was made meanwhile takes the restored entry in', async () => {
    const { bank, leafOf, upkeep, clock, ada } = await given(200)
    const { id } = await bank.delete((await leafOf('one')).id)
    for (let at = 0; at < 24; at += 1) {
      clock.advance(day / 3)
      await ada.append(`tern-${at}`, talk(`tern${at}`, 3))
      await upkeep()
    }
    const conversations = async () => (await bank.entries()).reduce((most, entry) => Math.max(most, entry.conversations), 0)
    const before = await conversations()
    await bank.restore(id)
    await upkeep()
    expect(await conversations()).toBe(before + 1)
    expect((await bank.render()).omitted).toBe(0)
  })

  test('brings no digest back that tells of an entry which was deleted since; upkeep makes it of those that stand', async () => {
    const { bank, upkeep } = await withDigests()
    const ofDay = (await bank.entries({ granularity: 'day' }))[0]
    const [one, other] = (await bank.entries({ granularity: 'conversation' })).filter(({ period }) => period === ofDay?.period)
    const told = async () => (await bank.entries({ granularity: 'day' })).find(({ period }) => period === ofDay?.period)
    const { id } = await bank.delete(one?.id ?? '')
    await bank.delete(other?.id ?? '')
    await bank.restore(id)
    expect((await bank.entries({ granularity: 'conversation' })).map((entry) => entry.id)).toContain(one?.id)
    expect(await told()).toBeUndefined()
    await upkeep()
    expect((await bank.render(2_000)).text).not.toContain(other?.bullets[0])
  })

  test('whose messages were read again by a rebuild is refused', async () => {
    const { bank, leafOf, upkeep, answers } = await given()
    const { id } = await bank.delete((await leafOf('one')).id)
    await bank.rebuild()
    await upkeep()
    const before = await answers()
    const error = await rejection(bank.restore(id))
    expect(error).toBeInstanceOf(InvalidOption)
    expect(String(error)).toContain('read again')
    expect(await answers()).toEqual(before)
  })

  test('between a rebuild and the next reading comes back, and is read once', async () => {
    const { bank, leafOf, upkeep, answers } = await given()
    const before = await answers()
    const { id } = await bank.delete((await leafOf('one')).id)
    await bank.rebuild()
    await bank.restore(id)
    await upkeep()
    expect((await answers()).render).toEqual(before.render)
  })

  test('is kept for 30 days', async () => {
    const { bank, leafOf, clock, memory } = await given()
    const { id } = await bank.delete((await leafOf('one')).id)
    clock.advance(30 * day)
    const error = await rejection(bank.restore(id))
    expect(String(error)).toContain('30 days')
    expect((await bank.history())[0]).toMatchObject({ id, restorable: false })
    clock.advance(1)
    await memory.upkeep.run()
    expect(await bank.history()).toEqual([])
    expect(await rejection(bank.restore(id))).toBeInstanceOf(NotFound)
  })

  test('that forgets keeps nothing', async () => {
    const { bank, leafOf } = await given()
    const { id } = await leafOf('one')
    await bank.correct(id, 'Mira keeps the word.')
    const receipt = await bank.delete(id, { forget: true })
    expect(await bank.history()).toMatchObject([{ act: 'correct', before: [], restorable: false }])
    expect(await rejection(bank.restore(receipt.id))).toBeInstanceOf(NotFound)
    const cleared = await bank.clear({ forget: true })
    expect(await rejection(bank.restore(cleared.id))).toBeInstanceOf(NotFound)
  })

  test('comes back without the entry whose message was forgotten since', async () => {
    const { ada, bank } = await given()
    const { id } = await bank.clear()
    const [message] = await ada.messages('two', { limit: 1 })
    await ada.forget({ messages: [message?.id ?? ''] })
    expect((await bank.history())[0]).toMatchObject({ act: 'clear', entries: 2, restorable: true })
    await bank.restore(id)
    expect((await bank.entries()).map(({ session }) => session).toSorted()).toEqual(['one', 'three'])
    expect((await bank.render()).text).not.toContain('two-')
  })

  test('of which everything was forgotten since is refused, and says why', async () => {
    const { ada, bank, leafOf } = await given()
    const { id } = await bank.delete((await leafOf('one')).id)
    await ada.sessions.delete('one')
    expect((await bank.history())[0]).toMatchObject({ entries: 0, restorable: false })
    expect(String(await rejection(bank.restore(id)))).toContain('forgotten since')
  })
})

describe('a correction by hand', () => {
  test('is taken back: the entry says what it said before, and so does its day', async () => {
    const { bank, leafOf, answers, upkeep } = await given()
    const leaf = await leafOf('one')
    const before = await answers()
    await bank.correct(leaf.id, 'Mira keeps the word.')
    await upkeep()
    const [change] = await bank.history(leaf.id)
    expect(change).toMatchObject({
      act: 'correct',
      entry: leaf.id,
      by: 'person',
      before: [{ bullets: leaf.bullets, writer: 'extractive' }],
    })
    await bank.restore(change?.id ?? '')
    expect(await answers()).toEqual(before)
    await upkeep()
    expect(await answers()).toEqual(before)
    // The words that went are kept in their turn.
    expect((await bank.history(leaf.id))[0]).toMatchObject({ act: 'correct', before: [{ bullets: ['Mira keeps the word.'] }] })
  })

  test('of a digest is taken back', async () => {
    const { bank, answers, upkeep } = await withDigests()
    const digest = (await bank.entries()).find(({ granularity }) => granularity !== 'conversation')
    const before = await answers()
    await bank.correct(digest?.id ?? '', 'Mira keeps the word.')
    await bank.restore((await bank.history())[0]?.id ?? '')
    await upkeep()
    expect((await answers()).render).toEqual(before.render)
  })

  test('is not taken back when its entry is gone', async () => {
    const { bank, leafOf } = await given()
    const { id } = await leafOf('one')
    await bank.correct(id, 'Mira keeps the word.')
    const [change] = await bank.history()
    await bank.delete(id)
    expect(await rejection(bank.restore(change?.id ?? ''))).toBeInstanceOf(NotFound)
  })
})

test('a pin and its end are taken back, and listed with who and when', async () => {
  const { bank, leafOf, clock } = await given()
  const { id } = await leafOf('one')
  await bank.pin(id)
  await bank.pin(id)
  clock.advance(day)
  await bank.pin(id, false)
  const history = await bank.history(id)
  expect(history.map(({ act, by, at }) => [act, by, at])).toEqual([
    ['unpin', 'person', clock.now()],
    ['pin', 'person', clock.now() - day],
  ])
  await bank.restore(history[0]?.id ?? '')
  expect(await bank.stats()).toMatchObject({ pinned: 1 })
  await bank.restore(history[1]?.id ?? '')
  expect(await bank.stats()).toMatchObject({ pinned: 0 })
})

test("another user's, another project's and the shared bank's changes are not to be seen", async () => {
  const { memory, bank, leafOf } = await given()
  const { id } = await bank.delete((await leafOf('one')).id)
  for (const other of [memory.for('bob'), memory.for({ project: 'other', user: 'ada' }), memory.project('default')]) {
    expect(await other.bank.history()).toEqual([])
    expect(await rejection(other.bank.restore(id))).toBeInstanceOf(NotFound)
  }
  expect(await bank.history()).toHaveLength(1)
})
