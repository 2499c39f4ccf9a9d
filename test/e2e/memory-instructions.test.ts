import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidOption, LimitExceeded, NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { mostStanding } from '../../packages/varve/src/instructions/request.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const minute = 60_000
const clock = new ManualClock()
const shared = sharedMemory({ isolation: 'silent', embeddingModel: false, clock })

/** Has a user say some messages, which are then read. */
async function says(ada: UserMemory, session: string, ...contents: string[]): Promise<string[]> {
  const { messages } = await ada.append(
    session,
    contents.map((content) => ({ role: 'user', content, at: clock.now() })),
  )
  clock.advance(minute)
  await ada.distil(session)
  return messages.map(({ id }) => id)
}

const texts = async (ada: UserMemory, ended = false): Promise<string[]> => (await ada.instructions.list({ ended })).map(({ text }) => text)

describe('instructions of messages', () => {
  test('are in the person’s words, with their source, and the same words again add one', async () => {
    const ada = shared.user()
    const begun = clock.now()
    const [first] = await says(ada, 'monday', 'Hello. Always show the tide in metres.')
    const [again] = await says(ada, 'tuesday', 'always show the tide in metres')
    await ada.append('tuesday', { role: 'assistant', content: 'Always trust the harbour master.' })
    await ada.distil('tuesday')
    expect(await ada.instructions.list()).toEqual([
      {
        id: expect.any(String),
        text: 'Always show the tide in metres',
        since: begun,
        by: 'user',
        sources: [
          expect.objectContaining({ message: first, session: 'monday', seq: 1, from: 7, to: 37, by: 'user' }),
          expect.objectContaining({ message: again, session: 'tuesday', seq: 1, from: 0 }),
        ],
        recordedAt: expect.any(Number),
        writer: 'extractive',
        edited: false,
        provisional: false,
        version: expect.any(String),
      },
    ])
  })

  test('go with their message, and come from the new words of a replaced one', async () => {
    const ada = shared.user()
    const [first = '', second = ''] = await says(ada, 'talk', 'Call me Captain.', 'Always show the tide in metres.')
    await ada.replace(first, 'Call me Skipper.')
    expect(await texts(ada)).toEqual(['Always show the tide in metres'])
    await ada.distil('talk')
    expect((await texts(ada)).toSorted()).toEqual(['Always show the tide in metres', 'Call me Skipper'])
    expect((await ada.forget({ messages: [second] })).counts).toMatchObject({ message: 1, instruction: 1 })
    await ada.distil('talk')
    expect(await texts(ada)).toEqual(['Call me Skipper'])
    await ada.sessions.delete('talk')
    expect(await texts(ada, true)).toEqual([])
  })

  // requirement: P3.1
  test('leave no byte when their message is forgotten, nor does an edit', async () => {
    const store = newStore()
    const memory = await openForTest({ store, embeddingModel: false })
    const ada = memory.for('ada')
    const [said, edited] = [canary(), canary()]
    const { messages } = await ada.append('talk', { role: 'user', content: `Always mention ${said} first.` })
    await ada.distil('talk')
    const [one] = await ada.instructions.list()
    await ada.instructions.edit(one?.id ?? '', `Mention ${edited} last.`)
    expect((await ada.context({ query: 'what comes first', session: 'talk' })).text).not.toBe('')
    await ada.forget({ messages: messages.map(({ id }) => id) })
    await memory.upkeep.run()
    expect(tracesOf([said, edited], store)).toEqual([])
  })

  test('are not read where the project wants none', async () => {
    const ada = shared.user()
    await ada.sessions.ensure('talk', { layers: { instructions: false } })
    await says(ada, 'talk', 'Call me Captain.')
    expect(await texts(ada)).toEqual([])
  })
})

describe('instructions by hand', () => {
  test('are added in one line, and said again they are the same', async () => {
    const ada = shared.user()
    const added = await ada.instructions.add('  Answer\n in Norwegian. ')
    expect(added).toMatchObject({ text: 'Answer in Norwegian.', writer: 'person', by: 'user', sources: [], edited: false })
    clock.advance(minute)
    const again = await ada.instructions.add('answer in norwegian')
    expect(again.id).toBe(added.id)
    for (const bad of ['', ' ', 'x'.repeat(301), 'a\u202Eb'])
      expect(await rejection(ada.instructions.add(bad))).toBeInstanceOf(InvalidOption)
  })

  // requirement: PART-23
  test('an edit stays when its message is read again, and goes when it is forgotten', async () => {
    const ada = shared.user()
    const [id = ''] = await says(ada, 'talk', 'Call me Captain.')
    const [one] = await ada.instructions.list()
    expect(await ada.instructions.edit(one?.id ?? '', 'Call me Skipper.')).toMatchObject({
      id: one?.id,
      text: 'Call me Skipper.',
      edited: true,
      since: one?.since,
    })
    await says(ada, 'talk', 'Nothing more.')
    expect(await texts(ada)).toEqual(['Call me Skipper.'])
    expect((await ada.profile()).counts.instructions).toBe(1)
    await ada.forget({ messages: [id] })
    await ada.distil('talk')
    expect(await texts(ada, true)).toEqual([])
  })

  // requirement: PART-23
  test('a withdrawn one is listed as ended; only words that are said later bring it back', async () => {
    const ada = shared.user()
    await says(ada, 'talk', 'Call me Captain.')
    const before = clock.now() - minute
    clock.advance(minute)
    const [one] = await ada.instructions.list()
    const ended = await ada.instructions.withdraw(one?.id ?? '')
    expect(ended).toMatchObject({ text: 'Call me Captain', until: clock.now(), endedBy: { by: 'user' } })
    for (const call of [() => ada.instructions.withdraw(ended.id), () => ada.instructions.edit(ended.id, 'Call me Bo.')])
      expect(await rejection(call())).toBeInstanceOf(InvalidOption)
    await says(ada, 'talk', 'Nothing more.')
    await ada.append('imported', { role: 'user', content: 'Call me Captain.', at: before })
    await ada.distil('imported')
    expect([await texts(ada), await texts(ada, true)]).toEqual([[], ['Call me Captain']])
    clock.advance(minute)
    await says(ada, 'later', 'Call me Captain.')
    expect([await texts(ada), await texts(ada, true)]).toEqual([['Call me Captain'], ['Call me Captain', 'Call me Captain']])
  })

  test('are forgotten by the time of adding', async () => {
    const ada = shared.user()
    await ada.instructions.add('Answer in Norwegian.')
    clock.advance(minute)
    const between = clock.now()
    await ada.instructions.add('Show prices in kroner.')
    expect((await ada.forget({ before: new Date(between) })).counts).toMatchObject({ instruction: 1 })
    expect(await texts(ada)).toEqual(['Show prices in kroner.'])
  })

  test('are bounded, and listed by pages', async () => {
    const ada = shared.user()
    for (let at = 0; at < mostStanding; at += 1) await ada.instructions.add(`Name buoy ${at}.`)
    expect(await rejection(ada.instructions.add('Name one buoy more.'))).toBeInstanceOf(LimitExceeded)
    await says(ada, 'talk', 'Call me Captain.')
    const listed: string[] = []
    for await (const { text } of ada.instructions.list({ limit: 30 })) listed.push(text)
    expect(listed).toHaveLength(mostStanding)
    expect(listed).not.toContain('Call me Captain')
  })
})

// requirement: P2.1, P2.2
test('another user’s instructions are not found, listed, shown or changed', async () => {
  const ada = shared.memory.for({ project: 'apart', user: 'ada' })
  await says(ada, 'talk', 'Call me Captain.')
  const [one] = await ada.instructions.list()
  const id = one?.id ?? ''
  for (const user of ['ADA', 'ada ', '%', 'user']) {
    const stranger = shared.memory.for({ project: 'apart', user })
    await stranger.append('talk', { role: 'user', content: 'Hello.' })
    expect(await texts(stranger, true)).toEqual([])
    expect((await stranger.context({ query: 'call me captain' })).text).not.toContain('Captain')
    for (const call of [() => stranger.instructions.edit(id, 'x y'), () => stranger.instructions.withdraw(id)]) {
      const error = await rejection(call())
      expect(error).toBeInstanceOf(NotFound)
      const absent = await rejection(stranger.instructions.withdraw(id.replace(/.{8}$/, 'abcdabcd')))
      expect(String(error).replace(id, '#')).toBe(String(absent).replace(/"[^"]+"/, '"#"'))
    }
  }
  expect(await ada.instructions.list()).toEqual([one])
})

const step = fc.oneof(
  fc.record({ does: fc.constant('say' as const), session: fc.constantFrom('a', 'b'), word: fc.constantFrom('Al', 'Bo', 'Cy') }),
  fc.record({ does: fc.constantFrom('forget' as const, 'withdraw' as const, 'edit' as const), at: fc.nat(9) }),
)

// requirement: P4.1
test('after any sequence of calls, every source is there and says the words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const ada = shared.user()
      const said: { id: string; content: string }[] = []
      for (const one of steps) {
        if (one.does === 'say') {
          const content = `Hm. Call me ${one.word}.`
          for (const id of await says(ada, one.session, content)) said.push({ id, content })
        } else if (one.does === 'forget') {
          for (const { id } of said.splice(one.at, 1)) await ada.forget({ messages: [id] })
        } else {
          const { id } = (await ada.instructions.list())[one.at] ?? {}
          if (id !== undefined) await (one.does === 'edit' ? ada.instructions.edit(id, 'Call me Di.') : ada.instructions.withdraw(id))
        }
      }
      for (const { sources } of await ada.instructions.list({ ended: true })) {
        expect(sources.length).toBeGreaterThan(0)
        for (const { message, from, to, text } of sources) expect(said.find(({ id }) => id === message)?.content.slice(from, to)).toBe(text)
      }
    }),
    { numRuns: 15 },
  )
})
