import { assert, describe, expect, test } from 'vitest'
import { type BankRecord, BudgetExceeded, type Memory, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled } from '../fixtures/distil/talk.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

interface Given {
  readonly memory: Memory
  readonly ada: UserMemory
  readonly clock: ManualClock
}

const deeds = [
  'was painted green by Mira for nine crates of apples',
  'needs a new rudder before the spring regatta',
  'stays at the north pier until the ice is gone',
  'carries 40 bicycles to Anholt on Sundays',
] as const
const days = ['05', '06', '07', '08', '09', '10', '11'] as const

/** Opens a bank of four conversations on each day of a week. Its budget asks for digests of the days and of the week. */
async function given(): Promise<Given> {
  const clock = new ManualClock(Date.parse('2026-10-20T09:00:00Z'))
  const memory = await openForTest({ clock, languageModel: false, layers: { gists: false, bank: true }, isolation: 'silent' })
  const it = { memory, ada: memory.for('ada'), clock }
  await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
  for (const date of days) {
    for (const [place, deed] of deeds.entries()) await say(it, `${date}-${place}`, date, `Barge gull-${date}-${place} ${deed}.`)
  }
  await upkeep(it)
  return it
}

async function say({ ada }: Given, session: string, date: string, words: string): Promise<void> {
  await ada.append(session, [{ role: 'user', content: words, at: `2026-10-${date}T08:00:00Z` }])
}

async function upkeep({ memory, clock }: Given): Promise<void> {
  clock.advance(settled)
  expect(await memory.upkeep.run()).toMatchObject({ settled: true })
}

async function entry({ ada }: Given, is: Partial<BankRecord>): Promise<BankRecord> {
  const found = (await ada.bank.entries()).find(
    (one) =>
      (is.session === undefined || one.session === is.session) &&
      (is.period === undefined || one.period === is.period) &&
      (is.granularity === undefined || one.granularity === is.granularity),
  )
  assert(found !== undefined, `no entry ${JSON.stringify(is)}`)
  return found
}

const tuesday = { granularity: 'day', period: '2026-10-06' } as const
const week = { granularity: 'week', period: '2026-W41' } as const

describe('a corrected digest', () => {
  const correction = 'On Tuesday Mira painted four barges.'
  const late = [
    'The harbour office insured the tern with Aksel for 300 crowns.',
    'Nando lost the ferry ticket in Samsø.',
    'The plover needs a rudder from Læsø.',
  ]

  const said = (words: string): string => `The user: ${words}`

  async function corrected(): Promise<Given> {
    const it = await given()
    await it.ada.bank.correct((await entry(it, tuesday)).id, correction)
    return it
  }

  test('keeps all that came since, one conversation after the other', async () => {
    const it = await corrected()
    for (const [place, words] of late.entries()) {
      await say(it, `late-${place}`, '06', words)
      await upkeep(it)
      const { bullets, corrected, conversations, lineage } = await entry(it, tuesday)
      expect({ bullets: bullets.slice(0, 1), corrected, conversations, lineage }).toEqual({
        bullets: [correction],
        corrected: true,
        conversations: 5 + place,
        lineage: [],
      })
      expect(bullets.slice(1).toSorted()).toEqual(
        late
          .slice(0, place + 1)
          .map(said)
          .toSorted(),
      )
    }
  })

  test('adds what a conversation says that goes on', async () => {
    const it = await corrected()
    await say(it, '06-1', '06', 'Gull-06-1 sank beside Anholt.')
    await upkeep(it)
    await say(it, 'late', '06', late[0] ?? '')
    await upkeep(it)
    const { bullets } = await entry(it, tuesday)
    expect(bullets[0]).toBe(correction)
    for (const came of ['Gull-06-1 sank beside Anholt.', late[0] ?? '']) expect(bullets).toContain(said(came))
  })

  test('stays as it is when what it stands for is only written anew', async () => {
    const it = await corrected()
    await it.ada.bank.rebuild()
    await upkeep(it)
    expect((await entry(it, tuesday)).bullets).toEqual([correction])
    await say(it, 'late', '06', late[0] ?? '')
    await upkeep(it)
    expect((await entry(it, tuesday)).bullets).toEqual([correction, said(late[0] ?? '')])
  })

  test('corrected once more stands for what was added before', async () => {
    const it = await corrected()
    await say(it, 'late-0', '06', late[0] ?? '')
    await upkeep(it)
    await it.ada.bank.correct((await entry(it, tuesday)).id, 'Mira painted barges, and the tern was insured.')
    await say(it, 'late-1', '06', late[1] ?? '')
    await upkeep(it)
    expect((await entry(it, tuesday)).bullets).toEqual(['Mira painted barges, and the tern was insured.', said(late[1] ?? '')])
  })
})

describe('what was corrected away', () => {
  test.each([
    ['a conversation', { session: '06-0' } as const],
    ['a day', tuesday],
  ])('of %s is told by no digest above any more, also where the bank fits its budget by then', async (_, what) => {
    const it = await given()
    const { memory, ada } = it
    await entry(it, week)
    const before = await ada.bank.stats()
    await memory.project('default').settings.set({ bank: { maxTokens: 10_000 } })
    const { id } = await entry(it, what)
    await ada.bank.correct(id, 'Barge gull-06-0 was sold to Hven.')
    for (const _ of [1, 2]) {
      const { hits } = await ada.bank.search('gull-06-0')
      expect(hits[0]).toMatchObject({ id })
      // The conversations of a corrected day still stand as they were said.
      const above = hits.filter((hit) => hit.kind === 'bank' && hit.granularity !== 'conversation')
      expect(above.filter(({ text }) => text.includes('gull-06-0 was painted'))).toEqual([])
      await upkeep(it)
    }
    await memory.project('default').settings.set({ bank: { maxTokens: 200 } })
    await upkeep(it)
    expect((await ada.bank.stats()).entries).toEqual(before.entries)
    expect((await entry(it, week)).bullets.join(' ')).not.toContain('gull-06-0 was painted')
    expect(await ada.bank.render()).toMatchObject({ omitted: 0, text: expect.not.stringContaining('gull-06-0 was painted') })
  })

  test('goes out of a corrected digest too, whose own words stay; no conversation is counted twice', async () => {
    const it = await given()
    const { ada } = it
    await ada.bank.correct((await entry(it, week)).id, 'A week of green barges.')
    await say(it, 'late', '06', 'The tern was insured with Aksel for 300 crowns.')
    await upkeep(it)
    expect((await entry(it, week)).bullets.join('\n')).toMatch(/^A week of green barges\.\n[^]*300 crowns/)
    await ada.bank.correct((await entry(it, { session: 'late' })).id, 'The tern was insured for 3 crowns.')
    const told = async () => (await ada.bank.render()).entries.reduce((sum, { conversations }) => sum + conversations, 0)
    expect(await entry(it, week)).toMatchObject({ bullets: ['A week of green barges.'], corrected: true, conversations: 24 })
    expect((await ada.bank.search('week of green barges')).hits[0]).toMatchObject({ granularity: 'week' })
    expect(await told()).toBe(29)
    await upkeep(it)
    expect(await entry(it, week)).toMatchObject({ corrected: true, conversations: 29, bullets: { 0: 'A week of green barges.' } })
    expect((await entry(it, week)).bullets.join('\n')).not.toContain('300 crowns')
    expect(await told()).toBe(29)
    expect(JSON.stringify(await ada.bank.entries({ granularity: 'day' }))).not.toContain('300 crowns')
  })
})

describe('a correction of a pinned entry', () => {
  const long = Array.from({ length: 8 }, (_, place) => `Line ${place} ${'of crates and apples '.repeat(8)}`).join('\n')

  // requirement: BANK-21
  test('that would not fit as a pin is refused and changes nothing; without the pin it is taken', async () => {
    const it = await given()
    const { ada } = it
    const { id, bullets } = await entry(it, { session: '08-0' })
    await ada.bank.pin(id)
    const before = await ada.bank.render()
    expect(await rejection(ada.bank.correct(id, long))).toBeInstanceOf(BudgetExceeded)
    expect(await entry(it, { session: '08-0' })).toMatchObject({ bullets, corrected: false, pinned: true })
    expect(await ada.bank.render()).toEqual(before)
    await ada.bank.correct(id, 'Sold to Hven.')
    expect((await ada.bank.render()).text).toContain('pinned] 08-0\n- Sold to Hven.')
    await ada.bank.pin(id, false)
    await ada.bank.correct(id, long)
    expect((await entry(it, { session: '08-0' })).bullets).toHaveLength(8)
  })

  test('leaves a bank whose budget was lowered below it shown without pins', async () => {
    const it = await given()
    const { ada, memory } = it
    const budget = (maxTokens: number) => memory.project('default').settings.set({ bank: { maxTokens } })
    await budget(2_000)
    const { id } = await entry(it, { session: '08-0' })
    await ada.bank.pin(id)
    await ada.bank.correct(id, long)
    await budget(200)
    it.clock.advance(day)
    const { text, tokens } = await ada.bank.render()
    expect(text).toContain('gull-0')
    expect(tokens).toBeLessThanOrEqual(200)
  })
})
