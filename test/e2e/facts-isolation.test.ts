import { expect, test } from 'vitest'
import { NotFound, type UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const shared = sharedMemory({ isolation: 'silent', embeddingModel: false, clock: new ManualClock() })

/** Makes every call that takes the id of a fact or of a message. */
function callsWith(handle: UserMemory, fact: string, message: string): Record<string, () => Promise<unknown>> {
  return {
    correct: () => handle.facts.correct(fact, { object: 'taken over' }),
    retract: () => handle.facts.retract(fact),
    'retract until': () => handle.facts.retract(fact, { validUntil: Date.UTC(2027, 0, 1) }),
    history: () => handle.facts.history(fact),
    dependsOn: () => handle.facts.add({ predicate: 'decided to', object: 'stay', dependsOn: [fact] }),
    sources: () => handle.facts.add({ predicate: 'decided to', object: 'stay', sources: [{ message }] }),
  }
}

/** Makes an id that never existed, of the form of another. */
function absent(id: string): string {
  return id.replace(/.{8}$/, 'abcdabcd')
}

/** Gives the words of the error of each call, without the ids. */
async function refusals(handle: UserMemory, fact: string, message: string): Promise<string[]> {
  const errors = []
  for (const call of Object.values(callsWith(handle, fact, message))) errors.push(await rejection(call()))
  return errors.map((error) => String(error).replaceAll(fact, '#').replaceAll(message, '#'))
}

/** Gives every answer of a partition on facts. */
async function answers(handle: UserMemory): Promise<unknown> {
  return {
    listed: await handle.facts.query({ limit: 100 }),
    mine: await handle.facts.query({ subject: 'I' }),
    history: await handle.facts.history({ subject: 'I' }),
    around: await handle.facts.around('Mia', { hops: 4 }),
    recalled: [await handle.facts.recall('who keeps the barge', { limit: 50 }), await handle.facts.recall('tea', { limit: 50 })],
    subjects: (await handle.profile()).subjects,
    shown: (await handle.context({ query: 'who keeps the barge' })).text.replaceAll(/mark="\w+"/g, ''),
  }
}

/** Makes scopes that a careless key, glob or join would take for hers. */
function strangersOf(project: string): UserMemory[] {
  const { memory } = shared
  return [
    ...['ADA', 'ad', 'ada ', 'ada%', '%', '*', 'ada user', "ada' OR '1'='1", 'user', 'I', 'me', 'Mia'].map((user) =>
      memory.for({ project, user }),
    ),
    memory.for({ project }),
    ...[`${project} `, project.toUpperCase(), `${project}%`].map((other) => memory.for({ project: other, user: 'ada' })),
  ]
}

async function tell(handle: UserMemory, object: string): Promise<void> {
  await handle.facts.add({ predicate: 'lives in', object })
  await handle.facts.add({ subject: 'Mia', predicate: 'keeps', object: 'barge' })
  for (const each of ['tea', 'tea', 'barge tea', object]) await handle.facts.add({ subject: 'Mia', predicate: 'likes', object: each })
}

// requirement: P2.1, P2.2
test('ids of another partition’s facts and messages are not found, whatever is done with them, and nothing changes', async () => {
  const ada = shared.memory.for({ project: 'ids', user: 'ada' })
  const {
    messages: [hers],
  } = await ada.append('hers', { role: 'user', content: 'I keep the secret.' })
  const { id } = await ada.facts.add({ predicate: 'keeps', object: 'secret', sources: [{ message: hers?.id ?? '' }] })
  const before = await answers(ada)
  for (const stranger of strangersOf('ids')) {
    // The same ordinals as hers.
    await stranger.append('his', { role: 'user', content: 'mine' })
    await stranger.facts.add({ predicate: 'keeps', object: 'rope' })
    const his = await answers(stranger)
    for (const [name, call] of Object.entries(callsWith(stranger, id, hers?.id ?? ''))) {
      const error = await rejection(call())
      expect(error, name).toBeInstanceOf(NotFound)
      expect(String(error), name).not.toMatch(/\bada\b|secret/)
    }
    expect(await refusals(stranger, id, hers?.id ?? '')).toEqual(await refusals(stranger, absent(id), absent(hers?.id ?? '')))
    expect(await answers(stranger)).toEqual(his)
  }
  expect(await answers(ada)).toEqual(before)
})

test('what is no id at all is not found, and changes nothing', async () => {
  const ada = shared.user()
  await tell(ada, 'Oslo')
  const before = await ada.facts.query({ limit: 100 })
  for (const id of ['', '*', '%', '1', "' OR 1=1 --", '00000000-0000-0000-0000-000000000000', '01890a5d-ac96-774b-bcce-b302099a8057']) {
    for (const [name, call] of Object.entries(callsWith(ada, id, id)))
      expect(await rejection(call()), `${name} of "${id}"`).toBeInstanceOf(NotFound)
  }
  expect(await ada.facts.query({ limit: 100 })).toEqual(before)
})

// requirement: P2.3
test('what others say, merge, correct and forget changes no fact, score or order of hers', async () => {
  const ada = shared.memory.for({ project: 'scores', user: 'ada' })
  await tell(ada, 'Oslo')
  const before = await answers(ada)
  for (const stranger of strangersOf('scores')) {
    for (let times = 0; times < 3; times += 1) await tell(stranger, 'Rome')
    await stranger.facts.merge('barge', 'Mia')
    const [fact] = await stranger.facts.query({ predicate: 'lives in' })
    await stranger.facts.correct(fact?.id ?? '', { object: 'Bern' })
    expect(await answers(ada)).toEqual(before)
  }
  for (const stranger of strangersOf('scores')) await stranger.forget({ all: true })
  expect(await answers(ada)).toEqual(before)
})

test('the same statement of two users is two facts, and each has its own sources', async () => {
  const [ada, bob] = [shared.user(), shared.user()]
  const [hers, his] = await Promise.all([ada, bob].map((one) => one.facts.add({ subject: 'Mia', predicate: 'likes', object: 'tea' })))
  expect(hers?.id).not.toBe(his?.id)
  await bob.facts.retract(his?.id ?? '')
  expect(await ada.facts.query({ subject: 'Mia' })).toHaveLength(1)
  expect(await bob.facts.query({ subject: 'Mia' })).toEqual([])
})
