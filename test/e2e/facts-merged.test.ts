import { describe, expect, test } from 'vitest'
import { LimitExceeded, type UserMemory } from '../../packages/varve/src/index.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ embeddingModel: false })

const objects = async (ada: UserMemory, subject: string): Promise<string[]> =>
  (await ada.facts.query({ subject })).map(({ object }) => object).toSorted()

/** Says something, and has a fact rest on it. */
async function told(ada: UserMemory, session: string, subject: string, object: string): Promise<void> {
  const {
    messages: [said],
  } = await ada.append(session, { role: 'user', content: `${subject} likes ${object}.` })
  await ada.facts.add({ subject, predicate: 'likes', object, sources: [{ message: said?.id ?? '' }] })
}

test('a fact with a merged name for its object is taken back and put right like any other', async () => {
  const ada = shared.user()
  const knows = await ada.facts.add({ predicate: 'knows', object: 'Sandy' })
  const trusts = await ada.facts.add({ predicate: 'trusts', object: 'Sandy' })
  await ada.facts.merge('Sandy', 'Alexandra Wind')
  await ada.facts.retract(knows.id)
  expect(await ada.facts.query({ predicate: 'knows' })).toEqual([])
  await ada.facts.correct(trusts.id, { object: 'Robin' })
  expect((await ada.facts.query({ predicate: 'trusts' })).map(({ object }) => object)).toEqual(['Robin'])
})

test('what a person made of a fact that was said by two names stands until the last of them is gone', async () => {
  const ada = shared.user()
  for (const [session, subject] of [
    ['one', 'Sandy'],
    ['two', 'Alexandra'],
  ] as const) {
    await told(ada, session, subject, 'figs')
    await told(ada, session, subject, 'tea')
  }
  await ada.facts.merge('Sandy', 'Alexandra')
  const idOf = async (object: string): Promise<string> => (await ada.facts.query({ subject: 'Sandy', object }))[0]?.id ?? ''
  await ada.facts.correct(await idOf('figs'), { object: 'plums' })
  await ada.facts.retract(await idOf('tea'))
  expect(await objects(ada, 'Sandy')).toEqual(['plums'])
  await ada.forget({ session: 'two' })
  expect(await objects(ada, 'Sandy')).toEqual(['plums'])
  await ada.forget({ session: 'one' })
  expect(await ada.facts.history({ subject: 'Sandy' })).toEqual([])
})

describe('a merged name', () => {
  test('that nobody has said yet outlives what is forgotten beside it', async () => {
    const ada = shared.user()
    await ada.facts.merge('Addie', 'I')
    await told(ada, 'talk', 'Bo', 'rain')
    await ada.forget({ session: 'talk' })
    await ada.facts.add({ subject: 'Addie', predicate: 'likes', object: 'tea' })
    expect(await objects(ada, 'I')).toEqual(['tea'])
  })

  test('is nobody’s once the name that it counted as is forgotten, and what is said of it stays', async () => {
    const ada = shared.user()
    await told(ada, 'about-alexandra', 'Alexandra Windermere', 'figs')
    await told(ada, 'about-sandy', 'Sandy', 'rain')
    await ada.facts.merge('Sandy', 'Alexandra Windermere')
    expect(await objects(ada, 'Alexandra Windermere')).toEqual(['figs', 'rain'])
    await ada.forget({ session: 'about-alexandra' })
    expect(await objects(ada, 'Alexandra Windermere')).toEqual([])
    expect(await objects(ada, 'Sandy')).toEqual(['rain'])
  })

  test('is the user’s as long as the name that it counts as is', async () => {
    const ada = shared.user()
    const {
      messages: [said],
    } = await ada.append('talk', { role: 'user', content: 'My name is Ada Wind.' })
    await ada.facts.add({ predicate: 'name', object: 'Ada Wind', sources: [{ message: said?.id ?? '' }] })
    await ada.facts.merge('Addie', 'Ada Wind')
    await ada.facts.add({ subject: 'Addie', predicate: 'likes', object: 'tea' })
    expect((await ada.facts.query({ subject: 'I', predicate: 'likes' })).map(({ object }) => object)).toEqual(['tea'])
    await ada.forget({ session: 'talk' })
    expect(await ada.facts.query({ subject: 'I' })).toEqual([])
  })

  test('is one of at most 1,000', async () => {
    const ada = (await openForTest({ isolation: 'silent' })).for('ada')
    for (let count = 1; count <= 1_000; count += 1) await ada.facts.merge(`name ${count}`, 'Bo')
    expect(await rejection(ada.facts.merge('one more', 'Bo'))).toBeInstanceOf(LimitExceeded)
  })
})
