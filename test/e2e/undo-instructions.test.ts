import { expect, test } from 'vitest'
import { InvalidOption, NotFound } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled } from '../fixtures/distil/talk.ts'
import { canary, tracesOf } from '../fixtures/memory/canaries.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'

async function given(store = 'memory:') {
  const clock = new ManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const memory = await openForTest({ store, clock, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  await ada.append('one', { role: 'user', content: 'From now on, always answer in Spanish.' })
  clock.advance(settled)
  await memory.upkeep.run()
  const [read] = await ada.instructions.list()
  return { clock, memory, ada, instructions: ada.instructions, id: read?.id ?? '', read }
}

test('edits and withdrawals by hand are taken back, the last first, and once each', async () => {
  const { instructions, id, read, clock } = await given()
  clock.advance(day)
  const edited = await instructions.edit(id, 'Answer in French.')
  await instructions.withdraw(id)
  expect(await instructions.list()).toEqual([])
  expect(await instructions.restore(id)).toEqual(edited)
  expect(await instructions.list()).toEqual([edited])
  expect(await instructions.restore(id)).toEqual(read)
  expect(await instructions.list()).toEqual([read])
  expect(await instructions.restore(id)).toEqual(read)
})

test('what nobody changed, what is older than 30 days and what is another user’s is refused', async () => {
  const { memory, instructions, id, clock } = await given()
  expect(await rejection(instructions.restore(id))).toBeInstanceOf(InvalidOption)
  await instructions.withdraw(id)
  expect(await rejection(memory.for('bob').instructions.restore(id))).toBeInstanceOf(NotFound)
  clock.advance(30 * day + 1)
  await memory.upkeep.run()
  expect(await rejection(instructions.restore(id))).toBeInstanceOf(InvalidOption)
})

test('an earlier edit is forgotten with its message, also in the files', async () => {
  const [store, word] = [newStore(), canary()]
  const { memory, ada, instructions, id } = await given(store)
  await instructions.edit(id, `Answer in ${word}.`)
  await instructions.edit(id, 'Answer in French.')
  await ada.forget({ session: 'one' })
  await memory.close()
  expect(tracesOf([word], store)).toEqual([])
})

test('an earlier edit of an instruction that was added by hand is forgotten with it', async () => {
  const [store, word] = [newStore(), canary()]
  const { memory, ada, instructions, clock } = await given(store)
  const { id } = await instructions.add('Keep answers short.')
  await instructions.edit(id, `Answer in ${word}.`)
  await instructions.edit(id, 'Answer in French.')
  await ada.forget({ before: clock.now() + 1 })
  await memory.close()
  expect(tracesOf([word], store)).toEqual([])
})
