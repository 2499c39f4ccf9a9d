import { expect, test } from 'vitest'
import { openMemory, type UserMemory } from '../../packages/varve/src/index.ts'
import type { CallerKey } from '../../packages/varve/src/keys/caller-key.ts'
import { admitted } from '../../packages/varve/src/operations/admission.ts'
import { handles } from '../../packages/varve/src/operations/all.ts'

const agent: CallerKey = {
  ...{ id: '', project: 'acme', user: 'ada', access: 'write', origins: ['assistant', 'tool'], impersonate: false, createdAt: 0 },
}

const kinds = new Map(handles.flatMap(({ operations }) => Object.values(operations).map(({ name, kind }) => [name, kind] as const)))

/** Gives the input of a call as an agent's key may make it; undefined when it may not. */
function asAgent<Input extends object>(name: string, input: Input): Input | undefined {
  const kind = kinds.get(name)
  if (kind === undefined) throw new TypeError(`no operation ${name}`)
  const admission = admitted(agent, { name, kind }, { on: 'user', project: 'acme', user: 'ada' }, input)
  return 'input' in admission ? admission.input : undefined
}

/** Gives the writer of a call as an agent's key may make it. */
function writerOf(name: string, writer?: string): { readonly writer: string } {
  const input: { writer?: string } | undefined = asAgent(name, writer === undefined ? {} : { writer })
  if (input?.writer === undefined) throw new TypeError(`${name} has no writer`)
  return { writer: input.writer }
}

async function opened(use: (ada: UserMemory) => Promise<void>): Promise<void> {
  await using memory = await openMemory({ store: 'memory:', upkeep: 'manual', embeddingModel: false, logger: { warn: () => undefined } })
  await use(memory.for({ project: 'acme', user: 'ada' }))
}

test('what a key without person writes is an agent’s, in every layer that has writers', () =>
  opened(async (ada) => {
    expect(await ada.blocks.set('goal', 'the ferry', writerOf('blocks.set'))).toMatchObject({ writer: 'agent' })
    await ada.blocks.append('goal', 'at nine', writerOf('blocks.append'))
    expect((await ada.blocks.revisions('goal')).map(({ writer }) => writer)).toEqual(['agent', 'agent'])
    await ada.documents.edit('Ferry', '- leaves at nine', writerOf('documents.edit'))
    expect((await ada.documents.revisions('Ferry')).map(({ writer }) => writer)).toEqual(['agent'])
    expect(await ada.facts.add({ predicate: 'likes', object: 'tea', ...writerOf('facts.add') })).toMatchObject({ writer: 'agent' })
    expect(await ada.instructions.add('Always answer in Dutch.', writerOf('instructions.add'))).toMatchObject({ noted: true, by: 'agent' })
  }))

test('a key without person ends and changes nothing that a person said', () =>
  opened(async (ada) => {
    const fact = await ada.facts.add({ predicate: 'lives in', object: 'Oslo' })
    const instruction = await ada.instructions.add('Always answer in Norwegian.')
    const attempts = [
      () => ada.facts.correct(fact.id, { object: 'Bergen', ...writerOf('facts.correct') }),
      () => ada.facts.retract(fact.id, writerOf('facts.retract')),
      () => ada.instructions.withdraw(instruction.id, writerOf('instructions.withdraw')),
      () => ada.facts.add({ predicate: 'lives in', object: 'Bergen', ...writerOf('facts.add') }),
    ]
    for (const attempt of attempts) await attempt().catch((error: unknown) => expect(error).toMatchObject({ code: 'OPTION_INVALID' }))
    const [standing] = (await ada.facts.list()).filter(({ id }) => id === fact.id)
    expect(standing).toMatchObject({ object: 'Oslo', writer: 'person', retracted: false })
    expect(standing?.validUntil).toBeUndefined()
    expect((await ada.instructions.list()).map(({ text }) => text)).toContain('Always answer in Norwegian.')
  }))

test('a key without person cites no message of a person: it could end what the person said by it', () =>
  opened(async (ada) => {
    await ada.facts.add({ predicate: 'lives in', object: 'Oslo' })
    const { messages } = await ada.append('talk', { role: 'user', content: 'I like tea.' })
    const sources = messages.map(({ id: message }) => ({ message }))
    const moved = { predicate: 'lives in', object: 'Bergen' }
    expect(asAgent('facts.add', { ...moved, sources })).toBeUndefined()
    for (const nothing of [null, 'x', {}]) expect(asAgent('facts.add', { ...moved, sources: nothing })).toBeUndefined()
    const noted = asAgent('facts.add', { ...moved, sources: [] })
    expect(noted).toEqual({ ...moved, sources: [], writer: 'agent' })
    await ada.facts.add({ ...moved, ...noted })
    expect((await ada.facts.list()).find(({ object }) => object === 'Oslo')?.validUntil).toBeUndefined()
  }))

test('a key without person cannot take a person’s name as its writer', () =>
  opened(async (ada) => {
    for (const writer of ['person', 'extractive', '']) {
      await expect(ada.blocks.set('goal', 'x', writerOf('blocks.set', writer))).rejects.toMatchObject({ code: 'OPTION_INVALID' })
      await expect(ada.facts.add({ predicate: 'likes', object: 'x', ...writerOf('facts.add', writer) })).rejects.toMatchObject({
        code: 'OPTION_INVALID',
      })
      await expect(ada.documents.edit('Ferry', '- x', writerOf('documents.edit', writer))).rejects.toMatchObject({ code: 'OPTION_INVALID' })
      await expect(ada.instructions.add('Always x.', writerOf('instructions.add', writer))).rejects.toMatchObject({
        code: 'OPTION_INVALID',
      })
    }
    for (const name of ['gists.write', 'notes.edit', 'instructions.edit', 'replace', 'bank.correct', 'facts.merge', 'import'])
      expect(asAgent(name, {}), name).toBeUndefined()
  }))

test('an append of a key without person stores nothing of a batch with a person in it', () =>
  opened(async (ada) => {
    const lines = [
      { role: 'assistant', content: 'The ferry leaves at nine.' },
      { role: 'user', content: 'I live in Oslo.' },
    ] as const
    expect(asAgent('append', { session: 'talk', messages: lines })).toBeUndefined()
    const own = asAgent('append', { session: 'talk', messages: [{ ...lines[1], origin: 'tool' as const }] })
    await ada.append('talk', own?.messages ?? [])
    expect(await ada.messages('talk')).toMatchObject([{ origin: 'tool' }])
  }))
