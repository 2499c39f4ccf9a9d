import { describe, expect, test } from 'vitest'
import { InvalidOption, type Memory, type ProjectMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { day, talk } from '../fixtures/distil/talk.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { withoutVersion } from '../fixtures/memory/without-version.ts'

const minute = 60_000

interface Two {
  readonly memory: Memory
  readonly clock: ManualClock
  readonly usual: ProjectMemory
  readonly own: ProjectMemory
}

/** Two projects, of which one has settings of its own. */
async function two(
  settings: Parameters<ProjectMemory['settings']['set']>[0],
  layers = { gists: true, facts: false, bank: false },
): Promise<Two> {
  const clock = new ManualClock()
  const memory = await openForTest({ clock, embeddingModel: false, layers: { ...layers, instructions: false } })
  const [usual, own] = [await memory.projects.create('usual'), await memory.projects.create('own')]
  await own.settings.set(settings)
  return { memory, clock, usual, own }
}

const pending = (memory: Memory, project: string): Promise<number> => memory.for({ project, user: 'ada' }).gists.pending()

async function say(memory: Memory, messages: number): Promise<void> {
  for (const project of ['usual', 'own']) await memory.for({ project, user: 'ada' }).append('monday', talk('tern', messages))
}

describe('reading', () => {
  test('settleMinutes: a session is read after so many minutes of silence, in this project alone', async () => {
    const { memory, clock } = await two({ reading: { settleMinutes: 60 } })
    await say(memory, 4)
    const begun = clock.now()
    expect((await memory.upkeep.status()).waiting).toEqual({ sessions: 2, until: begun + 60 * minute })
    clock.advance(11 * minute)
    await memory.upkeep.run()
    expect([await pending(memory, 'usual'), await pending(memory, 'own')]).toEqual([0, 4])
    expect((await memory.upkeep.status()).waiting).toEqual({ sessions: 1, until: begun + 60 * minute })
    expect((await memory.upkeep.status()).oldestDue).toBeUndefined()
    clock.advance(50 * minute)
    expect((await memory.upkeep.status()).oldestDue).toBe(begun + 60 * minute)
    await memory.upkeep.run()
    expect(await pending(memory, 'own')).toBe(0)
  })

  test('settleMinutes: a shorter one reads sooner, and --all reads whatever it is', async () => {
    const { memory, clock, own } = await two({ reading: { settleMinutes: 2 } })
    await say(memory, 4)
    clock.advance(3 * minute)
    await memory.upkeep.run()
    expect([await pending(memory, 'usual'), await pending(memory, 'own')]).toEqual([4, 0])
    await own.settings.set({ reading: { settleMinutes: 1_440 } })
    await memory.for({ project: 'own', user: 'ada' }).append('tuesday', talk('gull', 2))
    clock.advance(minute)
    await memory.upkeep.run({ all: true })
    expect([await pending(memory, 'usual'), await pending(memory, 'own')]).toEqual([0, 0])
  })

  test('settleMinutes: a day is digested when its last talk has settled and was read, not a day later', async () => {
    const layers = { gists: false, facts: false, bank: true }
    const { memory, clock, usual, own } = await two({ reading: { settleMinutes: 120 }, bank: { maxTokens: 200 } }, layers)
    const soon = await memory.projects.create('soon')
    await usual.settings.set({ bank: { maxTokens: 200 } })
    await soon.settings.set({ reading: { settleMinutes: 1 }, bank: { maxTokens: 200 } })
    const projects = ['soon', 'usual', 'own']
    clock.set(Date.parse('2026-10-05T12:00:00Z'))
    for (const project of projects)
      for (let at = 0; at < 6; at += 1) await memory.for({ project, user: 'ada' }).append(`talk-${at}`, talk(`tern${at}`, 8))
    clock.set(Date.parse('2026-10-05T20:00:00Z'))
    await memory.upkeep.run()
    const seen: Record<string, readonly string[]> = {}
    for (const time of ['00:50', '00:52', '01:01', '02:49', '02:51']) {
      clock.set(Date.parse(`2026-10-06T${time}:00Z`))
      await memory.upkeep.run()
      const digested: string[] = []
      for (const project of projects) if ((await memory.for({ project, user: 'ada' }).bank.stats()).entries.day > 0) digested.push(project)
      seen[time] = digested
    }
    expect(seen).toEqual({ '00:50': [], '00:52': ['soon'], '01:01': ['soon', 'usual'], '02:49': ['soon', 'usual'], '02:51': projects })
    expect(await own.settings.get()).toMatchObject({ reading: { settleMinutes: 120 } })
  })

  test('newMessages: a running session is read after so many', async () => {
    const { memory } = await two({ reading: { newMessages: 6 } })
    await say(memory, 5)
    await memory.upkeep.run()
    expect([await pending(memory, 'usual'), await pending(memory, 'own')]).toEqual([5, 5])
    await say(memory, 1)
    await memory.upkeep.run()
    expect([await pending(memory, 'usual'), await pending(memory, 'own')]).toEqual([6, 0])
  })

  test('partMessages: a session is read in parts of at most so many', async () => {
    const { memory, clock, server } = await distilling({ layers: { gists: true, bank: false, facts: false } })
    await memory.project('own').settings.set({ reading: { partMessages: 4 } })
    const callsIn = async (project: string): Promise<number> => {
      await memory.for({ project, user: 'ada' }).append('monday', talk('tern', 12))
      clock.advance(11 * minute)
      const before = server.count
      await memory.upkeep.run({ project })
      return server.count - before
    }
    expect(await callsIn('default')).toBe(1)
    // Three parts, and a call that makes one gist of them.
    expect(await callsIn('own')).toBe(4)
  })
})

describe('bank', () => {
  const layers = { gists: false, facts: false, bank: true }

  async function granularities({ memory, clock }: Two): Promise<Record<string, readonly string[]>> {
    for (let at = 0; at < 12; at += 1) {
      await say(memory, 4)
      for (const project of ['usual', 'own']) await memory.for({ project, user: 'ada' }).append(`day-${at}`, talk(`tern${at}`, 6))
      clock.advance(day)
    }
    await memory.upkeep.run()
    const found: Record<string, readonly string[]> = {}
    for (const project of ['usual', 'own']) {
      const entries = await memory.for({ project, user: 'ada' }).bank.entries({ limit: 1_000 })
      found[project] = [...new Set(entries.map(({ granularity }) => granularity))].toSorted()
    }
    return found
  }

  test('overBudget: digests are made at so many times the tokens', async () => {
    const it = await two({ bank: { maxTokens: 500, overBudget: 4 } }, layers)
    await it.usual.settings.set({ bank: { maxTokens: 500 } })
    const { usual, own } = await granularities(it)
    expect(usual).toContain('day')
    expect(own).toEqual(['conversation'])
  })

  test('the ages say which periods a bank shows as one entry', async () => {
    const old = { dayAgeDays: 9, weekAgeDays: 3_650, monthAgeDays: 3_650, yearAgeDays: 3_650 }
    const it = await two({ bank: old }, layers)
    await granularities(it)
    const shown = async (project: string): Promise<string> => {
      const { bank } = it.memory.for({ project, user: 'ada' })
      const texts: string[] = []
      for (let tokens = 200; tokens <= 2_000; tokens += 100) texts.push((await bank.render(tokens)).text)
      return texts.join('\n')
    }
    const before = await shown('own')
    expect(before).not.toBe(await shown('usual'))
    await it.own.settings.set({ bank: null })
    expect(await shown('own')).not.toBe(before)
  })
})

test.each([
  { reading: { settleMinutes: 0 } },
  { reading: { settleMinutes: 1_441 } },
  { reading: { settleMinutes: 1.5 } },
  { reading: { newMessages: 1 } },
  { reading: { newMessages: 1_001 } },
  { reading: { partMessages: 1 } },
  { reading: { partMessages: 201 } },
  { agents: { facts: 0 } },
  { agents: { facts: 10_001 } },
  { agents: { instructions: 201 } },
  { agents: { documents: 0.5 } },
  { bank: { overBudget: 0.9 } },
  { bank: { overBudget: 5 } },
  { bank: { dayAgeDays: -1 } },
  { bank: { yearAgeDays: 3_651 } },
  { bank: { dayAgeDays: 8 } },
  { bank: { weekAgeDays: 31 } },
  { bank: { yearAgeDays: 29 } },
])('the setting %j is out of its bounds', async (settings) => {
  const memory = await openForTest()
  expect(await rejection(memory.project('own').settings.set(settings))).toBeInstanceOf(InvalidOption)
  expect(withoutVersion(await memory.project('own').settings.get())).toEqual({})
})

test('varve settings shows each number with its default, and changes it', async () => {
  const { varve } = typedIn('numbers')
  await varve(['append', 'monday', 'Hello.'])
  const { stdout } = await varve(['settings'])
  for (const line of [
    /reading\.settleMinutes +10 /,
    /reading\.newMessages +20 /,
    /reading\.partMessages +40 /,
    /bank\.overBudget +1\.25 /,
    /agents\.facts +500 /,
    /agents\.instructions +20 /,
    /agents\.documents +5000 /,
    /bank\.monthAgeDays +30 /,
  ])
    expect(stdout).toMatch(line)
  expect((await varve(['settings', 'set', 'reading.settleMinutes', '30'])).stdout).toMatch(/reading\.settleMinutes +30\n/)
  expect(await varve(['settings', 'set', 'bank.yearAgeDays', '2'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/none is below the one before it: .*dayAgeDays \d+, weekAgeDays \d+/),
  })
  expect((await varve(['settings', 'unset', 'reading.settleMinutes'])).stdout).toMatch(/reading\.settleMinutes +10 \(default\)/)
})
