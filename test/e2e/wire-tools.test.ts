import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../packages/varve/src/client/index.ts'
import { withTools } from '../../packages/varve/src/client/tools.ts'
import type { Memory } from '../../packages/varve/src/index.ts'
import type { AgentTool } from '../../packages/varve/src/operations/tools/agent-tool.ts'
import { ManualClock } from '../../packages/varve/src/testing/manual-clock.ts'
import { openForTest } from '../fixtures/memory/open.ts'
import { served } from '../fixtures/wire/served.ts'

type Tools = Readonly<Record<string, AgentTool<unknown>>>

/** The tools of each handle, of a user's in a session and of a project's. */
interface Toolbox {
  readonly user: Tools
  readonly project: Tools
}

async function filled(): Promise<Memory> {
  const memory = await openForTest({ clock: new ManualClock(), layers: { documents: true }, languageModel: false })
  const ada = memory.for({ project: 'acme', user: 'ada' })
  await ada.append('talk', { role: 'user', content: 'I moved to Hven. Always name the pier.' })
  await ada.facts.add({ predicate: 'likes', object: 'tea' })
  await memory.project('acme').documents.edit('Rules', '- No shoes.')
  return memory
}

async function both(): Promise<readonly [Toolbox, Toolbox]> {
  const [embedded, far] = [await filled(), await filled()]
  const { url, close } = await served(far)
  const remote = connect({ url })
  onTestFinished(async () => {
    await remote.close()
    await close(1_000)
  })
  const given = { session: 'talk', writer: 'helper' }
  const [ada, acme] = [embedded.for({ project: 'acme', user: 'ada' }), embedded.project('acme')]
  const [farAda, farAcme] = [withTools(remote.for({ project: 'acme', user: 'ada' })), withTools(remote.project('acme'))]
  return [
    {
      user: {
        ...ada.tools(given),
        ...ada.blocks.tools(given),
        ...ada.facts.tools(given),
        ...ada.instructions.tools(given),
        ...ada.documents.tools(given),
      },
      project: { ...acme.blocks.tools(), ...acme.documents.tools() },
    },
    {
      user: {
        ...farAda.tools(given),
        ...farAda.blocks.tools(given),
        ...farAda.facts.tools(given),
        ...farAda.instructions.tools(given),
        ...farAda.documents.tools(given),
      },
      project: { ...farAcme.blocks.tools(), ...farAcme.documents.tools() },
    },
  ]
}

const calls: readonly (readonly [owner: keyof Toolbox, tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ['user', 'memory_block_set', { name: 'habits', text: 'tea' }],
  ['user', 'memory_block_append', { name: 'habits', text: 'at nine', scope: 'session' }],
  ['user', 'memory_block_set', { name: '', text: 'tea' }],
  ['user', 'memory_block_set', { name: 'habits' }],
  ['user', 'memory_block_list', {}],
  ['user', 'memory_fact_add', { subject: 'Bo', predicate: 'lives in', object: 'Hven', validFrom: '2025-01-01' }],
  ['user', 'memory_fact_add', { predicate: 'likes', object: 'coffee', validFrom: 'whenever' }],
  ['user', 'memory_fact_query', { predicate: 'likes' }],
  ['user', 'memory_fact_list', { limit: 5 }],
  ['user', 'memory_fact_list', { limit: '5' }],
  ['user', 'memory_fact_retract', { id: 'no such id' }],
  ['user', 'memory_fact_retract', { id: '..' }],
  ['user', 'memory_fact_correct', { id: 'no such id', object: 'x' }],
  ['user', 'memory_instruction_list', {}],
  ['user', 'memory_instruction_add', { text: 'Name the pier.' }],
  ['user', 'memory_instruction_withdraw', { id: 'no such id' }],
  ['user', 'memory_document_memorize', {}],
  ['user', 'memory_document_list', {}],
  ['user', 'memory_document_read', { name: 'Rules' }],
  ['user', 'memory_document_edit', { name: 'Rules', content: '- Shoes.' }],
  ['user', 'memory_document_recollect', { query: 'shoes' }],
  ['project', 'memory_document_edit', { name: 'Piers', content: '- North pier.' }],
  ['project', 'memory_document_list', {}],
  ['project', 'memory_block_set', { name: 'house', text: 'quiet' }],
  ['user', 'memory_block_delete', { name: 'habits' }],
  ['user', 'memory_recall', { query: 'Hven' }],
  ['user', 'memory_recall', { query: 7 }],
  ['user', 'memory_context', { query: 'Hven', maxTokens: 600 }],
  ['user', 'memory_remember', { note: 'The gate is blue.', topic: 'Gate' }],
  ['user', 'memory_remember', { predicate: 'likes', object: 'rum' }],
  ['user', 'memory_edit', { ref: 'document:Gate', old: 'blue', text: 'red' }],
  ['user', 'memory_edit', { ref: 'document:Rules', text: 'Shoes.' }],
  ['user', 'memory_forget', { refs: ['document:Gate'] }],
  ['user', 'memory_forget', { refs: ['session:talk'], confirm: 'forged' }],
  ['user', 'memory_forget', { refs: ['message:none'] }],
]

/** Two stores differ in their ids, in the marks of their fences, which have some tokens more or less, and in what confirms. */
const told = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replaceAll(/mark=\\"[0-9a-f]{16}/g, 'mark')
    .replaceAll(/"tokens":\d+/g, 'tokens')
    .replaceAll(/"confirm":"[\w-]{30}"/g, 'confirm')

test('the tools of a server’s memory are those of the library: the same names, schemas, answers and errors in words', async () => {
  const [own, far] = await both()
  for (const owner of ['user', 'project'] as const) {
    const shapes = [own, far].map((box) =>
      Object.entries(box[owner]).map(([name, tool]) => [
        name,
        tool.description,
        tool.inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
      ]),
    )
    expect(JSON.stringify(shapes[1])).toBe(JSON.stringify(shapes[0]))
  }
  for (const [owner, name, input] of calls) {
    const [here, there] = [await own[owner][name]?.execute(input), await far[owner][name]?.execute(input)]
    expect(told(there ?? null), `${name} ${JSON.stringify(input)}`).toBe(told(here ?? null))
  }
  const used = new Set(calls.map(([, name]) => name))
  expect(Object.keys(own.user).filter((name) => !used.has(name))).toEqual([])
})
