import { expect, test } from 'vitest'
import type { NotedMessage, NotesKind } from '../models/notes-writer.ts'
import { notesKinds } from '../models/notes-writer.ts'
import { extractiveNotesWriter } from './notes-writer.ts'
import { checkLinear } from '../testing/text-steps.ts'

const bounds = { sectionTokens: 2_000, maxTokens: 11_500, count: (text: string): number => Math.ceil(text.length / 4) }
const empty = notesKinds.map((kind) => ({ kind, entries: [] }))
const entriesOf = (messages: readonly NotedMessage[], kind: NotesKind): string[] =>
  extractiveNotesWriter
    .notes(empty, messages, bounds)
    .find((part) => part.kind === kind)
    ?.entries.map(({ text }) => text) ?? []
const person = (text: string): NotedMessage => ({ seq: 1, role: 'user', origin: 'person', at: 0, text })
const assistant = (text: string): NotedMessage => ({ seq: 1, role: 'assistant', origin: 'assistant', at: 0, text })
const parts = (...parts: readonly object[]): NotedMessage => ({ seq: 1, role: 'assistant', origin: 'assistant', at: 0, text: '', parts })

test.each([
  [
    'the AI SDK (ModelMessage)',
    [
      { type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: { command: 'make' } },
      { type: 'tool-result', toolCallId: 'a', toolName: 'bash', output: { type: 'text', value: 'fatal: no rule\nexit code 2' } },
    ],
  ],
  [
    'the AI SDK, an answer in JSON',
    [
      { type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: { command: 'make' } },
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'bash',
        output: { type: 'json', value: { stdout: '', stderr: 'fatal: no rule', exitCode: 2 } },
      },
    ],
  ],
  ['the AI SDK (UIMessage)', [{ type: 'tool-bash', toolCallId: 'a', input: { command: 'make' }, output: 'fatal: no rule' }]],
  [
    'the AI SDK, a failed call',
    [{ type: 'dynamic-tool', toolName: 'shell', toolCallId: 'a', input: { command: 'make' }, errorText: 'fatal: no rule' }],
  ],
  [
    'Anthropic',
    [
      { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'make' } },
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'fatal: no rule' }], is_error: true },
    ],
  ],
  [
    'OpenAI',
    [
      { type: 'function_call', call_id: 'a', name: 'exec', arguments: '{"cmd":["bash","-lc","make"]}' },
      { type: 'function_call_output', call_id: 'a', output: '{"stdout":"","stderr":"fatal: no rule","exit_code":2}' },
    ],
  ],
])('a command and its error are read in the shapes of %s', (_shape, given) => {
  expect(entriesOf([parts(...given)], 'errors')).toEqual(['- `make`: `fatal: no rule`'])
  expect(entriesOf([parts(...given)], 'commands')).toEqual(['- `make`: failed'])
})

test.each([
  ['Edit', { file_path: '/app/src/a.ts' }, ['- `/app/src/a.ts`: edited']],
  ['write_file', { path: 'src/a.ts' }, ['- `src/a.ts`: written']],
  ['str_replace_editor', { command: 'view', path: 'src/a.ts' }, ['- `src/a.ts`']],
  ['str_replace_editor', { command: 'create', path: 'src/a.ts' }, ['- `src/a.ts`: written']],
  [
    'apply_patch',
    { input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: src/b.ts\n' },
    ['- `src/a.ts`: edited', '- `src/b.ts`: edited'],
  ],
  ['grep', { path: 'src/' }, []],
])('%s %j leaves the files that it worked on', (name, input, files) => {
  expect(entriesOf([parts({ type: 'tool_use', id: 'a', name, input })], 'files')).toEqual(files)
})

test.each([
  ["Don't retry the import, the vendor blocks us.", 'errors'],
  ['We decided to keep the queue in Redis.', 'decisions'],
  ['scrap the websocket idea, too fiddly', 'decisions'],
  ['this belongs to OPS-4411', 'decisions'],
  ['我们决定使用PostgreSQL而不是MongoDB', 'decisions'],
  ['It fails on staging with "ENOENT: no such file".', 'errors'],
])('what a person says (%s) goes to %s', (text, kind) => {
  expect(entriesOf([person(text)], kind === 'errors' ? 'errors' : 'decisions')).toEqual([`- user: ${text}`])
})

test.each([
  ['I decided to keep it in memory.', 'decisions'],
  ['The root cause was a stale lock.', 'errors'],
  ['The service listens on port 8081.', 'system'],
  ['I opened GH-1204 for it.', 'results'],
] as const)('what an assistant says (%s) goes to %s', (text, kind) => {
  const ran = parts({ type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } })
  expect(entriesOf([assistant(text), ran], kind)).toEqual([`- assistant: ${text}`])
  expect(entriesOf([assistant(text)], kind)).toEqual([])
})

test('without tools a section has ten lines at most: the best, in the persons’ words', () => {
  const said = Array.from({ length: 30 }, (_, at) => person(`We decided to keep queue ${at} in Redis.`))
  const lines = entriesOf(said, 'decisions')
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toBe('- user: We decided to keep queue 29 in Redis.')
})

test('of persons among themselves only decisions and ids are kept: no questions, no small talk', () => {
  const talk = ['How was your weekend over there?', 'They must have loved the lake.', 'We decided to rent a boat in June.']
  const messages = talk.map((text, at) => ({ ...person(text), name: ['Ann', 'Bob'][at % 2] ?? '' }))
  expect(entriesOf(messages, 'decisions')).toEqual(['- user: We decided to rent a boat in June.'])
})

test('of persons among themselves a decision tells what or when, and the title is news, without the greeting before it', () => {
  const talk = [
    "It's been a while, how are you?",
    'Since we last spoke, I planted a pear tree in the yard.',
    "We'll carry on and never back down!",
  ]
  const messages = talk.map((text, at) => ({ ...person(text), name: ['Ann', 'Bob'][at % 2] ?? '' }))
  expect(entriesOf(messages, 'decisions')).toEqual([])
  expect(entriesOf(messages, 'title')).toEqual(['I planted a pear tree in the yard.'])
  const done = [...messages, { ...person('We bought a boat from the ferryman.'), name: 'Ann' }]
  expect(entriesOf(done, 'decisions')).toEqual(['- user: We bought a boat from the ferryman.'])
})

test('words to an assistant that point back are no entry by themselves', () => {
  expect(entriesOf([person('Okko comes by each noon. He likes the conversation.')], 'decisions')).toEqual([
    '- user: Okko comes by each noon.',
  ])
})

test('notes take a share of the tokens of the talk', () => {
  const said = Array.from({ length: 30 }, (_, at) => person(`We decided to keep queue ${at} in Redis.`))
  const bounds = { sectionTokens: 2_000, maxTokens: 12_000, count: (text: string) => Math.ceil(text.length / 4) }
  const written = (talkTokens: number): number =>
    extractiveNotesWriter
      .notes(
        [
          { kind: 'title', entries: [] },
          { kind: 'decisions', entries: [] },
        ],
        said,
        { ...bounds, talkTokens },
      )
      .flatMap(({ entries }) => entries)
      .reduce((sum, { text }) => sum + bounds.count(text), 0)
  expect(written(1_500)).toBeLessThanOrEqual(90)
  expect(written(2_500)).toBeGreaterThan(written(1_500))
})

test.each(['Let me look at src/a.ts.', 'Now I will check the tests.', 'Next I will merge it.', 'Sure!', 'Anything else?', 'I changed:'])(
  'what is only said on the way (%s) is no entry',
  (text) => {
    for (const kind of ['decisions', 'errors', 'results', 'system', 'learnings'] as const)
      expect(entriesOf([assistant(text)], kind)).toEqual([])
  },
)

test('errors in what is read are code, and no errors', () => {
  const read = parts(
    { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } },
    { type: 'tool_result', tool_use_id: 'a', content: "throw new TypeError('no')\nError: not here" },
  )
  expect(entriesOf([read], 'errors')).toEqual([])
})

test('the same error at another time and place is one entry', () => {
  const failing = (at: string): NotedMessage =>
    parts({ type: 'tool-bash', toolCallId: at, input: { command: 'make' }, output: `${at} Error: no disk (12,4) after 31 ms` })
  expect(entriesOf([failing('2026-04-01T10:00:00Z'), failing('2026-04-02T11:30:00Z')], 'errors')).toEqual([
    '- `make`: `2026-04-02T11:30:00Z Error: no disk (12,4) after 31 ms`',
  ])
})

test('an error that a person pasted is kept as code', () => {
  expect(entriesOf([person('I get this:\n```\nError: connect ECONNREFUSED 10.0.0.1:5432\n    at x (y.js:1:2)\n```')], 'errors')).toContain(
    '- `pasted`: `Error: connect ECONNREFUSED 10.0.0.1:5432`',
  )
})

test('of text parts only those lines are read that were left in the text: what Varve had put in is not', () => {
  const message = {
    ...person('We decided to use Hono.'),
    parts: [{ type: 'text', text: 'Remembered: we decided to use Koa.\nWe decided to use Hono.' }],
  }
  expect(entriesOf([message], 'decisions')).toEqual(['- user: We decided to use Hono.'])
})

const pieces = [
  ' ',
  '\n',
  'a',
  'A',
  '1',
  '-',
  'a-',
  'a/',
  'a.',
  './',
  '`',
  '` ',
  '#1 ',
  'f0',
  'A_',
  'A-1 ',
  'a_b ',
  'aB',
  'a@1.',
  '1.1.1-',
  'http://',
  '--a=',
  '--a ',
  '1% ',
  '1, ',
  '1,',
  '1.',
  'Error: ',
  'aError',
  'E',
  'a: ',
  '(1,1)',
  '[',
  '{"a":',
  '| ',
  '- ',
  '> ',
  '1. ',
  '. A',
  'not ',
  'use a ',
  'expected ',
  'over ',
  'exit code ',
  'next ',
  '*** Add File: ',
  '+++ b/',
  '\u001b[',
  '…',
  '\u202e',
  '"',
  "'",
  'at a (',
  'File "',
  '12:00:00',
  '2026-04-01T',
  'cd a && ',
  'a.ts:1: ',
  '/a.ts',
]

test.each([50, 100, 200, 450, 700, 999, 1_500, 4_000])('what was decided stands in the notes of a talk of %d tokens', (talkTokens) => {
  const talk = [person('Hello! I need help with the plan of the kiosk in Porto.'), person('We decided that the kiosk closes at nine.')]
  const page = extractiveNotesWriter.notes(empty, talk, { ...bounds, talkTokens })
  expect(JSON.stringify(page)).toContain('closes at nine')
})

test.each(pieces)('%j over and over is read in linear time', (piece) => {
  checkLinear((length) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
    const ran = { type: 'tool-bash', toolCallId: 'a', input: { command: text }, output: `Error: ${text}` }
    const edited = { type: 'tool-edit', toolCallId: 'b', input: { path: text, input: text } }
    const messages = [person(text), assistant(`I decided ${text}`), parts(ran, edited)]
    const page = extractiveNotesWriter.notes(empty, messages, bounds)
    extractiveNotesWriter.notes(page, messages, bounds)
  })
})
