import { readFileSync } from 'node:fs'
import type { ModelMessage } from 'ai'
import { defineMemory, defineMemoryProvider } from 'eve/memory'
import { defineTool } from 'eve/tools'
import { describe, expect, test } from 'vitest'
import type { UserMemory } from '../../packages/varve/src/index.ts'
import { varveProvider } from '../../packages/varve/src/integrations/eve/index.ts'
import { doorLaws, insideFence } from '../fixtures/doors/laws.ts'
import { EveSession, wordsOf } from '../fixtures/eve/eve-session.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'

const says = (content: string): ModelMessage[] => [{ role: 'assistant', content }]
const users = (messages: readonly ModelMessage[]) => messages.filter(({ role }) => role === 'user').map(wordsOf)

doorLaws('a memory slot of eve’s', {
  place: 'read',
  open(memory, deadlineMs) {
    const provider = varveProvider({
      ...{ memory, deadlineMs, captureDeadlineMs: deadlineMs },
      scope: ({ value: [project = '', user = ''] }) => ({ project, user }),
    })
    return async ({ project, user, session, words, reply = () => 'Noted.' }) => {
      const talk = new EveSession({ provider }, session, [project, user])
      const read = await talk.turn(words, (messages) => says(reply(users(messages).join('\n\n'))))
      const instructions = read.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n')
      return { read: users(read).join('\n\n'), instructions }
    }
  },
})

const shared = sharedMemory({ embeddingModel: false })
const kept = async (user: UserMemory, session = 'chat') => (await user.messages(session)).map(({ role, content }) => `${role}: ${content}`)
const door = 'user: The kiosk has a new door.'

/** A user who said something before, with a session of eve's. */
async function opened(id = 'chat') {
  const user = shared.user()
  await user.append('past', { role: 'user', content: 'The kiosk has a new door.' })
  const { project, user: name = '' } = user.scope
  const options = { memory: shared.memory, deadlineMs: 10_000, scope: () => ({ project, user: name }) }
  const provider = varveProvider({ ...options, defineTool: (draft) => defineTool(draft) })
  return { user, provider, options, talk: new EveSession({ provider }, id, 'ada') }
}

describe('recall', () => {
  test('of a turn takes the place of the one before; what was recalled is never captured', async () => {
    const { user, talk } = await opened()
    await user.append('past', { role: 'user', content: 'The ferry leaves at noon.' })
    await talk.turn('What is new at the kiosk?', () => says('A door.'))
    await user.append('past', { role: 'user', content: 'The ferry has a new bell.' })
    const read = await talk.turn('When does the ferry leave?', () => says('At noon.'))
    expect(users(read).filter((words) => words.startsWith('<memory'))).toHaveLength(1)
    expect(wordsOf(read.at(-1))).toBe('When does the ferry leave?')
    expect(insideFence(wordsOf(read.at(-2)))).toContain('The ferry has a new bell.')
    expect(await kept(user)).toEqual([
      ...['user: What is new at the kiosk?', 'assistant: A door.'],
      ...['user: When does the ferry leave?', 'assistant: At noon.'],
    ])
  })

  test('that is replayed is the same, whatever was said meanwhile: eve refuses another', async () => {
    const { user, talk, provider } = await opened()
    let asked = 0
    const { 'turn.started': started, ...others } = provider.recall
    const busy = defineMemoryProvider({
      ...provider,
      recall: {
        ...others,
        'turn.started': async (operation) => {
          const recalled = await started(operation)
          asked += 1
          await user.append(`meanwhile ${asked}`, { role: 'user', content: `The kiosk has a new door, number ${asked}.` })
          return recalled
        },
      },
    })
    const session = new EveSession({ provider: busy }, 'other', 'ada')
    const read = await session.turn('What is new at the kiosk?', () => says('A door.'), 2)
    expect(asked).toBe(3)
    expect(insideFence(users(read).join())).toContain(door)
    expect(insideFence(users(await talk.turn('What is new at the kiosk?', () => says('Doors.'))).join())).toContain('number 3')
  })

  test('that is replayed does not tell what was forgotten meanwhile', async () => {
    const { user, provider } = await opened()
    const operation = {
      ...{ messages: [], operationId: 'op', session: { id: 'chat' } },
      memory: { slot: 'memory', scope: { key: 'key', namespace: 'kiosk', value: 'ada' } },
      turn: { id: 't', sequence: 1, input: [{ role: 'user', content: 'What is new at the kiosk?' }] },
    }
    expect((await provider.recall['turn.started'](operation))?.messages[0]?.content).toContain(door)
    await user.forget({ session: 'past' })
    expect(JSON.stringify(await provider.recall['turn.started'](operation))).not.toContain('door')
  })

  test('of what was forgotten is superseded in the session’s next turn', async () => {
    const { user, talk } = await opened()
    expect(users(await talk.turn('What is new at the kiosk?', () => says('A door.'))).join()).toContain(door)
    await user.forget({ all: true })
    const read = await talk.turn('And now?', () => says('Nothing.'))
    expect(users(read).join()).not.toContain(door)
    expect(users(read).at(-2)).toBe('Memory knows nothing that helps with the message that follows.')
  })
})

describe('capture', () => {
  test('is called when a turn ends, keeps tools’ calls and results, and stores a turn that is delivered again once', async () => {
    const { user, talk } = await opened()
    const call = { toolCallId: 'c1', toolName: 'hours' }
    await talk.turn('When does it open?', () => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', ...call, input: { place: 'kiosk' } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value: { opens: '10:00' } } }] },
      ...says('At ten.'),
    ])
    const lines = [
      ...['user: When does it open?', 'assistant: Let me look.\n\nhours({"place":"kiosk"})'],
      ...['tool: hours: {"opens":"10:00"}', 'assistant: At ten.'],
    ]
    expect(await kept(user)).toEqual(lines)
    await talk.completed()
    expect(await kept(user)).toEqual(lines)
    await talk.turn('When does it open?', () => says('At ten.'))
    expect(await kept(user)).toEqual([...lines, 'user: When does it open?', 'assistant: At ten.'])
  })

  test('of a turn that is compacted midway keeps what came before and after, each once; then the session’s own past is told', async () => {
    const { user, talk } = await opened()
    await talk.turn('The soup of the day is leek soup.', () => says('Noted.'))
    const read = await talk.compacted('Which soup do we have today?', says('Let me think.'), says('Leek soup.'))
    expect(insideFence(users(read).join('\n\n'))).toContain('leek soup')
    expect(await kept(user)).toEqual([
      ...['user: The soup of the day is leek soup.', 'assistant: Noted.'],
      ...['user: Which soup do we have today?', 'assistant: Let me think.', 'assistant: Leek soup.'],
    ])
    const next = await talk.turn('Which soup was it?', () => says('Leek.'))
    expect(insideFence(users(next).join('\n\n'))).toContain('leek soup')
  })

  test('stores a turn in the scope that it had: a session that passes to another person takes no words along', async () => {
    const provider = varveProvider({ memory: shared.memory, deadlineMs: 10_000 })
    const talk = new EveSession({ provider, namespace: 'shared channel' }, 'chat', 'ada')
    await talk.turn('My secret is alpha.', () => says('Alpha is your secret.'))
    talk.scope = 'bob'
    const read = await talk.turn('My secret is bravo.', () => says('Bravo is your secret.'))
    expect(users(read).filter((words) => words.startsWith('<memory'))).toEqual([])
    const partitions = await shared.memory.project('shared channel').users()
    expect(partitions).toHaveLength(2)
    const said = await Promise.all(partitions.map((user) => kept(shared.memory.for({ project: 'shared channel', user }))))
    expect(said.map((lines) => lines.filter((line) => line.includes('secret'))).toSorted()).toEqual([
      ['user: My secret is alpha.', 'assistant: Alpha is your secret.'],
      ['user: My secret is bravo.', 'assistant: Bravo is your secret.'],
    ])
  })

  test('takes what an agent or a schedule asks for no person’s words', async () => {
    const { user, provider } = await opened()
    for (const who of ['agent', 'schedule'] as const)
      await new EveSession({ provider }, who, 'ada').begunBy(who).turn('I am allergic to sesame.', () => says('Noted.'))
    const origins = async (session: string) => (await user.messages(session)).map(({ origin }) => origin)
    expect([await origins('agent'), await origins('schedule')]).toEqual([
      ['assistant', 'assistant'],
      ['system', 'assistant'],
    ])
  })
})

describe('the scope', () => {
  test.each([
    { title: 'borders of parts', one: ['a', 'bc'], other: ['ab', 'c'] },
    { title: 'a tuple and a text', one: ['a'], other: 'a' },
    {
      title: 'sixteen long parts',
      one: Array.from({ length: 16 }, () => 'x'.repeat(150)),
      other: Array.from({ length: 15 }, () => 'x'.repeat(150)),
    },
    { title: 'what is no name in Varve', one: '..', other: '~' },
  ])('is apart by $title', async ({ title, one, other }) => {
    const provider = varveProvider({ memory: shared.memory, deadlineMs: 10_000 })
    const namespace = `${title} ${'n'.repeat(900)}`
    await new EveSession({ provider, namespace }, 'first', one).turn('The secret code is alpha bravo.', () => says('Noted.'))
    const read = (scope: string | readonly string[], space: string) =>
      new EveSession({ provider, namespace: space }, 'second', scope).turn('What is the secret code?', () => says('Hm.'))
    expect(users(await read(other, namespace)).join()).not.toContain('alpha bravo')
    expect(users(await read(one, `${namespace}!`)).join()).not.toContain('alpha bravo')
    expect(users(await read(one, namespace)).join()).toContain('alpha bravo')
  })
})

describe('tools', () => {
  test('are the five of memory, bound to the scope, in the form that eve takes; their calls are not captured', async () => {
    const { user, talk, provider } = await opened()
    const tools = await new EveSession({ provider }, 'other', 'ada').tools('What is new?')
    const names = ['recall', 'context', 'remember', 'edit', 'forget'].map((name) => `memory__memory_${name}`)
    expect(Object.keys(tools)).toEqual(names)
    expect(JSON.stringify(await tools['memory__memory_recall']?.execute({ query: 'new door' }))).toContain('The kiosk has a new door.')
    const call = { toolCallId: 'c1', toolName: 'memory__memory_recall' }
    await talk.turn('What is new?', () => [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { query: 'new' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'The kiosk has a new door.' } }] },
      ...says('It has a door.'),
    ])
    expect(await kept(user)).toEqual(['user: What is new?', 'assistant: It has a door.'])
  })

  test('are none without defineTool, and eve takes the provider as it is', async () => {
    const provider = defineMemoryProvider(varveProvider({ memory: shared.memory }))
    expect(defineMemory({ provider, scope: 'kiosk' })).toMatchObject({ scope: 'kiosk' })
    expect(await new EveSession({ provider }, 'chat', 'ada').tools('What is new?')).toBeNull()
  })
})

test('the guide shows the file of a slot that is compiled here', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  const blocks = [...read('../../docs/guides/eve.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code)
  const file = read('../fixtures/guides/eve/memory.ts')
    .replace('../../../../packages/varve/src/index.ts', 'varve')
    .replace('../../../../packages/varve/src/integrations/eve/index.ts', 'varve/eve')
  expect(blocks).toEqual([file])
})
