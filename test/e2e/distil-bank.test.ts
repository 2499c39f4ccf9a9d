import { describe, expect, test } from 'vitest'
import { type BankRecord, type Memory, NotFound } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, hour, minute, settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

interface Given {
  readonly memory: Memory
  readonly clock: ManualClock
}

async function given(start: number, timeZone: string, maxTokens = 2_000): Promise<Given> {
  const clock = new ManualClock(start)
  const memory = await openForTest({ clock, languageModel: false, layers: { gists: true, bank: true }, isolation: 'silent' })
  await memory.project('default').settings.set({ timeZone, bank: { maxTokens } })
  return { memory, clock }
}

/** Runs upkeep as it comes due. The run for one project looks at once for sessions that lack a layer. */
async function upkeep({ memory, clock }: Given): Promise<void> {
  clock.advance(settled)
  await memory.upkeep.run({ project: 'default' })
  await memory.upkeep.run()
}

const leafOf = async ({ memory }: Given, session: string) =>
  (await memory.for('ada').bank.entries({ granularity: 'conversation' })).find((entry) => entry.session === session)

const periods = (entries: readonly BankRecord[]): string[] => entries.map(({ period }) => period).toSorted()

describe('local days', () => {
  // requirement: BANK-9
  test('with daylight saving: the day of 23 hours and the one of 25', async () => {
    // Berlin: 29 March 2026 begins at 23:00 UTC and ends at 22:00 UTC; 25 October begins at 22:00 UTC and ends at 23:00 UTC.
    const times = [
      '2026-03-28T22:59:00Z',
      '2026-03-28T23:01:00Z',
      '2026-03-29T21:59:00Z',
      '2026-03-29T22:01:00Z',
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:01:00Z',
      '2026-10-25T22:59:00Z',
      '2026-10-25T23:01:00Z',
    ]
    const it = await given(Date.parse('2026-12-01T12:00:00Z'), 'Europe/Berlin')
    const ada = it.memory.for('ada')
    for (const [at, said] of times.entries())
      await ada.append(
        `talk-${at}`,
        talk(`tern${at}`, 2).map((message) => ({ ...message, at: said })),
      )
    await upkeep(it)
    expect(periods(await ada.bank.entries({ granularity: 'conversation' }))).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-29',
      '2026-03-30',
      '2026-10-24',
      '2026-10-25',
      '2026-10-25',
      '2026-10-26',
    ])
  })

  // requirement: BANK-10
  test('a week of two years, late arrivals, and a digest of each', async () => {
    const it = await given(Date.parse('2027-03-01T12:00:00Z'), 'UTC', 200)
    const ada = it.memory.for('ada')
    // ISO: 2026-W53 is 28 December 2026 to 3 January 2027; 2027-W01 begins on the 4th.
    const first = Date.parse('2026-12-28T12:00:00Z')
    for (let at = 0; at < 14; at += 1) {
      for (let more = 0; more < 3; more += 1)
        await ada.append(
          `talk-${at}-${more}`,
          talk(`tern${at}x${more}`, 3).map((message) => ({ ...message, at: first + at * day })),
        )
    }
    await upkeep(it)
    const days = [...new Set(periods(await ada.bank.entries({ granularity: 'conversation' })))]
    expect([days[0], days[6], days[7], days.length]).toEqual(['2026-12-28', '2027-01-03', '2027-01-04', 14])
    // A week lies in one month of one year, so that the entries above an entry are one path.
    for (const week of await ada.bank.entries({ granularity: 'week' })) expect(['2026-W53', '2027-W01']).toContain(week.period)
    for (const year of await ada.bank.entries({ granularity: 'year' })) expect(['2026', '2027']).toContain(year.period)
    const before = await ada.bank.stats()
    expect(before.entries.week + before.entries.month + before.entries.year).toBeGreaterThan(0)
    await ada.append(
      'late',
      talk('gull', 3).map((message) => ({ ...message, at: '2026-12-31T18:00:00Z' })),
    )
    await upkeep(it)
    const entries = await ada.bank.entries()
    const top = entries
      .filter(({ granularity }) => granularity !== 'conversation' && granularity !== 'day')
      .filter(({ firstAt }) => firstAt <= Date.parse('2026-12-31T18:00:00Z'))
    // Seven days of three, and the late one.
    expect(Math.max(...top.map(({ conversations }) => conversations))).toBeGreaterThanOrEqual(13)
    expect((await ada.bank.render()).omitted).toBe(0)
  })

  // requirement: BANK-11
  test('a sitting across midnight is its first day’s; what is resumed after months is another sitting', async () => {
    const it = await given(Date.parse('2026-01-05T23:50:00Z'), 'UTC')
    const ada = it.memory.for('ada')
    for (let at = 0; at < 5; at += 1) {
      await ada.append('night', talk('tern', 1, 1 + at))
      it.clock.advance(5 * minute)
    }
    await upkeep(it)
    expect(await ada.bank.entries()).toMatchObject([{ period: '2026-01-05', messages: 5 }])
    it.clock.set(Date.parse('2026-06-10T09:00:00Z'))
    await ada.append('night', talk('gull', 2))
    await upkeep(it)
    expect(await ada.bank.entries()).toMatchObject([
      { period: '2026-06-10', messages: 2, lineage: [{ from: 6, to: 7 }] },
      { period: '2026-01-05', messages: 5, lineage: [{ from: 1, to: 5 }] },
    ])
    expect(await ada.gists.get('night')).toMatchObject({
      messages: 7,
      lineage: [
        { from: 1, to: 5 },
        { from: 6, to: 7 },
      ],
    })
  })

  test('an endless conversation, a message every five minutes for four days, is read while it goes on', async () => {
    const start = Date.parse('2026-01-05T09:00:00Z')
    const it = await given(start, 'UTC')
    const ada = it.memory.for('ada')
    const count = (4 * day) / (5 * minute)
    for (let at = 0; at < count; at += 1) {
      await ada.append('endless', talk('tern', 1, 1 + at))
      it.clock.advance(5 * minute)
      if (at % 48 === 47) await it.memory.upkeep.run()
      if (at % 48 === 47) expect(await ada.gists.pending('endless')).toBeLessThan(20)
    }
    await upkeep(it)
    const leaves = await ada.bank.entries({ granularity: 'conversation' })
    expect(leaves.length).toBeGreaterThanOrEqual(2)
    const covered = leaves.flatMap(({ lineage }) => lineage).toSorted((a, b) => a.from - b.from)
    expect(covered.reduce((next, { from, to }) => (from === next ? to + 1 : Number.NaN), 1)).toBe(count + 1)
    expect(leaves.reduce((sum, { messages }) => sum + messages, 0)).toBe(count)
  })
})

describe('what a person does to an entry', () => {
  const start = Date.parse('2026-01-05T09:00:00Z')

  async function corrected(): Promise<Given> {
    const it = await given(start, 'UTC')
    await it.memory.for('ada').append('talk', talk('tern', 3))
    await it.memory.for('ada').append('other', talk('gull', 3))
    await upkeep(it)
    await it.memory.for('ada').bank.correct((await leafOf(it, 'talk'))?.id ?? '', 'Mira keeps the word.')
    return it
  }

  // requirement: BANK-23
  test('a correction survives rebuild and what is said another day, but no forget', async () => {
    const it = await corrected()
    const ada = it.memory.for('ada')
    await ada.bank.rebuild()
    await upkeep(it)
    expect(await leafOf(it, 'talk')).toMatchObject({ bullets: ['Mira keeps the word.'], corrected: true, writer: 'person' })
    it.clock.advance(day)
    await ada.append('talk', talk('late', 2))
    await upkeep(it)
    expect((await ada.bank.entries({ granularity: 'conversation' })).map(({ bullets }) => bullets.join(' ')).join('\n')).toMatch(
      /late-1[^]*Mira keeps the word\./,
    )
    const [first] = await ada.messages('talk')
    await ada.forget({ messages: [first?.id ?? ''] })
    await upkeep(it)
    expect(JSON.stringify([await ada.bank.entries(), await ada.bank.render()])).not.toContain('Mira keeps')
    expect(JSON.stringify(await ada.bank.entries())).toContain('tern-2')
  })

  // A part may grow from before the correction to after it.
  test.each(['correct', 'gists.write'] as const)('%s: what is said later of the same day is added to it', async (what) => {
    const it = await corrected()
    const ada = it.memory.for('ada')
    if (what === 'gists.write') await ada.gists.write('talk', 'Mira keeps the word.')
    it.clock.advance(hour)
    await ada.append('talk', talk('late', 3))
    await upkeep(it)
    const text = what === 'correct' ? (await leafOf(it, 'talk'))?.bullets.join(' ') : (await ada.gists.get('talk'))?.text
    expect(text).toMatch(/^Mira keeps the word\./)
    expect(text).toContain('late-')
  })

  // requirement: BANK-24
  test('deleted and cleared entries do not come back by themselves; rebuild brings them back', async () => {
    const it = await given(start, 'UTC')
    const ada = it.memory.for('ada')
    for (const name of ['one', 'two', 'three']) await ada.append(name, talk(name, 3))
    await upkeep(it)
    await ada.bank.delete((await leafOf(it, 'one'))?.id ?? '')
    it.clock.advance(hour)
    await ada.append('two', talk('late', 2))
    await upkeep(it)
    const sessions = async () => (await ada.bank.entries({ granularity: 'conversation' })).map(({ session }) => session).toSorted()
    expect(await sessions()).toEqual(['three', 'two'])
    await ada.bank.clear()
    it.clock.advance(day)
    await upkeep(it)
    expect(await sessions()).toEqual([])
    expect(await ada.messages('one')).toHaveLength(3)
    await ada.append('three', talk('again', 2))
    await upkeep(it)
    expect((await ada.bank.entries({ granularity: 'conversation' })).map(({ period }) => period)).toEqual(['2026-01-06'])
    await ada.bank.rebuild()
    await upkeep(it)
    expect(new Set(await sessions())).toEqual(new Set(['one', 'two', 'three']))
  })

  test('a gist is no entry: it cannot be pinned, corrected or deleted by its id', async () => {
    const it = await corrected()
    const { bank, gists } = it.memory.for('ada')
    const id = (await gists.get('talk'))?.id ?? ''
    for (const change of [bank.pin(id), bank.pin(id, false), bank.correct(id, 'Mira keeps the word.'), bank.delete(id)]) {
      const error = await rejection(change)
      expect(error).toBeInstanceOf(NotFound)
      expect(error).toMatchObject({ kind: 'bank entry', id })
    }
  })

  test('rebuild is done by the next run of upkeep', async () => {
    const it = await corrected()
    const ada = it.memory.for('ada')
    await it.memory.upkeep.run()
    await ada.bank.clear()
    await ada.bank.rebuild()
    await it.memory.upkeep.run()
    expect(await ada.bank.entries({ granularity: 'conversation' })).toHaveLength(2)
  })

  test('a pin is rendered in a budget that leaves the others out, and stays when its entry is written anew', async () => {
    const it = await given(start, 'UTC', 200)
    const ada = it.memory.for('ada')
    await ada.append('pinned', talk('tern', 2))
    await upkeep(it)
    await ada.bank.pin((await leafOf(it, 'pinned'))?.id ?? '')
    for (let at = 0; at < 40; at += 1) {
      it.clock.advance(3 * hour)
      await ada.append(`talk-${at}`, talk(`gull${at}`, 4))
    }
    await ada.append('pinned', talk('late', 2))
    await upkeep(it)
    expect((await ada.bank.entries({ granularity: 'conversation' })).filter(({ pinned }) => pinned)).toMatchObject([
      { session: 'pinned', period: '2026-01-05' },
    ])
    const { text, tokens } = await ada.bank.render()
    expect(text).toContain('tern-1')
    expect(tokens).toBeLessThanOrEqual(200)
  })
})

test('sharing on, off and on: what is withdrawn is gone, members keep sessions to themselves, and a backfill takes the rest', async () => {
  const it = await given(Date.parse('2026-01-05T09:00:00Z'), 'UTC')
  const { memory, clock } = it
  const bank = memory.project('default').bank
  const shared = async () =>
    JSON.stringify([
      await bank.entries(),
      await bank.render(),
      (await memory.for('ben').recall('barge', { kinds: ['bank'], limit: 50 })).hits,
      (await memory.for('ben').context({ query: 'barge' })).text,
    ])
  await memory.for('ada').append('before', talk('before', 2))
  await upkeep(it)
  await bank.setSharing(true)
  clock.advance(minute)
  await memory.for('ada').sessions.ensure('own', { share: false })
  await memory.for('ada').append('own', talk('own', 2))
  await memory.for('ada').append('open', talk('open', 2))
  await memory.for('cleo').settings.set({ share: false })
  await memory.for('cleo').append('all', talk('cleo', 2))
  await upkeep(it)
  expect(await shared()).toContain('open-1')
  for (const name of ['before-', 'own-', 'cleo-']) expect(await shared()).not.toContain(name)
  await bank.setSharing(false)
  expect(await shared()).not.toContain('open-')
  await upkeep(it)
  expect(await bank.entries()).toEqual([])
  await bank.setSharing(true, { acknowledge: true, backfill: true })
  await upkeep(it)
  for (const name of ['before-1', 'open-1']) expect(await shared()).toContain(name)
  for (const name of ['own-', 'cleo-']) expect(await shared()).not.toContain(name)
  await memory.for('ada').sessions.share('open', false)
  await upkeep(it)
  expect(await shared()).not.toContain('open-')
  expect(await shared()).toContain('before-1')
})

test('status counts the sessions that lack a layer, until they are read for it', async () => {
  const clock = new ManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const memory = await openForTest({ clock, languageModel: false, isolation: 'silent' })
  const it = { memory, clock }
  const { settings, bank } = memory.project('default')
  const backlog = async () => (({ gists, bank: own, shared }) => ({ gists, bank: own, shared }))((await memory.upkeep.status()).backlog)
  const none = { gists: 0, bank: 0, shared: 0 }
  for (const name of ['one', 'two']) await memory.for('ada').append(name, talk(name, 3))
  await memory.for('ben').append('three', talk('three', 3))
  expect(await backlog()).toEqual({ ...none, gists: 3 })
  await upkeep(it)
  expect(await backlog()).toEqual(none)
  await settings.set({ layers: { bank: true } })
  expect(await backlog()).toEqual({ ...none, bank: 3 })
  await upkeep(it)
  expect(await backlog()).toEqual(none)
  await bank.setSharing(true, { acknowledge: true, backfill: true })
  // A session that goes on counts once for each layer that it is to be read for.
  await memory.for('ben').append('three', talk('more', 1))
  expect(await backlog()).toEqual({ gists: 1, bank: 1, shared: 3 })
  await upkeep(it)
  expect(await backlog()).toEqual(none)
  await memory.for('ada').bank.rebuild()
  expect(await backlog()).toEqual({ ...none, bank: 2 })
  await upkeep(it)
  expect(await backlog()).toEqual(none)
})

test('a corrected entry stands for its own sitting, not for what was said of the session before', async () => {
  const it = await given(Date.parse('2026-10-05T09:00:00Z'), 'UTC')
  const ada = it.memory.for('ada')
  await ada.append('barge', talk('tern', 3))
  await upkeep(it)
  it.clock.advance(day)
  await ada.append('barge', talk('gull', 2))
  await upkeep(it)
  const newest = async () => (await ada.bank.entries({ granularity: 'conversation' })).find(({ period }) => period === '2026-10-06')
  await ada.bank.correct((await newest())?.id ?? '', 'The gull was sold to Hven.')
  expect(await newest()).toMatchObject({ corrected: true, messages: 2, lineage: [{ session: 'barge', from: 4, to: 5 }] })
  await ada.append('barge', talk('plover', 2, 4))
  await upkeep(it)
  const grown = await newest()
  expect(grown).toMatchObject({
    corrected: true,
    messages: 4,
    lineage: [
      { session: 'barge', from: 4, to: 5 },
      { session: 'barge', from: 6, to: 7 },
    ],
  })
  expect(grown?.bullets[0]).toBe('The gull was sold to Hven.')
  expect(grown?.bullets.join(' ')).toContain('plover')
})

test('what is said after a correction is added to it, however much was said before', async () => {
  const it = await given(Date.parse('2026-10-05T09:00:00Z'), 'UTC')
  const ada = it.memory.for('ada')
  await ada.append(
    'torches',
    Array.from({ length: 20 }, (_, at) => ({
      role: 'user' as const,
      content: `We decided on ${at + 10} October to rent ${at + 36} head torches from Nordlicht number ${at} for ${at + 180} euros.`,
    })),
  )
  await upkeep(it)
  await ada.gists.write('torches', 'Torches were bought.')
  await ada.bank.correct((await leafOf(it, 'torches'))?.id ?? '', 'Torches were bought by Mira.')
  await ada.append(
    'torches',
    ['The ferry tickets were lost by Nando.', 'Aksel will look for them in the blue box.'].map((content) => ({
      role: 'user' as const,
      content,
    })),
  )
  await upkeep(it)
  for (const text of [(await leafOf(it, 'torches'))?.bullets.join(' '), (await ada.gists.get('torches'))?.text]) {
    expect(text).toMatch(/^Torches were bought/)
    expect(text).toContain('Nando')
    expect(text).toContain('Aksel')
    expect(text).not.toContain('Nordlicht')
  }
})

/** Reads two conversations; `sessions` gives those that the bank has. */
async function ternAndGull() {
  const it = await given(Date.parse('2026-10-05T09:00:00Z'), 'UTC')
  const ada = it.memory.for('ada')
  await ada.append('one', talk('tern', 3))
  await ada.append('two', talk('gull', 3))
  await upkeep(it)
  const sessions = async () => (await ada.bank.entries({ granularity: 'conversation' })).map(({ session }) => session).toSorted()
  return { it, ada, sessions }
}

test.each(['delete', 'clear'] as const)('what is taken out between a rebuild and the next reading stays out: %s', async (what) => {
  const { it, ada, sessions } = await ternAndGull()
  await ada.bank.rebuild()
  await (what === 'clear' ? ada.bank.clear() : ada.bank.delete((await leafOf(it, 'one'))?.id ?? ''))
  await upkeep(it)
  expect(await sessions()).toEqual(what === 'clear' ? [] : ['two'])
  await ada.bank.rebuild()
  await upkeep(it)
  expect(await sessions()).toEqual(['one', 'two'])
})

test('what was taken out before a rebuild comes back with it, unless all is taken out before the next reading', async () => {
  const { it, ada, sessions } = await ternAndGull()
  await ada.bank.delete((await leafOf(it, 'one'))?.id ?? '')
  await ada.bank.rebuild()
  await ada.bank.clear()
  await upkeep(it)
  expect(await sessions()).toEqual([])
  await ada.bank.rebuild()
  await upkeep(it)
  expect(await sessions()).toEqual(['one', 'two'])
})

// requirement: BANK-25
test('a rebuild moves entries to the days of another time zone, beside gists that stand', async () => {
  const it = await given(Date.parse('2026-10-06T09:00:00Z'), 'UTC')
  const ada = it.memory.for('ada')
  // In Berlin, 23:30 is half past one of the next day.
  const times = ['2026-10-05T12:00:00Z', '2026-10-05T23:30:00Z', '2026-10-05T23:31:00Z']
  await ada.append(
    'barge',
    talk('tern', 3).map((message, at) => ({ ...message, at: times[at] ?? '' })),
  )
  await upkeep(it)
  expect((await ada.bank.entries()).map(({ period, lineage }) => [period, lineage[0]])).toEqual([
    ['2026-10-05', { session: 'barge', from: 1, to: 3 }],
  ])
  await it.memory.project('default').settings.set({ timeZone: 'Europe/Berlin' })
  await ada.bank.rebuild()
  await upkeep(it)
  expect((await ada.bank.entries()).map(({ period, lineage }) => [period, lineage[0]])).toEqual([
    ['2026-10-06', { session: 'barge', from: 2, to: 3 }],
    ['2026-10-05', { session: 'barge', from: 1, to: 1 }],
  ])
  expect((await ada.gists.get('barge'))?.lineage).toEqual([
    { session: 'barge', from: 1, to: 1 },
    { session: 'barge', from: 2, to: 3 },
  ])
  // A person's words go along, and the entry that they replaced does not come back.
  await ada.bank.correct((await ada.bank.entries())[0]?.id ?? '', 'The tern was sold to Hven.')
  await it.memory.project('default').settings.set({ timeZone: 'Pacific/Auckland' })
  await ada.bank.rebuild()
  await upkeep(it)
  await it.memory.project('default').settings.set({ timeZone: 'America/New_York' })
  await ada.bank.rebuild()
  await upkeep(it)
  const byHand = (await ada.bank.entries()).filter(({ corrected }) => corrected)
  expect(byHand.map(({ bullets }) => bullets[0])).toEqual(['The tern was sold to Hven.'])
  expect(
    (await ada.bank.entries()).flatMap(({ bullets }) => bullets).filter((bullet) => bullet.includes('tern-2') || bullet.includes('tern-3')),
  ).toEqual([])
})
