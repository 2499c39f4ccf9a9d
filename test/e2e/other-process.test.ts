import { expect, test } from 'vitest'
import type { AppendResult, Context, MessageInput, Receipt, Recalled, UpkeepResult } from '../../packages/varve/src/index.ts'
import { canaryText, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { OtherProcess } from './other-process.ts'

function said(content: string): MessageInput[] {
  return [{ role: 'user', content }]
}

test('what another process writes, replaces and forgets is seen by the next recall, and the other way round', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const other = await OtherProcess.start(store)
  const ada = memory.for('ada')
  const texts = async (query: string) => (await ada.recall(query)).hits.map(({ text }) => text)
  const theirs = async (query: string) => (await other.tell<Recalled>({ do: 'recall', query })).hits.map(({ text }) => text)
  await ada.append('talk', said('the ferry leaves at nine'))
  expect(await theirs('ferry')).toEqual(['the ferry leaves at nine'])
  const { messages } = await other.tell<AppendResult>({ do: 'append', session: 'talk', messages: said('the kiosk opens at ten') })
  expect(messages[0]?.seq).toBe(2)
  expect(await texts('kiosk opens')).toContain('the kiosk opens at ten')
  await other.tell({ do: 'replace', id: messages[0]?.id ?? '', content: 'the museum is closed' })
  expect(await texts('museum closed')).toContain('the museum is closed')
  expect((await ada.recall('kiosk')).hits).toEqual([])
  await ada.replace(messages[0]?.id ?? '', 'the lighthouse is dark')
  expect(await theirs('lighthouse')).toContain('the lighthouse is dark')
  expect(await theirs('museum')).toEqual([])
  await other.tell({ do: 'forget', what: { messages: [messages[0]?.id ?? ''] } })
  expect((await ada.recall('lighthouse')).hits).toEqual([])
  await ada.forget({ all: true })
  expect(await theirs('ferry')).toEqual([])
  await other.tell({ do: 'append', session: 'talk', messages: said('the ferry is back') })
  expect(await texts('ferry')).toEqual(['the ferry is back'])
})

test('two processes that append to one session at once leave no gap, no double and no score of their own', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const other = await OtherProcess.start(store)
  const ada = memory.for('ada')
  const lines = (who: string, round: number) =>
    Array.from({ length: 5 }, (_, place): MessageInput => ({
      role: 'user',
      content: `${who} ferry ${round} ${place}`,
      id: `shared ${round} ${place % 2 === 0 ? place : `${who} ${place}`}`,
    }))
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([
      ada.append('talk', lines('one', round)),
      other.tell({ do: 'append', session: 'talk', messages: lines('two', round) }),
      ada.recall('ferry'),
    ])
  }
  const messages = await ada.messages('talk', { limit: 1_000 })
  // Of each round's ten, three external ids are the same on both sides.
  expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 70 }, (_, place) => place + 1))
  expect(new Set(messages.map(({ externalId }) => externalId)).size).toBe(70)
  const mine = await ada.recall('one ferry', { limit: 100 })
  const theirs = await other.tell<Recalled>({ do: 'recall', query: 'one ferry' })
  expect(theirs.hits).toEqual(mine.hits.slice(0, 10))
  const cold = await openForTest({ store })
  expect(await cold.for('ada').recall('one ferry', { limit: 100 })).toEqual(mine)
})

// requirement: P3.12
test('words are erased from the bytes though another process has the store open, and by either of them', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const other = await OtherProcess.start(store)
  const secrets = Array.from({ length: 6 }, () => canaryText(1_500))
  const ada = memory.for('ada')
  const { messages } = await ada.append(
    'talk',
    secrets.map((content) => ({ role: 'user' as const, content })),
  )
  await other.tell({ do: 'recall', query: secrets[0]?.slice(0, 20) ?? '' })
  expect((await ada.forget({ messages: messages.slice(0, 3).map(({ id }) => id) })).physical).toBe('done')
  expect(tracesOf(secrets.slice(0, 3), store)).toEqual([])
  expect((await other.tell<Receipt>({ do: 'forget', what: { session: 'talk' } })).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
})

test('while another process pins the log the bytes wait, and either process finishes them later', async () => {
  const store = newStore()
  const memory = await openForTest({ store })
  const other = await OtherProcess.start(store)
  const secrets = Array.from({ length: 3 }, () => canaryText(1_500))
  await memory.for('ada').append(
    'talk',
    secrets.map((content) => ({ role: 'user' as const, content })),
  )
  await other.tell({ do: 'pin' })
  const receipt = await memory.for('ada').forget({ session: 'talk' })
  expect(receipt.physical).toBe('pending')
  expect((await other.tell<Recalled>({ do: 'recall', query: secrets[0] ?? '' })).hits).toEqual([])
  expect(await other.tell<UpkeepResult>({ do: 'upkeep' })).toMatchObject({ erasures: 0, embedded: 0, settled: false })
  await other.tell({ do: 'unpin' })
  // The other never knew the words.
  expect(await other.tell<UpkeepResult>({ do: 'upkeep' })).toMatchObject({ erasures: 1, embedded: 0, settled: true })
  expect((await memory.receipts.get(receipt.id)).physical).toBe('done')
  expect(tracesOf(secrets, store)).toEqual([])
})

test('the echo of a context that another process gave is known', async () => {
  const store = newStore()
  const ada = (await openForTest({ store })).for('ada')
  const other = await OtherProcess.start(store)
  const sentence = 'the zeppelin museum closes its upper gallery every second thursday of november'
  await ada.append('past', said(sentence))
  const context = await other.tell<Context>({ do: 'context', session: 'now', query: 'zeppelin gallery' })
  expect(context.text).toContain(sentence)
  await ada.append('now', [{ role: 'assistant', content: sentence }])
  expect((await ada.messages('now'))[0]?.recalled).toEqual([{ from: 0, to: sentence.length }])
  expect((await ada.recall('zeppelin')).hits.map(({ session }) => session)).toEqual(['past'])
})
