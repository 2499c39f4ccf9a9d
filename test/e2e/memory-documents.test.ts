import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Cancelled, InvalidOption, LimitExceeded, NotFound, StaleRevision } from '../../packages/varve/src/index.ts'
import { hashedEmbeddingModel, ManualClock, type ModelScript } from '../../packages/varve/src/testing/index.ts'
import { day, settled } from '../fixtures/distil/talk.ts'
import { about, documenting, documentModel, messagesOf } from '../fixtures/documents/model.ts'
import { newStore, openForTest, rejection } from '../fixtures/memory/open.ts'
import { sharedMemory } from '../fixtures/memory/shared.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const shared = sharedMemory({ embeddingModel: false, languageModel: false })
const names = (documents: readonly { readonly name: string }[]): string[] => documents.map(({ name }) => name)
const page = '# Hours\n- opens at 8\n- closes at 5\n\n# Fees\n- a berth is $1,000\n'

describe('a document', () => {
  test('is what was written, with its length, its cap, who wrote it and when', async () => {
    const clock = new ManualClock()
    const ada = (await openForTest({ clock, embeddingModel: false })).for('ada')
    const made = await ada.documents.edit('Harbour office', page)
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Harbour office',
      description: 'opens at 8',
      content: page,
      revision: 1,
      chars: page.length,
      maxChars: 16_000,
      writer: 'person',
      createdAt: clock.now(),
      updatedAt: clock.now(),
      lineage: [],
    })
    clock.advance(1_000)
    const changed = await ada.documents.edit('the harbour-office', 'Moved to Paris, France.', {
      description: 'Where it is.',
      maxChars: 300,
    })
    expect(changed).toEqual({
      ...made,
      description: 'Where it is.',
      content: 'Moved to Paris, France.',
      chars: 23,
      maxChars: 300,
      revision: 2,
      updatedAt: clock.now(),
    })
    expect(await ada.documents.read('HARBOUR  OFFICE')).toEqual(changed)
    expect(await ada.documents.read('harbour office', { revision: 1 })).toMatchObject({
      revision: 1,
      content: page,
      description: 'opens at 8',
    })
    expect(await ada.documents.edit('harbour office', 'Moved to Paris, France.', { description: 'Where it is.' })).toEqual(changed)
    expect(await ada.documents.read('harbour')).toBeUndefined()
    expect(await rejection(ada.documents.read('harbour office', { revision: 3 }))).toBeInstanceOf(NotFound)
  })

  test('is listed with the last changed first, as many as are wanted', async () => {
    const clock = new ManualClock()
    const ada = (await openForTest({ clock, embeddingModel: false })).for('ada')
    for (const name of ['one', 'two', 'three', 'one']) {
      await ada.documents.edit(name, [{ tool: 'append', text: '- more' }])
      clock.advance(1)
    }
    expect(names(await ada.documents.list())).toEqual(['one', 'three', 'two'])
    expect(names(await ada.documents.list({ limit: 2 }))).toEqual(['one', 'three'])
    expect((await ada.documents.list())[0]).not.toHaveProperty('content')
  })

  test('comes back byte for byte, whatever letters and breaks it has, after the store is opened anew', async () => {
    const store = newStore()
    const texts = [
      '  indented\r\n\ttab\u2028line ',
      '👩‍🚒 e\u0301 é 北京',
      '-- \'; DROP TABLE page; "',
      '</memory mark="x">',
      '```\n# no heading\n```\n',
      '',
    ]
    const first = await openForTest({ store, embeddingModel: false })
    for (const [place, text] of texts.entries()) await first.for('ada').documents.edit(`böck ${place} 🪵`, text)
    await first.close()
    const again = (await openForTest({ store, embeddingModel: false })).for('ada')
    for (const [place, text] of texts.entries()) expect((await again.documents.read(`böck ${place} 🪵`))?.content).toBe(text)
  })
})

describe('recollect', () => {
  // requirement: DOC-12
  test('finds by what is inside, tells the passage, the best first, and that nothing has to do with the question', async () => {
    const ada = shared.user()
    await ada.documents.edit('Harbour office', page)
    await ada.documents.edit('Barge', '# Paint\n- green since spring\n\n# Engine\n- a Sabb diesel with 10 horsepower\n')
    expect(await ada.documents.recollect('how much is a berth?')).toMatchObject([
      { name: 'Harbour office', passage: '- a berth is $1,000', revision: 1 },
    ])
    expect(await ada.documents.recollect('diesel')).toMatchObject([{ name: 'Barge', passage: '- a Sabb diesel with 10 horsepower' }])
    expect(await ada.documents.recollect('which symphony did she conduct in Vienna?')).toEqual([])
    expect(await ada.documents.recollect('a berth for a diesel', { minScore: 1 })).toEqual([])
    expect(await ada.documents.recollect('a berth for a diesel', { minScore: 0 })).toHaveLength(2)
    expect(await ada.documents.recollect('a berth for a diesel', { minScore: 0, limit: 1 })).toHaveLength(1)
  })

  test('finds by words what has no vector yet as well as where there are none, and by meaning what has', async () => {
    const embeddingModel = hashedEmbeddingModel({ synonyms: [['berth', 'mooring']] })
    const memory = await openForTest({ embeddingModel })
    const ada = memory.for('ada').documents
    await ada.edit('Harbour office', page)
    await ada.edit('Barge', '- painted green\n')
    const [before] = await ada.recollect('what does a berth cost?')
    expect(before).toMatchObject({ name: 'Harbour office' })
    expect(await ada.recollect('mooring')).toEqual([])
    await memory.upkeep.run()
    expect(await ada.recollect('mooring')).toMatchObject([{ name: 'Harbour office', passage: '- a berth is $1,000' }])
  })

  test('does not find what no longer stands', async () => {
    const ada = shared.user()
    await ada.documents.edit('Harbour office', page)
    await ada.documents.edit('Harbour office', [{ tool: 'replace_section', section: 'Fees', text: '- nothing to pay' }])
    expect(await ada.documents.recollect('berth')).toEqual([])
    expect(await ada.documents.recollect('pay')).toMatchObject([{ passage: '- nothing to pay' }])
  })
})

describe('an edit', () => {
  test('is of lines as they were read, all of them at once', async () => {
    const ada = shared.user()
    await ada.documents.edit('Harbour office', page)
    const edited = await ada.documents.edit(
      'Harbour office',
      [
        { tool: 'delete_lines', from: 3, to: 3 },
        { tool: 'replace_lines', from: 2, to: 2, text: '- opens at 7' },
        { tool: 'append', text: '- a buoy is $40', section: 'Fees' },
        { tool: 'replace_text', old: '# Hours', text: '# Opening hours' },
      ],
      { revision: 1 },
    )
    expect(edited).toMatchObject({
      revision: 2,
      content: '# Opening hours\n- opens at 7\n\n# Fees\n- a berth is $1,000\n- a buoy is $40\n',
    })
  })

  test.each([
    ['lines past the end', { tool: 'replace_lines', from: 7, to: 9, text: 'x' }, 'lines 1 to 6'],
    ['reversed lines', { tool: 'delete_lines', from: 3, to: 2 }, 'lines 1 to 6'],
    ['line 0', { tool: 'delete_lines', from: 0, to: 1 }, 'lines 1 to 6'],
    ['negative lines', { tool: 'delete_lines', from: -2, to: -1 }, 'lines 1 to 6'],
    ['no line', { tool: 'delete_lines', from: 1, to: null }, 'the number of a line'],
    ['half a line', { tool: 'delete_lines', from: 1.5, to: 2 }, 'lines 1 to 6'],
    ['an unknown section', { tool: 'replace_section', section: 'Staff', text: 'x' }, '"Hours"'],
    ['a text that is not there', { tool: 'replace_text', old: 'closes at 6', text: 'x' }, 'edits[1]'],
    ['an unknown tool', { tool: 'rewrite', text: 'x' }, 'replace_lines'],
    ['no text', { tool: 'append' }, 'text'],
    ['what overlaps another', { tool: 'delete_lines', from: 1, to: 2 }, 'overlaps'],
  ])('of %s is refused with what would be right, and nothing is changed', async (_, wrong, told) => {
    const ada = shared.user()
    const before = await ada.documents.edit('Harbour office', page)
    const edits = JSON.parse(JSON.stringify([{ tool: 'replace_lines', from: 2, to: 2, text: '- opens at 7' }, wrong]))
    const error = await rejection(ada.documents.edit('Harbour office', edits))
    expect(error).toBeInstanceOf(InvalidOption)
    expect(String(error)).toContain(told)
    expect(await ada.documents.read('Harbour office')).toEqual(before)
  })

  // requirement: DOC-9
  test('of a revision that no longer stands is refused, and tells which does', async () => {
    const ada = shared.user()
    await ada.documents.edit('Harbour office', page, { revision: 0 })
    await ada.documents.edit('Harbour office', [{ tool: 'append', text: '- late' }], { revision: 1 })
    expect(
      await rejection(ada.documents.edit('Harbour office', [{ tool: 'delete_lines', from: 1, to: 1 }], { revision: 1 })),
    ).toMatchObject({ code: 'STALE_REVISION', expected: 1, standing: 2 })
    expect(await rejection(ada.documents.edit('Harbour office', 'new', { revision: 0 }))).toBeInstanceOf(StaleRevision)
    expect(await rejection(ada.documents.edit('Barge', 'new', { revision: 1 }))).toBeInstanceOf(StaleRevision)
    expect(await ada.documents.read('Harbour office')).toMatchObject({ revision: 2, content: `${page}- late\n` })
  })

  test('of two that were made on one revision one wins, and the other is told', async () => {
    const ada = shared.user()
    await ada.documents.edit('Harbour office', page)
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((text) => ada.documents.edit('Harbour office', [{ tool: 'append', text }], { revision: 1 })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await ada.documents.read('Harbour office'))?.content.split('\n')).toHaveLength(page.split('\n').length + 1)
  })

  // requirement: DOC-13
  test('over the cap is refused with both figures; the cap can be raised, and not put under what stands', async () => {
    const ada = shared.user()
    await ada.documents.edit('Barge', 'x'.repeat(200), { maxChars: 200 })
    expect(await rejection(ada.documents.edit('Barge', [{ tool: 'append', text: 'y' }]))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      unit: 'characters',
      count: 202,
      most: 200,
    })
    expect(await ada.documents.edit('Barge', [{ tool: 'append', text: 'y' }], { maxChars: 300 })).toMatchObject({
      chars: 202,
      maxChars: 300,
    })
    expect(await rejection(ada.documents.edit('Barge', 'z'.repeat(201), { maxChars: 200 }))).toBeInstanceOf(LimitExceeded)
    expect(await rejection(ada.documents.edit('Kiosk', 'x'.repeat(16_001)))).toBeInstanceOf(LimitExceeded)
    expect(await ada.documents.read('Kiosk')).toBeUndefined()
  })

  test.each([
    ['name', '', {}],
    ['name', '  ', {}],
    ['name', '!?', {}],
    ['name', 'two\nlines', {}],
    ['name', ' padded ', {}],
    ['maxChars', 'Barge', { maxChars: 199 }],
    ['maxChars', 'Barge', { maxChars: 200_001 }],
    ['revision', 'Barge', { revision: -1 }],
    ['revision', 'Barge', { revision: 1.5 }],
    ['size', 'Barge', { size: 1 }],
  ])('with a wrong %s (%j) is refused', async (option, name, given) => {
    const error = await rejection(shared.user().documents.edit(name, 'x', JSON.parse(JSON.stringify(given))))
    expect(error).toBeInstanceOf(InvalidOption)
    expect(String(error)).toContain(option)
  })

  test('of nothing, and what is stopped, is refused', async () => {
    const ada = shared.user()
    expect(await rejection(ada.documents.edit('Barge', []))).toMatchObject({ code: 'OPTION_INVALID', option: 'change' })
    expect(await rejection(ada.documents.edit('Barge', 'x', { signal: AbortSignal.abort() }))).toBeInstanceOf(Cancelled)
    expect(await ada.documents.list()).toEqual([])
  })
})

describe('revisions', () => {
  // requirement: P4.6, DOC-17
  test('tell who wrote what when, the difference, and on what it rests; any can be said again', async () => {
    const clock = new ManualClock()
    const ada = (await openForTest({ clock, embeddingModel: false })).for('ada')
    await ada.append('monday', [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hello!' },
    ])
    await ada.documents.edit('Barge', '- green\n- slow\n')
    clock.advance(5)
    await ada.documents
      .tools({ session: 'monday', writer: 'scribe' })
      .memory_document_edit.execute({ name: 'barge', revision: 1, edits: [{ tool: 'replace_lines', from: 2, to: 2, text: '- fast' }] })
    const [second, first] = await ada.documents.revisions('Barge')
    expect(first).toEqual({
      revision: 1,
      writer: 'person',
      at: clock.now() - 5,
      description: 'green',
      content: '- green\n- slow\n',
      diff: expect.stringMatching(/\+- green\n\+- slow/),
      lineage: [],
    })
    expect(second).toMatchObject({
      revision: 2,
      writer: 'scribe',
      at: clock.now(),
      diff: expect.stringMatching(/^ - green\n-- slow\n\+- fast$/m),
      lineage: [{ session: 'monday', from: 1, to: 2 }],
    })
    expect(await ada.documents.restore('Barge', 1)).toMatchObject({ revision: 3, content: '- green\n- slow\n', writer: 'person' })
    expect(await ada.documents.revisions('Barge', { limit: 1 })).toHaveLength(1)
    expect(await rejection(ada.documents.restore('Barge', 9))).toBeInstanceOf(NotFound)
    expect(await rejection(ada.documents.revisions('Kiosk'))).toBeInstanceOf(NotFound)
  })
})

describe('a deleted document', () => {
  // requirement: DOC-18
  test('does not come back: not by upkeep, not by reading again, not when something else is forgotten', async () => {
    const said = [about('barge', 'Our barge is painted green.'), about('kiosk', 'Our kiosk opens at nine.')]
    const down: ModelScript = () => ({ status: 503, text: 'down' })
    const { memory, clock, play } = await documenting(down)
    const ada = memory.for('ada')
    await ada.append('talk', messagesOf(said))
    clock.advance(settled)
    for (let at = 0; at < 8; at += 1) {
      await memory.upkeep.run()
      clock.advance(day)
    }
    expect(names(await ada.documents.list()).toSorted()).toEqual(['barge', 'kiosk'])
    expect(await ada.documents.delete('Barge')).toMatchObject({ counts: { document: 1 } })
    play(documentModel(said))
    clock.advance(day)
    await memory.upkeep.run({ all: true })
    expect(names(await ada.documents.list())).toEqual(['kiosk'])
    await ada.append('other', { role: 'user', content: 'Nothing of that.' })
    await ada.forget({ session: 'other' })
    await ada.forget({ messages: [(await ada.messages('talk'))[1]?.id ?? ''] })
    await memory.upkeep.run({ all: true })
    await ada.documents.memorize('talk')
    expect(await ada.documents.list()).toEqual([])
    expect(await ada.documents.recollect('painted green', { minScore: 0 })).toEqual([])
    expect(await rejection(ada.documents.delete('Barge'))).toBeInstanceOf(NotFound)
  })

  test('is not made again of what waited for it', async () => {
    const said = [about('barge', 'Our barge is painted green.')]
    const more = about('barge', 'Our barge has 2 anchors.')
    const { memory, clock, play } = await documenting(documentModel([...said, more]))
    const ada = memory.for('ada')
    await ada.append('talk', messagesOf(said))
    await ada.documents.memorize('talk')
    play(documentModel([more], () => ({ status: 503, text: 'down' })))
    await ada.append('talk', messagesOf([more]))
    await ada.documents.memorize('talk')
    await ada.documents.delete('barge')
    play(documentModel([...said, more]))
    clock.advance(day)
    await memory.upkeep.run({ all: true })
    expect(await ada.documents.list()).toEqual([])
    expect((await memory.upkeep.status()).backlog.edits).toBe(0)
  })
})

describe('what a project shares', () => {
  test('is written by the project’s handle, read by its members, and not to be changed by their tools', async () => {
    const acme = shared.memory.project('acme').documents
    const [ada, bob] = [shared.memory.for({ project: 'acme', user: 'ada' }), shared.memory.for({ project: 'acme', user: 'bob' })]
    const rules = await acme.edit('Rules', '- hang the oars up\n')
    expect(rules).toMatchObject({ shared: true, lineage: [] })
    expect(await ada.documents.read('rules')).toEqual(rules)
    expect(await bob.documents.recollect('oars')).toMatchObject([{ name: 'Rules', shared: true, passage: '- hang the oars up' }])
    const { memory_document_edit: edit, memory_document_list: list, memory_document_read: read } = ada.documents.tools()
    expect(await list.execute({})).toEqual({ documents: [{ name: 'Rules', description: 'hang the oars up', revision: 1, readOnly: true }] })
    expect(await read.execute({ name: 'rules' })).toMatchObject({ readOnly: true, lines: '1: - hang the oars up\n2: ' })
    expect(await edit.execute({ name: 'Rules', revision: 1, edits: [{ tool: 'append', text: '- pwned' }] })).toEqual({
      error: expect.stringContaining('this document is the project’s, and read-only'),
    })
    await ada.documents.edit('rules', '- mine\n')
    expect((await ada.documents.list()).map(({ name, shared: isShared }) => [name, isShared])).toEqual([
      ['rules', undefined],
      ['Rules', true],
    ])
    expect((await ada.documents.read('rules'))?.content).toBe('- mine\n')
    await ada.documents.delete('rules')
    expect(await rejection(ada.documents.delete('rules'))).toBeInstanceOf(NotFound)
    expect(await rejection(bob.documents.restore('rules', 1))).toBeInstanceOf(NotFound)
    expect(await acme.read('Rules')).toEqual(rules)
    expect(await shared.memory.for({ project: 'other', user: 'ada' }).documents.read('rules')).toBeUndefined()
    expect(await rejection(acme.memorize('talk'))).toBeInstanceOf(InvalidOption)
  })
})

describe('an agent’s tool', () => {
  test.each([
    [
      'a list that was written as text',
      { revision: 1, edits: JSON.stringify([{ tool: 'append', text: '- fast' }]) },
      'edits must be a list',
    ],
    ['a whole content', { revision: 1, edits: '- fast' }, 'edits must be a list'],
    ['no revision', { edits: [{ tool: 'append', text: '- fast' }] }, 'revision must be a whole number'],
    ['a revision in words', { revision: 'latest', edits: [{ tool: 'append', text: '- fast' }] }, 'revision must be a whole number'],
  ])('that gives %s for its edits changes nothing and is told so', async (_, input, reason) => {
    const memory = await openForTest({ embeddingModel: false })
    const ada = memory.for('ada')
    const barge = await ada.documents.edit('Barge', '- green\n- slow\n')
    expect(await ada.documents.tools().memory_document_edit.execute({ name: 'Barge', ...input })).toEqual({
      error: expect.stringContaining(reason),
    })
    expect(await ada.documents.read('Barge')).toEqual(barge)
  })

  test('makes no document that hides one of the project, and the project’s own tools change what it shares', async () => {
    const memory = await openForTest({ embeddingModel: false })
    const [acme, ada] = [memory.project('acme').documents, memory.for({ project: 'acme', user: 'ada' }).documents]
    await acme.edit('Rules', '- hang the oars up\n')
    const more = (revision: number) => ({ name: 'the rules', revision, edits: [{ tool: 'append', text: '- mind the gap' }] })
    for (const revision of [0, 1])
      expect(await ada.tools().memory_document_edit.execute(more(revision))).toEqual({ error: expect.stringContaining('read-only') })
    expect(await ada.list()).toMatchObject([{ name: 'Rules', shared: true }])
    const { memory_document_edit: edit, memory_document_read: read } = acme.tools()
    expect(await read.execute({ name: 'Rules' })).toEqual({
      name: 'Rules',
      description: 'hang the oars up',
      revision: 1,
      lines: '1: - hang the oars up\n2: ',
    })
    expect(await edit.execute(more(1))).toMatchObject({ revision: 2 })
    expect((await ada.read('Rules'))?.content).toBe('- hang the oars up\n- mind the gap\n')
  })
})

test('documents of one user move no document, score or order of another’s, whatever both are called', async () => {
  const memory = await openForTest({ isolation: 'silent', embeddingModel: false })
  const word = fc.constantFrom('ferry', 'kiosk', 'pier', 'Fähre', '渡轮', 'nine')
  const content = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
  const name = fc.constantFrom('ferry', 'Ferry', '%', '*', "a' OR '1'='1", 'ferry_', 'the ferry')
  const owner = fc
    .constantFrom({ user: 'ada' }, { user: 'ADA' }, { user: 'ad%' }, { user: 'ada user' }, {})
    .chain((of) => fc.constantFrom('p', 'p ', 'P').map((project) => ({ ...of, project })))
  const write = fc.record({
    owner,
    name: name.filter((one) => /\p{L}/u.test(one)),
    content,
    after: fc.constantFrom('nothing', 'delete', 'forget'),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      owner,
      fc.array(
        fc.tuple(
          name.filter((one) => /\p{L}/u.test(one)),
          content,
        ),
        { minLength: 1, maxLength: 4 },
      ),
      fc.array(write, { maxLength: 8 }),
      async (mine, own, others) => {
        run += 1
        const of = (one: { user?: string; project: string }) => memory.for({ ...one, project: `${run} ${one.project}` }).documents
        for (const [called, said] of own) await of(mine).edit(called, said)
        const answers = async () => [
          await of(mine).list(),
          await of(mine).recollect('ferry pier', { minScore: 0 }),
          await of(mine).recollect('Fähre 渡轮', { minScore: 0 }),
          await of(mine).read('ferry'),
        ]
        const before = await answers()
        for (const other of others) {
          if (JSON.stringify(other.owner) === JSON.stringify(mine)) continue
          await of(other.owner).edit(other.name, other.content)
          if (other.after === 'delete') await of(other.owner).delete(other.name)
          if (other.after === 'forget') await memory.for({ ...other.owner, project: `${run} ${other.owner.project}` }).forget({ all: true })
        }
        expect(await answers()).toEqual(before)
      },
    ),
    { numRuns: runs(25) },
  )
})

// requirement: DOC-16
test('an agent of the AI SDK lists, reads, edits and recollects documents, and is told what went wrong', async () => {
  const ada = shared.user()
  await ada.documents.edit('Harbour office', page)
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const calling = (toolName: string, input: object) => ({
    content: [{ type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls' as const, raw: undefined },
    usage,
    warnings: [],
  })
  const model = new MockLanguageModelV4({
    doGenerate: [
      calling('memory_document_list', {}),
      calling('memory_document_read', { name: 'harbour office' }),
      calling('memory_document_edit', {
        name: 'Harbour office',
        revision: 1,
        edits: [{ tool: 'replace_lines', from: 9, to: 9, text: '- opens at 7' }],
      }),
      calling('memory_document_edit', {
        name: 'Harbour office',
        revision: 1,
        edits: [{ tool: 'replace_lines', from: 2, to: 2, text: '- opens at 7' }],
      }),
      calling('memory_document_recollect', { query: 'opens' }),
      { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
    ],
  })
  const { text, steps: taken } = await generateText({
    model,
    prompt: 'When does the office open?',
    tools: ada.documents.tools({ session: 'monday' }),
    stopWhen: isStepCount(8),
  })
  expect(text).toBe('Done.')
  const results = taken.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
  expect(results[0]).toEqual({ documents: [{ name: 'Harbour office', description: 'opens at 8', revision: 1 }] })
  expect(results[1]).toMatchObject({ revision: 1, lines: expect.stringContaining('2: - opens at 8\n3: - closes at 5') })
  expect(results[2]).toEqual({ error: expect.stringContaining('lines 1 to 6') })
  expect(results[3]).toMatchObject({ revision: 2 })
  expect(results[4]).toMatchObject({ passages: [{ name: 'Harbour office', passage: '- opens at 7\n- closes at 5' }] })
  expect(await ada.documents.read('harbour office')).toMatchObject({ revision: 2, writer: 'agent' })
})
