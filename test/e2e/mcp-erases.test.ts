import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Memory, UserMemory } from '../../packages/varve/src/index.ts'
import { connected, textOf } from '../fixtures/mcp/connected.ts'

type Input = Readonly<Record<string, unknown>>

/** An input for every tool of the full set that is answered without an error. */
async function inputs(ada: UserMemory): Promise<Readonly<Record<string, Input>>> {
  const [fact] = await ada.facts.query({ predicate: 'likes' })
  const [instruction] = await ada.instructions.list()
  const session = 'talk'
  return {
    memory_recall: { query: 'oars' },
    memory_context: { query: 'oars' },
    memory_remember: { note: 'The oars were oiled.', topic: 'Boats' },
    memory_edit: { ref: `fact:${fact?.id}`, text: 'green tea' },
    memory_forget: { all: true },
    memory_fact_list: {},
    memory_fact_query: { predicate: 'likes' },
    memory_fact_add: { predicate: 'owns', object: 'a boat' },
    memory_fact_correct: { id: fact?.id, object: 'tea' },
    memory_fact_retract: { id: fact?.id },
    memory_instruction_list: {},
    memory_instruction_add: { text: 'Answer in one line.' },
    memory_instruction_withdraw: { id: instruction?.id },
    memory_block_list: {},
    memory_block_set: { name: 'plan', text: 'See the pier.' },
    memory_block_append: { name: 'plan', text: 'And the boat house.' },
    memory_document_list: {},
    memory_document_read: { name: 'Harbour' },
    memory_document_recollect: { query: 'opens' },
    memory_document_edit: { name: 'Harbour', revision: 1, edits: [{ tool: 'append', text: '- closes at 9' }] },
    memory_messages: { session },
    memory_timeline: {},
    memory_profile: {},
    memory_sessions_list: {},
    memory_sessions_get: { id: session },
    memory_gists_get: { session },
    memory_gists_list: {},
    memory_gists_recall: { query: 'oars' },
    memory_gists_distil: { session },
    memory_facts_around: { entity: 'user' },
    memory_facts_history: { of: fact?.id },
    memory_bank_render: {},
    memory_bank_search: { query: 'oars' },
    memory_bank_entries: {},
    memory_notes_get: { session },
    memory_notes_list: {},
    memory_notes_update: { session },
    memory_documents_revisions: { name: 'Harbour' },
    memory_blocks_revisions: { name: 'plan' },
    reading_next: {},
    reading_done: { id: 'none', answer: {} },
  }
}

async function filled(memory: Memory): Promise<UserMemory> {
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'The oars hang in the boat house. I live in Oslo.' })
  await ada.facts.add({ predicate: 'likes', object: 'tea', writer: 'agent' })
  await ada.instructions.add('Use metric units.', { writer: 'agent' })
  await ada.blocks.set('plan', 'Look at the boats.')
  await ada.documents.edit('Harbour', '- opens at 8')
  return ada
}

/** The operations of each kind that a client's key has called until now. */
async function called(memory: Memory, act: string): Promise<readonly string[]> {
  const entries = await memory.audit.list({ limit: 1_000 })
  return entries.filter((entry) => entry.act === act && entry.key !== undefined).map(({ operation }) => operation)
}

async function names(client: Client, hint: 'readOnlyHint' | 'destructiveHint'): Promise<readonly string[]> {
  const { tools } = await client.listTools()
  return tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
}

test.each([[[]], [['--tools']], [['--tools', '--readings']]])(
  'no tool makes a call that erases, and only one that a yes precedes: %j',
  async (flags) => {
    const { client, memory } = await connected('http', { era: 'auto' }, flags)
    const ada = await filled(memory)
    const { tools } = await client.listTools()
    const reading = await names(client, 'readOnlyHint')
    for (const { name } of tools.toSorted((one, other) => Number(reading.includes(other.name)) - Number(reading.includes(one.name)))) {
      const input = (await inputs(ada))[name]
      if (input === undefined) throw new TypeError(`${name} has no input here`)
      const written = await called(memory, 'write')
      const answer = await client.callTool({ name, arguments: { ...input } })
      if (!name.startsWith('reading_')) expect(answer.isError, `${name}: ${textOf(answer)}`).toBeUndefined()
      expect(await called(memory, 'forget'), name).toEqual([])
      if (reading.includes(name)) expect(await called(memory, 'write'), name).toEqual(written)
    }
    expect(await names(client, 'destructiveHint')).toEqual(['memory_forget'])
    expect((await memory.receipts.list()).length).toBe(0)
    const confirm = Reflect.get(
      Object((await client.callTool({ name: 'memory_forget', arguments: { all: true } })).structuredContent),
      'confirm',
    )
    await client.callTool({ name: 'memory_forget', arguments: { all: true, confirm } })
    expect(await called(memory, 'forget')).toEqual(['confirmForget'])
  },
)

test('a block of the user and one of the session go by the forget tool, each after a yes of its own', async () => {
  const asked: string[] = []
  const person = (message: string) => {
    asked.push(message)
    return { action: 'accept' as const, content: { erase: true } }
  }
  const { client, memory } = await connected('stdio', { era: 'auto', person }, ['--tools', '--session', 'now'])
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.blocks.set('plan', 'See the pier.')
  await ada.blocks.set('plan', 'Only for now.', { session: 'now' })
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('memory_block_delete')
  for (const left of [1, 0]) {
    const erased = await client.callTool({ name: 'memory_forget', arguments: { refs: ['block:plan'] } })
    expect(erased.structuredContent, textOf(erased)).toMatchObject({ done: true, counts: { block: 1 } })
    expect(await ada.blocks.list()).toHaveLength(0)
    expect(await ada.blocks.list({ session: 'now' })).toHaveLength(left)
  }
  expect(asked.map((message) => message.split('\n').at(-1))).toEqual(['- See the pier.', '- Only for now.'])
})

test('the question says how much more goes than its lines show, as the receipt has it then', async () => {
  const asked: string[] = []
  const person = (message: string) => {
    asked.push(message)
    return { action: 'accept' as const, content: { erase: true } }
  }
  const { client, memory } = await connected('stdio', { era: 'auto', person })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append(
    'talk',
    Array.from({ length: 1_207 }, (_, at) => ({ role: 'user' as const, content: at === 0 ? 'I live in Oslo.' : `Line ${at}.` })),
  )
  await ada.distil('talk')
  await ada.documents.edit('Harbour', Array.from({ length: 9 }, (_, at) => `- line ${at}`).join('\n'))
  const forget = (refs: readonly string[]) => client.callTool({ name: 'memory_forget', arguments: { refs } })
  const { counts } = Object((await forget(['session:talk'])).structuredContent)
  const { message, ...others } = counts
  expect([message, others.fact, others.session]).toEqual([1_207, 1, 1])
  const rest = Object.entries(others).map(([kind, count]) => `${String(count)} ${kind}${count === 1 ? '' : 's'}`)
  const kinds = (text: string | undefined, pattern: RegExp) =>
    pattern
      .exec(text ?? '')?.[1]
      ?.split(', ')
      .toSorted()
  const [question, ...lines] = (asked[0] ?? '').split('\n')
  const whole = kinds(question, /^Erase (.*) from memory for good\? It cannot be undone\.$/)
  expect(whole).toEqual(['1,207 messages', ...rest].toSorted())
  expect(lines).toHaveLength(6)
  expect(kinds(lines.at(-1), /^and (.*) more$/)).toEqual(['1,202 messages', ...rest].toSorted())
  await forget(['document:Harbour'])
  expect(asked[1]?.split('\n').at(-1)).toBe('and 4 lines more')
})
