import { expect, test } from 'vitest'
import { NotFound } from '../../packages/varve/src/index.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { hour, settled, talk } from '../fixtures/distil/talk.ts'
import { openForTest, rejection } from '../fixtures/memory/open.ts'

async function given() {
  const clock = new ManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const memory = await openForTest({ clock, languageModel: false, isolation: 'silent' })
  const ada = memory.for('ada')
  const upkeep = async (): Promise<void> => {
    clock.advance(settled)
    await memory.upkeep.run()
  }
  await ada.append('one', talk('tern', 3))
  await upkeep()
  return { clock, memory, ada, upkeep, gists: ada.gists }
}

test('the texts of a gist are listed with who replaced them and when, and each can be restored', async () => {
  const { ada, gists, clock, upkeep } = await given()
  const first = await gists.get('one')
  clock.advance(hour)
  await gists.write('one', 'Mira keeps the word.')
  const replacedAt = clock.now()
  clock.advance(hour)
  await gists.write('one', 'Mira keeps her word.')
  expect(await gists.revisions('one')).toMatchObject([
    { revision: 3, text: 'Mira keeps her word.', writer: 'person' },
    { revision: 2, text: 'Mira keeps the word.', writer: 'person', at: replacedAt, replacedAt: clock.now(), replacedBy: 'person' },
    { revision: 1, text: first?.text, writer: 'extractive', at: first?.writtenAt, replacedAt },
  ])
  expect((await gists.revisions('one', { limit: 1 })).cursor).toBeDefined()
  expect(await gists.restore('one', 1)).toEqual({ ...first, version: expect.any(String) })
  expect((await gists.revisions('one'))[0]).toMatchObject({ revision: 4, text: first?.text })
  expect((await gists.recall('Mira keeps')).hits.filter(({ text }) => text.includes('her word'))).toEqual([])
  expect((await gists.recall('barge tern')).hits).toMatchObject([{ text: first?.text }])
  // Upkeep finds nothing to change, until something is said.
  await upkeep()
  expect(await gists.get('one')).toEqual({ ...first, version: expect.any(String) })
  await ada.append('one', talk('late', 3, 4))
  await upkeep()
  expect((await gists.get('one'))?.text).toContain('late-')
})

test('a restored text that a person wrote stands for its messages, and later ones are added', async () => {
  const { ada, gists, upkeep } = await given()
  await gists.write('one', 'Mira keeps the word.')
  await gists.write('one', 'Nobody keeps it.')
  await ada.append('one', talk('late', 3, 4))
  await upkeep()
  await gists.restore('one', 2)
  await upkeep()
  const text = (await gists.get('one'))?.text
  expect(text).toMatch(/^Mira keeps the word\./)
  expect(text).toContain('late-')
})

test('a restored text stands once: restored again it makes no revision', async () => {
  const { gists } = await given()
  await gists.write('one', 'Mira keeps the word.')
  await gists.restore('one', 1)
  const once = await gists.revisions('one')
  await gists.restore('one', 1)
  await gists.restore('one', 3)
  expect(await gists.revisions('one')).toEqual(once)
  expect(await rejection(gists.restore('one', 9))).toBeInstanceOf(NotFound)
})

test('a session of the same name that begins anew has no revisions of the forgotten one', async () => {
  const { ada, gists } = await given()
  await gists.write('one', 'Mira keeps the word.')
  await ada.sessions.delete('one')
  await ada.append('one', talk('gull', 1))
  expect(await gists.revisions('one')).toEqual([])
})

test('a revision goes with any message that it rests on, and the others stay', async () => {
  const { ada, gists, upkeep } = await given()
  await gists.write('one', 'Mira keeps the word.')
  await ada.append('one', talk('late', 1, 4))
  await upkeep()
  await gists.write('one', 'Bo keeps it now.')
  const late = (await ada.messages('one')).at(-1)
  await ada.forget({ messages: [late?.id ?? ''] })
  // The second revision had the late message added to it.
  expect((await gists.revisions('one')).map(({ revision }) => revision)).toEqual([1])
  expect(await rejection(gists.restore('one', 2))).toBeInstanceOf(NotFound)
})
