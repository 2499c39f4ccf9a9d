import { expect, test } from 'vitest'
import { newStore, openForTest } from '../../../../../test/fixtures/memory/open.ts'
import { type MemoryOptions, openMemory, type UserMemory } from '../../index.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { ForgetAnswer } from './forget-memory.ts'

const tenMinutes = 600_000

async function adaIn(options: MemoryOptions = {}): Promise<UserMemory> {
  const memory = await openForTest({ embeddingModel: false, languageModel: false, clock: new ManualClock(), ...options })
  return memory.for({ project: 'acme', user: 'ada' })
}

async function forget(ada: UserMemory, input: object): Promise<ForgetAnswer> {
  const answer = await ada.tools().memory_forget.execute({ ...input })
  if ('error' in answer) throw new TypeError(answer.error)
  return answer
}

async function confirmOf(ada: UserMemory, input: object): Promise<string> {
  const answer = await forget(ada, input)
  if (answer.done || answer.confirm === undefined) throw new TypeError('there was nothing to confirm')
  return answer.confirm
}

async function saidTwo(ada: UserMemory): Promise<string[]> {
  const said = ['The code of the\nshed is a secret.', 'Tea at nine.'].map((content) => ({ role: 'user', content, name: 'Ada' }) as const)
  return (await ada.append('talk', said)).messages.map(({ id }) => id)
}

test('forgetting shows first what would go, and erases exactly that with the token', async () => {
  const ada = await adaIn()
  const [id] = await saidTwo(ada)
  const what = { refs: [`message:${id}`] }
  const shown = await forget(ada, what)
  expect(shown).toEqual({
    done: false,
    counts: { message: 1 },
    lines: ['2026-01-05 Ada: The code of the shed is a secret.'],
    confirm: expect.stringMatching(/^[\w-]{30}$/),
    until: '2026-01-05T09:10:00.000Z',
  })
  expect(await ada.messages('talk')).toHaveLength(2)
  const confirm = await confirmOf(ada, what)
  const erased = await forget(ada, { ...what, confirm })
  expect(erased).toMatchObject({ done: true, counts: { message: 1 }, receipt: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect((await ada.messages('talk')).map(({ content }) => content)).toEqual(['Tea at nine.'])
  // Used once more, it finds nothing.
  expect(await ada.tools().memory_forget.execute({ ...what, confirm })).toHaveProperty('error')
})

test('a fact goes with the messages that tell it; a session, a document, a block and everything go whole', async () => {
  const ada = await adaIn()
  await ada.append('talk', { role: 'user', content: 'I live in Oslo.' })
  await ada.distil('talk')
  const [fact] = await ada.facts.query({ predicate: 'lives in' })
  await ada.documents.edit('Harbour: office', '- opens at 8')
  await ada.blocks.set('plan', 'See the pier.')
  await ada.append('other', { role: 'user', content: 'Tea.' })
  for (const ref of [`fact:${fact?.id}`, 'document:Harbour: office', 'block:plan', 'session:other']) {
    const confirm = await confirmOf(ada, { refs: [ref] })
    expect(await forget(ada, { refs: [ref], confirm }), ref).toMatchObject({ done: true })
  }
  expect(await ada.messages('talk')).toEqual([])
  expect(await ada.documents.list()).toEqual([])
  expect(await ada.blocks.list()).toEqual([])
  await saidTwo(ada)
  expect(await forget(ada, { all: true, confirm: await confirmOf(ada, { all: true }) })).toMatchObject({ done: true })
  expect(await ada.sessions.list()).toEqual([])
  expect(await forget(ada, { all: true })).not.toHaveProperty('confirm')
})

test('what changed since it was shown is shown again, and nothing is erased', async () => {
  const ada = await adaIn()
  const [id = ''] = await saidTwo(ada)
  await ada.documents.edit('Harbour', '- opens at 8')
  await ada.blocks.set('plan', 'See the pier.')
  const changes: readonly (readonly [object, () => Promise<unknown>])[] = [
    [{ refs: [`message:${id}`] }, () => ada.replace(id, 'The code is another one.')],
    [{ refs: [`message:${id}`] }, () => ada.gists.write('talk', 'They spoke of a shed.')],
    [{ refs: ['session:talk'] }, () => ada.append('talk', { role: 'user', content: 'One more.' })],
    [{ refs: ['document:Harbour'] }, () => ada.documents.edit('Harbour', '- opens at 9')],
    [{ refs: ['block:plan'] }, () => ada.blocks.set('plan', 'See the museum.')],
    [{ all: true }, () => ada.append('new', { role: 'user', content: 'Hello.' })],
  ]
  for (const [what, change] of changes) {
    const confirm = await confirmOf(ada, what)
    await change()
    const again = await forget(ada, { ...what, confirm })
    expect(again, JSON.stringify(what)).toMatchObject({ done: false, why: expect.stringContaining('Nothing was erased') })
    expect(again).not.toMatchObject({ confirm })
  }
  expect(await ada.messages('talk')).toHaveLength(3)
  expect(await ada.documents.list()).toHaveLength(1)
  expect(await ada.blocks.list()).toHaveLength(1)
})

test('being shown in recalls and contexts changes nothing: the token still holds', async () => {
  const ada = await adaIn()
  const [id] = await saidTwo(ada)
  const what = { refs: [`message:${id}`] }
  const confirm = await confirmOf(ada, what)
  await ada.recall('code of the shed')
  await ada.context({ query: 'code of the shed', session: 'talk' })
  expect(await forget(ada, { ...what, confirm })).toMatchObject({ done: true })
})

test('a token that is forged, over, for something else or of another user erases nothing', async () => {
  const clock = new ManualClock()
  const memory = await openForTest({ embeddingModel: false, clock })
  const [ada, bob] = ['ada', 'bob'].map((user) => memory.for({ project: 'acme', user }))
  const elsewhere = memory.for({ project: 'other', user: 'ada' })
  if (ada === undefined || bob === undefined) throw new TypeError('no handles')
  const [id = '', other = ''] = await saidTwo(ada)
  for (const handle of [bob, elsewhere]) await saidTwo(handle)
  const what = { refs: [`message:${id}`] }
  const confirm = await confirmOf(ada, what)
  const forged = Array.from(confirm, (sign, at) => confirm.slice(0, at) + (sign === 'A' ? 'B' : 'A') + confirm.slice(at + 1))
  for (const token of [...forged, `${confirm}A`, `${confirm}=`, confirm.slice(1), 'x'])
    expect(await forget(ada, { ...what, confirm: token })).toMatchObject({ done: false })
  expect(await forget(ada, { refs: [`message:${other}`], confirm })).toMatchObject({ done: false })
  expect(await forget(ada, { refs: ['session:talk'], confirm })).toMatchObject({ done: false })
  const everything = await confirmOf(ada, { all: true })
  for (const handle of [bob, elsewhere]) {
    expect(await handle.tools().memory_forget.execute({ ...what, confirm })).toHaveProperty('error')
    expect(await forget(handle, { all: true, confirm: everything })).toMatchObject({ done: false })
    expect(await handle.messages('talk')).toHaveLength(2)
  }
  clock.advance(tenMinutes)
  expect(await forget(ada, { ...what, confirm })).toMatchObject({ done: false })
  expect(await ada.messages('talk')).toHaveLength(2)
})

test('a token of one process erases in another', async () => {
  const store = newStore()
  const open = () => openMemory({ store, upkeep: 'manual', embeddingModel: false, logger: { warn: () => undefined } })
  const first = await open()
  const what = { refs: [`message:${(await saidTwo(first.for('ada')))[0]}`] }
  const confirm = await confirmOf(first.for('ada'), what)
  await first.close()
  await using second = await open()
  expect(await forget(second.for('ada'), { ...what, confirm })).toMatchObject({ done: true })
})

test('what names nothing, or several things at once, is refused in words', async () => {
  const ada = await adaIn()
  const [id] = await saidTwo(ada)
  const message = `message:${id}`
  const inputs = [
    ...[{}, { refs: [] }, { refs: 'x' }, { refs: [7] }, { refs: ['gist:x'] }, { refs: ['fact:none'] }, { refs: ['message:none'] }],
    ...[{ refs: ['session:none'] }, { refs: ['document:none'] }, { refs: [message, 'session:talk'] }, { all: true, refs: [message] }],
    { refs: Array.from({ length: 101 }, () => message) },
  ]
  for (const input of inputs)
    expect(await ada.tools().memory_forget.execute(input), JSON.stringify(input).slice(0, 80)).toHaveProperty('error')
  expect(await ada.messages('talk')).toHaveLength(2)
})
