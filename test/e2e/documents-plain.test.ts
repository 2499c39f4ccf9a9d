import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const layers = { documents: true, gists: false, facts: false, instructions: false, bank: false }
const options = { isolation: 'silent', embeddingModel: false, layers } as const
const shared = sharedMemory({ ...options, clock: new ManualClock() })

/** Says something in a session, one message each, and has it memorized. */
async function say(ada: UserMemory, session: string, name: string | undefined, ...said: string[]) {
  const messages = said.map((content) => ({ role: 'user' as const, content, ...(name === undefined ? {} : { name }) }))
  const stored = await ada.append(session, messages)
  await ada.documents.memorize(session)
  return stored.messages.map(({ id }) => id)
}

const names = async (ada: UserMemory) => (await ada.documents.list()).map(({ name }) => name).toSorted()
const content = async (ada: UserMemory, name: string) => (await ada.documents.read(name))?.content

test('Ann’s boat and Bob’s boat are in no one document: what is owned is its speaker’s, and lines say who said them', async () => {
  const ada = shared.user()
  await say(ada, 'quay', 'Ann', 'Our boat is 7 m long.', 'My boat is painted green.', 'I live in Moss.')
  await say(ada, 'quay', 'Bob', 'Our boat is 9 m long.', 'My boat is painted green.', 'I live in Kiel.')
  expect(await names(ada)).toEqual(['Ann', 'Bob'])
  const lines = (name: string, length: number, town: string): string =>
    [`Our boat is ${length} m long.`, 'My boat is painted green.', `I live in ${town}.`]
      .map((said) => `- 2026-01-05, ${name}: ${said}\n`)
      .join('')
  expect(await content(ada, 'Ann')).toBe(lines('Ann', 7, 'Moss'))
  expect(await content(ada, 'Bob')).toBe(lines('Bob', 9, 'Kiel'))
})

test('a subject has a document from three facts on, each with its own message; fewer wait for nothing', async () => {
  const ada = shared.user()
  await say(ada, 'one', 'Ann', 'My sister Mia is a nurse.', 'Mia lives in Oslo.')
  await say(ada, 'two', 'Ann', 'Mia lives in Oslo.')
  expect([await names(ada), (await shared.memory.upkeep.status()).backlog.edits]).toEqual([[], 0])
  await say(ada, 'three', 'Bob', 'Mia is allergic to nuts.')
  expect(await names(ada)).toEqual(['Mia'])
  const said = ['Ann: My sister Mia is a nurse.', 'Ann: Mia lives in Oslo.', 'Bob: Mia is allergic to nuts.']
  expect(await content(ada, 'Mia')).toBe(said.map((line) => `- 2026-01-05, ${line}\n`).join(''))
  expect((await ada.documents.read('Mia'))?.lineage).toEqual([
    { session: 'one', from: 1, to: 2 },
    { session: 'two', from: 1, to: 1 },
    { session: 'three', from: 1, to: 1 },
  ])
})

test('the same words of two speakers are two lines, each with its own message', async () => {
  const ada = shared.user()
  await ada.documents.edit('boat', '- Ask for Mira.\n')
  const said = ['Ann', 'Bob'].map((name) => ({ role: 'user' as const, name, content: 'My boat is painted green.' }))
  const { messages } = await ada.append('quay', said)
  await ada.documents.memorize('quay')
  const line = (name: string): string => `- 2026-01-05, ${name}: My boat is painted green.\n`
  expect(await content(ada, 'boat')).toBe(`- Ask for Mira.\n${line('Ann')}${line('Bob')}`)
  await ada.forget({ messages: messages.slice(0, 1).map(({ id }) => id) })
  expect(await content(ada, 'boat')).toBe(`- Ask for Mira.\n${line('Bob')}`)
})

test('a document that somebody wrote about a thing takes what is said of it, whoever’s it is', async () => {
  const ada = shared.user()
  await ada.documents.edit('boat', '- Ask for Mira.\n')
  await say(ada, 'quay', 'Ann', 'Our boat is 7 m long.')
  await say(ada, 'quay', 'Bob', 'Our boat is 9 m long.')
  expect(await content(ada, 'boat')).toBe(
    '- Ask for Mira.\n- 2026-01-05, Ann: Our boat is 7 m long.\n- 2026-01-05, Bob: Our boat is 9 m long.\n',
  )
})

test('a document of an earlier version takes no more of things that only Varve wrote about', async () => {
  const store = newStore()
  const memory = await openForTest({ ...options, store, clock: new ManualClock() })
  const ada = memory.for('ada')
  await say(ada, 'quay', 'boat', 'I live in Moss.', 'I am a nurse.', 'Our van is green.')
  const before = await content(ada, 'boat')
  await say(ada, 'quay', 'Ann', 'Our boat is 7 m long.')
  expect(await content(ada, 'boat')).toBe(before)
  await memory.close()
})

test('what is set aside is forgotten with its message, in every byte, and counts no more', async () => {
  const store = newStore()
  const memory = await openForTest({ ...options, store, clock: new ManualClock() })
  const ada = memory.for('ada')
  const secret = canary()
  const [first = ''] = await say(ada, 'talk', 'Ann', `Our boat is called ${secret}.`, 'I live in Moss.')
  expect(tracesOf([secret], store)).not.toEqual([])
  await ada.forget({ messages: [first] })
  expect(tracesOf([secret], store)).toEqual([])
  await say(ada, 'talk', 'Ann', 'I am a nurse.')
  expect(await names(ada)).toEqual([])
  await say(ada, 'talk', 'Ann', 'Our van is green.')
  expect(await content(ada, 'Ann')).toBe(
    '- 2026-01-05, Ann: I live in Moss.\n- 2026-01-05, Ann: I am a nurse.\n- 2026-01-05, Ann: Our van is green.\n',
  )
  await memory.close()
  expect(tracesOf([secret], store)).toEqual([])
})

test('what is set aside moves with an export, and is set aside there', async () => {
  const [here, elsewhere] = [await openForTest({ ...options, clock: new ManualClock() }), await openForTest({ ...options })]
  const [ada, other] = [here.for('ada'), elsewhere.for('ada')]
  await say(ada, 'talk', 'Ann', 'I live in Moss.', 'I am a nurse.')
  await other.import(await Array.fromAsync(ada.export()), { accept: true })
  await elsewhere.upkeep.run()
  expect([await names(other), (await elsewhere.upkeep.status()).backlog.edits]).toEqual([[], 0])
  await say(other, 'more', 'Ann', 'Our van is green.')
  expect((await content(other, 'Ann'))?.split('\n')).toHaveLength(4)
})
