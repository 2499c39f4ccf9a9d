import { describe, expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const monday = Date.UTC(2026, 0, 5, 10)
const week = 7 * 24 * 60 * 60 * 1_000

/** A line of a talk: a person's words, or those of another speaker or role. */
type Line = string | { readonly content: string; readonly name?: string; readonly role?: 'user' | 'assistant' | 'tool' }

async function opened(clock = new ManualClock(monday + 20 * week)): Promise<Memory> {
  return openForTest({ clock, embeddingModel: false, languageModel: false, isolation: 'silent', layers: { facts: true, gists: false } })
}

/** Gives the facts that hold after sessions four weeks apart, which are read in the given order. */
async function heldAfter(sessions: readonly (readonly Line[])[], order = sessions.map((_, place) => place)): Promise<string[]> {
  const memory = await opened()
  const ada = memory.for('ada')
  for (const place of order) {
    const at = monday + place * 4 * week
    await ada.append(
      `s${place}`,
      (sessions[place] ?? []).map((line, seq) => ({
        ...(typeof line === 'string' ? { role: 'user' as const, content: line } : { role: 'user' as const, ...line }),
        at: at + seq * 60_000,
      })),
    )
  }
  for (const place of order) await ada.distil(`s${place}`)
  return (await ada.facts.query({}))
    .map(({ subject, predicate, object, unverified }) => `${subject} ${predicate} ${object}${unverified === true ? ' (unverified)' : ''}`)
    .toSorted()
}

const updates: readonly (readonly [talk: readonly (readonly Line[])[], held: readonly string[]])[] = [
  [
    [['Remember that my test command is npm test.'], ['Update this: my test command is now npm run test:ci.']],
    ['ada test command npm run test:ci'],
  ],
  [[['My test command is pnpm test.'], ['my test command is pnpm test:ci']], ['ada test command pnpm test:ci']],
  [[['Our deploy branch is main.'], ['The deploy branch is now release.']], ['ada deploy branch release']],
  [[['The rent is 1,090 a month.'], ['The rent is now 1,240 a month.']], ['ada rent 1,240 a month']],
  [[['Our tests run on Jest.'], ['We switched from Jest to Vitest.']], ['ada uses Vitest']],
  [[['I live in Oslo.'], ['I moved to Bergen.']], ['ada lives in Bergen']],
  [[["I'm vegetarian."], ["I'm no longer vegetarian."]], []],
  [[['We host at Hetzner.'], ['We dropped Hetzner.']], []],
  [[['My test command is npm test.'], ['Forget what I said about my test command.']], []],
  [[['My rent is 940 euros.'], ['My landlord raised the rent to 995 euros.']], ['ada rent 995 euros']],
  [[['Our linter is ESLint.'], ['Replace ESLint with Biome from now on.']], ['ada has Biome']],
  [[['I work at Brightloom.'], ['I left Brightloom and joined Osprey.']], ['ada works at Osprey']],
  [[['Tickets cost 25 dollars.'], ['Tickets cost 30 dollars as of today.']], ['ada tickets costs 30 dollars']],
  [[['Standup is at 9:00.'], ['Standup moved to 9:30.']], ['ada standup 9:30']],
  [[['My forum name is night_owl.'], ['My forum name is now day_owl.']], ['ada forum name day_owl']],
]

describe('a later value ends the earlier one', () => {
  test.each(updates)('%j', async (talk, held) => {
    expect(await heldAfter(talk)).toEqual(held)
  })

  test.each(updates)('in whatever order the talks are read: %j', async (talk, held) => {
    expect(await heldAfter(talk, talk.map((_, place) => place).toReversed())).toEqual(held)
  })
})

test.each<[talk: readonly (readonly Line[])[], held: readonly string[]]>([
  [[['We decided against MongoDB.']], ['ada decided against MongoDB']],
  [[['I use MongoDB.'], ['We decided against MongoDB.']], ['ada decided against MongoDB']],
])('a refusal of a thing ends its use, and not itself: %j', async (talk, held) => {
  expect(await heldAfter(talk)).toEqual(held)
})

const branch = 'Our deploy branch is main.'

describe('what ends nothing', () => {
  test.each<[kind: string, talk: readonly (readonly Line[])[]]>([
    ['told twice', [[branch], [branch]]],
    ['taken back', [[branch], ['Our deploy branch is now release.', 'No wait, scratch that, I had the wrong repo open.']]],
    ['conditional', [[branch], ['If the audit fails, our deploy branch is release.']]],
    ['quoted', [[branch], ['The readme of that template says "our deploy branch is release", is that usual?']]],
    ['planned', [[branch], ['Next month our deploy branch will be release.'], ['We are thinking about release as our deploy branch.']]],
    ['asked', [[branch], ['Should our deploy branch be release?']]],
    ['temporary', [[branch], ['This week only our deploy branch is hotfix.']]],
    ['an assistant', [[branch], [{ role: 'assistant', content: 'Your deploy branch is now release.' }, 'Thanks.']]],
    ['a tool', [[branch], [{ role: 'tool', content: 'our deploy branch is release' }, 'Thanks.']]],
  ])('%s', async (_, talk) => {
    expect(await heldAfter(talk)).toEqual(['ada deploy branch main'])
  })

  test('a temporary value holds while it lasts', async () => {
    const memory = await opened()
    const ada = memory.for('ada')
    await ada.append('a', { role: 'user', content: branch, at: monday })
    await ada.append('b', { role: 'user', content: 'This week only our deploy branch is hotfix.', at: monday + 4 * week })
    for (const session of ['a', 'b']) await ada.distil(session)
    const heldAt = async (validAt: number): Promise<string[]> =>
      (await ada.facts.query({ predicate: 'deploy branch', validAt })).map(({ object }) => object)
    expect(await heldAt(monday + week)).toEqual(['main'])
    expect(await heldAt(monday + 4 * week + 3_600_000)).toEqual(['hotfix'])
    expect(await heldAt(monday + 6 * week)).toEqual(['main'])
  })

  test("another's words about a person who spoke too", async () => {
    expect(
      await heldAfter([
        [{ name: 'Runa', content: 'I live in Oslo.' }],
        [
          { name: 'Runa', content: 'Hello there, all.' },
          { name: 'Bo', content: 'Runa lives in Rome now.' },
        ],
      ]),
    ).toEqual(['Runa lives in Oslo', 'Runa lives in Rome (unverified)'])
  })
})

test('when the later words are forgotten, the earlier value holds again', async () => {
  const memory = await opened()
  const ada = memory.for('ada')
  await ada.append('a', { role: 'user', content: 'Our tests run on Jest.', at: monday })
  await ada.append('b', { role: 'user', content: 'We moved the whole suite over to Vitest.', at: monday + 4 * week })
  for (const session of ['a', 'b']) await ada.distil(session)
  const objects = async (): Promise<string[]> => (await ada.facts.query({})).map(({ object }) => object)
  expect(await objects()).toEqual(['Vitest'])
  await ada.forget({ session: 'b' })
  expect(await objects()).toEqual(['Jest'])
})

test('two statements of one home never end each other both', async () => {
  expect(await heldAfter([['I live in Oslo.'], ['I moved to Bergen last month.']])).toEqual(['ada lives in Bergen'])
})

test('a hit says what took its place in other words, and is not marked when that is forgotten', async () => {
  const memory = await opened()
  const ada = memory.for('ada')
  await ada.append('a', { role: 'user', content: 'Our tests run on Jest.', at: monday })
  await ada.append('b', { role: 'user', content: 'We moved the whole suite over to Vitest.', at: monday + 4 * week })
  for (const session of ['a', 'b']) await ada.distil(session)
  const marked = async (): Promise<(string | undefined)[]> =>
    (await ada.recall('what do our tests run on?')).hits.flatMap((hit) => (hit.superseded === undefined ? [] : [hit.superseded.now]))
  expect(await marked()).toEqual(['Vitest'])
  expect((await ada.recall('what do our tests run on?')).hits[0]?.text).toContain('Vitest')
  const [jest, vitest] = [...(await ada.facts.query({ validAt: monday })), ...(await ada.facts.query({}))]
  expect((await ada.facts.history(jest?.id ?? '')).map(({ supersededBy }) => supersededBy)).toEqual([vitest?.id])
  await ada.forget({ session: 'b' })
  expect(await marked()).toEqual([])
})

describe('what a stranger tried', () => {
  test.each<[why: string, talk: readonly (readonly Line[])[], held: readonly string[]]>([
    ['back to a former host', [['Our hosting is at Fly.'], ['We host on Heroku again.']], ['ada host on Heroku']],
    ['a tool may have the name of a firm or a dog', [['My dog is called Slack.'], ['We no longer use Slack.']], ['ada dog name Slack']],
    [
      'two linters',
      [['Our Python linter is Ruff.'], ['Our JavaScript linter is ESLint.']],
      ['ada javascript linter ESLint', 'ada python linter Ruff'],
    ],
    [
      'one breakfast on Sundays',
      [['My breakfast is porridge.'], ['My Sunday breakfast is pancakes.']],
      ['ada breakfast porridge', 'ada sunday breakfast pancakes'],
    ],
    ['a beginning that lies ahead', [[branch], ['From 1 October our deploy branch is release.']], ['ada deploy branch main']],
    ['a wife', [['I use Zed as an editor.'], ['My wife uses Vim as an editor now.']], ['ada uses Zed', 'my wife uses Vim']],
    ['another team', [['Our tests run on Jest.'], ['The other team moved the whole suite over to Vitest.']], ['ada tests run on Jest']],
    ["a friend's rent", [['My rent is 800 euros.'], ["My friend's rent is now 900 euros."]], ['ada rent 800 euros']],
    ['a count of the same', [['We have two cats.'], ['We have one cat now.']], ['ada has one cat']],
    ['an aside', [['Our CLI, Plover, is on Node 20.'], ['Our CLI is on Node 22 now.']], ['ada cli Node 22']],
    ['a second part that is open', [['My editor is Zed, and probably forever.']], ['ada editor Zed']],
    ['a car, by its word', [['I drive a Skoda.'], ['Forget what I said about my car.']], []],
    [
      'the user by a claimed name',
      [['My name is Ada Wind.', 'I live in Oslo.'], ['Ada Wind moved to Bergen.']],
      ['ada lives in Bergen', 'ada name Ada Wind'],
    ],
    [
      'a passing state that is over early',
      [[branch], ['This week only our deploy branch is hotfix.', 'Our deploy branch is main again.']],
      ['ada deploy branch main'],
    ],
  ])('%s', async (_, talk, held) => {
    expect(await heldAfter(talk)).toEqual(held)
  })

  test('a correction of the later value, by hand or in talk, leaves the earlier one ended', async () => {
    const memory = await opened()
    const ada = memory.for('ada')
    await ada.append('a', { role: 'user', content: 'Our tests run on Jest.', at: monday })
    await ada.append('b', { role: 'user', content: 'We moved the whole suite over to Vitest.', at: monday + 4 * week })
    for (const session of ['a', 'b']) await ada.distil(session)
    const objects = async (): Promise<string[]> => (await ada.facts.query({})).map(({ object }) => object).toSorted()
    const [vitest] = await ada.facts.query({ object: 'Vitest' })
    if (vitest === undefined) throw new RangeError('Vitest was not read')
    await ada.facts.correct(vitest.id, { confidence: 0.5 })
    expect(await objects()).toEqual(['Vitest'])
    await ada.facts.correct(vitest.id, { object: 'Bun' })
    expect(await objects()).toEqual(['Bun'])
  })

  test('a retraction of the later value lets the earlier one hold again, from then on', async () => {
    const clock = new ManualClock(monday + 20 * week)
    const memory = await opened(clock)
    const ada = memory.for('ada')
    await ada.append('a', { role: 'user', content: 'Our tests run on Jest.', at: monday })
    await ada.append('b', { role: 'user', content: 'We moved the whole suite over to Vitest.', at: monday + 4 * week })
    for (const session of ['a', 'b']) await ada.distil(session)
    const [vitest] = await ada.facts.query({ object: 'Vitest' })
    if (vitest === undefined) throw new RangeError('Vitest was not read')
    clock.advance(week)
    await ada.facts.retract(vitest.id)
    expect((await ada.facts.query({})).map(({ object }) => object)).toEqual(['Jest'])
    // Before the retraction it was believed.
    expect((await ada.facts.query({ asOf: vitest.recordedAt })).map(({ object }) => object)).toEqual(['Vitest'])
    await ada.append('c', { role: 'user', content: 'We moved the whole suite over to Vitest.', at: monday + 2 * week })
    await ada.distil('c')
    expect((await ada.facts.query({})).map(({ object }) => object)).toEqual(['Jest'])
  })
})

describe('what is read loosely counts only beside another statement', () => {
  const swap = [['Daycare takes 380 euros from our account.'], ['Daycare now takes 410 euros from our account.']]

  test('alone it is no fact', async () => {
    expect(await heldAfter(swap.slice(0, 1))).toEqual([])
  })

  test.each([
    ['in order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('a later one takes its place: %s', async (_, order) => {
    const held = await heldAfter(swap, order)
    expect(held).toEqual([expect.stringContaining('410 euros')])
  })

  test('it is counted with the later one, and no more when that is forgotten', async () => {
    const memory = await opened()
    const ada = memory.for('ada')
    const counted = async (): Promise<number> => (await ada.profile()).counts.facts
    for (const [place, lines] of swap.entries()) {
      await ada.append(`s${place}`, { role: 'user', content: lines[0] ?? '', at: monday + place * 4 * week })
      await ada.distil(`s${place}`)
      expect(await counted()).toBe(place * 2)
    }
    const receipt = await ada.forget({ session: 's1' })
    expect(receipt.counts).toMatchObject({ message: 1, fact: 1 })
    expect(await counted()).toBe(0)
    expect([...(await ada.facts.query({}))]).toEqual([])
  })
})
