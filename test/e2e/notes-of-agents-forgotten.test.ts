import { expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const layers = { gists: false, facts: false, instructions: false } as const

async function notesOf(ada: UserMemory): Promise<string[]> {
  const facts = await Array.fromAsync(ada.facts.list())
  const instructions = await Array.fromAsync(ada.instructions.list())
  return [...facts.map(({ object }) => object), ...instructions.map(({ text }) => text)].toSorted()
}

type ToolsOf<Kind extends 'facts' | 'instructions'> = ReturnType<UserMemory[Kind]['tools']>

async function note(facts: ToolsOf<'facts'>, instructions: ToolsOf<'instructions'>, object: string, text: string): Promise<void> {
  expect(await facts.memory_fact_add.execute({ predicate: 'likes', object })).not.toHaveProperty('error')
  expect(await instructions.memory_instruction_add.execute({ text })).not.toHaveProperty('error')
}

async function house() {
  const memory = await openForTest({ embeddingModel: false, layers })
  const of = (user: string) => memory.for({ project: 'pier', user })
  const ada = of('ada')
  const during = async (session: string, object: string, text: string) =>
    note(ada.facts.tools({ session }), ada.instructions.tools({ session }), object, text)
  return { memory, ada, of, during }
}

test('a note that an agent made in a session goes with that session, whatever its words, and one of another session stays', async () => {
  const { ada, during } = await house()
  await ada.append('monday', { role: 'user', content: 'The harbour smells of tar.' })
  await ada.append('tuesday', { role: 'user', content: 'The bakery opens early.' })
  await during('monday', 'sour cherries', 'Write short letters.')
  await during('tuesday', 'rye bread', 'Use metric units.')
  const preview = await ada.previewForget({ session: 'monday' })
  const { counts } = await ada.forget({ session: 'monday' })
  expect(counts).toMatchObject({ message: 1, fact: 1, instruction: 1 })
  expect(preview).toEqual(counts)
  expect(await notesOf(ada)).toEqual(['Use metric units.', 'rye bread'])
})

test('a note that was made before the first message of its session goes with the session', async () => {
  const { ada, during } = await house()
  await during('monday', 'sour cherries', 'Write short letters.')
  await ada.append('monday', { role: 'user', content: 'The harbour smells of tar.' })
  await ada.forget({ session: 'monday' })
  expect(await notesOf(ada)).toEqual([])
})

test.each([true, false])(
  'a note goes with the forgotten message on whose words it rests, and stays with others: session %s',
  async (hasSession) => {
    const { ada, of } = await house()
    const {
      messages: [first, second],
    } = await ada.append('monday', [
      { role: 'user', content: 'I adore Zanzibar cinnamon, and please answer in Portuguese.' },
      { role: 'user', content: 'The harbour smells of tar.' },
    ])
    const options = hasSession ? { session: 'monday' } : {}
    await note(ada.facts.tools(options), ada.instructions.tools(options), 'Zanzibar cinnamon', 'Answer in Portuguese.')
    await note(of('bob').facts.tools(), of('bob').instructions.tools(), 'Zanzibar cinnamon', 'Answer in Portuguese.')
    await ada.facts.add({ predicate: 'likes', object: 'rye bread' })
    await ada.forget({ messages: [second?.id ?? ''] })
    expect(await notesOf(ada)).toEqual(['Answer in Portuguese.', 'Zanzibar cinnamon', 'rye bread'])
    const preview = await ada.previewForget({ messages: [first?.id ?? ''] })
    const { counts } = await ada.forget({ messages: [first?.id ?? ''] })
    expect(counts).toMatchObject({ message: 1, fact: 1, instruction: 1 })
    expect(preview).toEqual(counts)
    expect(await notesOf(ada)).toEqual(['rye bread'])
    expect(await notesOf(of('bob'))).toEqual(['Answer in Portuguese.', 'Zanzibar cinnamon'])
  },
)

test('a note whose words a remaining message says too stays', async () => {
  const { ada, during } = await house()
  const {
    messages: [first],
  } = await ada.append('monday', [
    { role: 'user', content: 'I adore Zanzibar cinnamon.' },
    { role: 'user', content: 'Yes, Zanzibar cinnamon it is; please answer in Portuguese.' },
  ])
  await during('monday', 'Zanzibar cinnamon', 'Answer in Portuguese.')
  await ada.forget({ messages: [first?.id ?? ''] })
  expect(await notesOf(ada)).toEqual(['Answer in Portuguese.', 'Zanzibar cinnamon'])
})

test('a note of a session comes with an import, and goes with the session there', async () => {
  const { ada, during } = await house()
  await ada.append('monday', { role: 'user', content: 'The harbour smells of tar.' })
  await during('monday', 'sour cherries', 'Write short letters.')
  const { of } = await house()
  const copy = of('ada')
  await copy.import(await Array.fromAsync(ada.export()), { accept: true })
  expect(await notesOf(copy)).toEqual(['Write short letters.', 'sour cherries'])
  await copy.forget({ session: 'monday' })
  expect(await notesOf(copy)).toEqual([])
})
