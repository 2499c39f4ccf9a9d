import { describe, expect, it, test } from 'vitest'
import { temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import {
  type Line,
  assistant,
  call,
  chained,
  result,
  sampleTranscript,
  transcript,
  user,
  uuid,
} from '../../../../../test/fixtures/importers/transcript.ts'
import { importFile } from '../import-file.ts'

const file = temporaryFiles()
const now = Date.parse('2026-11-01T00:00:00Z')

async function imported(lines: readonly (Line | string)[], name = 'one.jsonl') {
  const handle = new RecordingHandle({ now })
  const report = await importFile(handle, file(name, transcript(lines)), { now: handle.now, format: 'claude-code' })
  return { handle, report }
}

test('each reason names its lines, also of messages that say nothing', async () => {
  const unknown = { type: 'invented', uuid: uuid(9) }
  const { report } = await imported(['{"type":', user(1, 'Hello.'), unknown, user(2, '   '), { type: 'queue-operation' }])
  expect(report.lines).toEqual({ 'not JSON': [1], 'unknown line': [3], 'empty content': [4], bookkeeping: [5] })
})

describe('what is said', () => {
  it('is kept with its id, time, model and place', async () => {
    const { handle, report } = await imported([
      user(1, 'Close orders at 11:15.', { cwd: '/srv/hatchbell', gitBranch: 'main' }),
      assistant(2, [{ type: 'text', text: 'Done.' }]),
    ])
    expect(handle.of('s')).toEqual([
      {
        id: uuid(1),
        role: 'user',
        at: Date.UTC(2026, 6, 8, 9, 0, 1),
        content: 'Close orders at 11:15.',
        metadata: { cwd: '/srv/hatchbell', gitBranch: 'main' },
      },
      { id: uuid(2), role: 'assistant', at: Date.UTC(2026, 6, 8, 9, 0, 2), content: 'Done.', metadata: { model: 'claude-x' } },
    ])
    expect(report).toMatchObject({ format: 'claude-code', sessions: 1, skipped: {}, repaired: {} })
  })

  it('is one message a line, though one answer comes as several lines', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'I look.' },
      call('t1', 'Read', { file_path: 'a.ts' }),
      call('t2', 'Read', { file_path: 'b.ts' }),
    ]
    const lines = blocks.map((block, index) =>
      chained(index + 1, { type: 'assistant', message: { id: 'msg_1', role: 'assistant', model: 'claude-x', content: [block] } }),
    )
    const { handle, report } = await imported(lines)
    expect(handle.of('s').map(({ content }) => content)).toEqual(['I look.', 'Read({"file_path":"a.ts"})', 'Read({"file_path":"b.ts"})'])
    expect(report.skipped).toEqual({ reasoning: 1 })
  })

  it('while the assistant is at work comes as an attachment', async () => {
    const queued = (place: number, more: Line) => chained(place, { type: 'attachment', attachment: { type: 'queued_command', ...more } })
    const { handle, report } = await imported([
      user(1, 'Go.'),
      queued(2, { commandMode: 'prompt', prompt: 'With a timeout of 800 ms.', origin: { kind: 'human' } }),
      queued(3, { prompt: [{ type: 'text', text: 'And a test.' }] }),
      queued(4, { commandMode: 'task-notification', prompt: '<task-notification>b1 is done</task-notification>' }),
      chained(5, { type: 'attachment', attachment: { type: 'todo_reminder', content: [] } }),
    ])
    expect(handle.of('s').map(({ role, origin, content }) => [role, origin, content])).toEqual([
      ['user', undefined, 'Go.'],
      ['user', undefined, 'With a timeout of 800 ms.'],
      ['user', undefined, 'And a test.'],
    ])
    expect(report.skipped).toEqual({ bookkeeping: 2 })
  })

  it('before a fork is the other session’s, and stored once', async () => {
    const talk = [user(1, 'How?'), assistant(2, [call('t1', 'Read', {})])]
    const copied = talk.map((line) => ({ ...line, sessionId: 'fork', forkedFrom: { sessionId: 's', messageUuid: line['uuid'] } }))
    const fork = [
      ...copied,
      user(3, 'Otherwise?', { sessionId: 'fork' }),
      { type: 'custom-title', customTitle: 'How (Fork)', sessionId: 'fork' },
    ]
    const { handle, report } = await imported(fork)
    expect(report).toMatchObject({ sessions: 2, repaired: { 'copied by a fork': 2 } })
    expect(await importFile(handle, file('origin.jsonl', transcript([...talk, user(3, 'So.')])), { now: handle.now })).toMatchObject({
      stored: 1,
      duplicates: 2,
    })
    expect(handle.of('s').map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(3)])
    expect(handle.of('fork').map(({ content }) => content)).toEqual(['Otherwise?'])
    expect(Object.fromEntries(handle.names)).toEqual({ fork: 'How (Fork)' })
  })

  it('on a branch that was left is kept, and the branch is counted', async () => {
    const { handle, report } = await imported([
      user(1, 'How?'),
      assistant(2, 'A mutex.'),
      user(3, 'Do it.'),
      assistant(4, 'Doing it.'),
      user(5, 'No: two processes.', { parentUuid: uuid(2) }),
    ])
    expect(handle.of('s').map(({ content }) => content)).toEqual(['How?', 'A mutex.', 'Do it.', 'Doing it.', 'No: two processes.'])
    expect(report.repaired).toEqual({ 'branch kept': 1 })
  })

  it('beside a picture is kept without it; a picture alone is still a message', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBOR' } }
    const { handle, report } = await imported([
      user(1, [{ type: 'text', text: 'It says −1: [Image #1]' }, image]),
      user(2, [image, image]),
      user(3, [{ type: 'document', source: {} }]),
    ])
    expect(handle.of('s').map(({ content }) => content)).toEqual(['It says −1: [Image #1]', '[image]'])
    expect(report).toMatchObject({ skipped: { 'empty content': 1 }, repaired: { 'image left out': 3 } })
  })

  it('in more than a MiB is split, and the split calls no tool twice', async () => {
    const { handle, report } = await imported([
      assistant(1, [call('t1', 'Read', {})]),
      user(2, [result('t1', 'a line of a long log\n'.repeat(60_000))]),
    ])
    const [, first, second] = handle.of('s')
    expect([first?.parts?.length, second?.id, second?.parts]).toEqual([1, `${uuid(2)}#2`, [{ type: 'text', text: second?.content }]])
    expect(report.repaired).toEqual({ 'content split': 1 })
  })
})

describe('a tool', () => {
  it('has its calls and results as parts of the AI SDK, with readable text', async () => {
    const { handle } = await imported([
      assistant(1, [{ type: 'text', text: 'I run it.' }, call('t1', 'Bash', { command: 'npm test' })]),
      user(
        2,
        [
          result(
            't1',
            [
              { type: 'text', text: '\u001B[31m1 failed\u001B[39m' },
              { type: 'text', text: '<system-reminder>\nBe kind.\n</system-reminder>' },
            ],
            { is_error: true },
          ),
        ],
        { toolUseResult: 'Error: 1 failed' },
      ),
    ])
    expect(handle.of('s').map(({ role, content, parts }) => ({ role, content, parts }))).toEqual([
      {
        role: 'assistant',
        content: 'I run it.\n\nBash({"command":"npm test"})',
        parts: [
          { type: 'text', text: 'I run it.' },
          { type: 'tool-call', toolCallId: 't1', toolName: 'Bash', input: { command: 'npm test' } },
        ],
      },
      {
        role: 'tool',
        content: 'Bash: 1 failed',
        parts: [{ type: 'tool-result', toolCallId: 't1', toolName: 'Bash', output: { type: 'error-text', value: '1 failed' } }],
      },
    ])
  })

  it.each([
    ['nothing', undefined, 'Read: (no output)'],
    ['blanks', ' \n', 'Read: (no output)'],
    ['a picture', [{ type: 'image', source: { data: 'iVBOR' } }], 'Read: [image]'],
    ['links', [{ type: 'web_search_result', title: 'Tides', url: 'https://tides.example' }], 'Read: Tides https://tides.example'],
    ['something unknown', [{ type: 'hologram' }, 7], 'Read: (no output)'],
  ])('that gives back %s says so', async (_name, content, expected) => {
    const { handle } = await imported([assistant(1, [call('t1', 'Read', {})]), user(2, [result('t1', content)])])
    expect(handle.of('s')[1]?.content).toBe(expected)
  })

  it('of the provider is called and answers in one message', async () => {
    const blocks = [
      { type: 'server_tool_use', id: 'w1', name: 'web_search', input: { query: 'tides' } },
      { type: 'web_search_tool_result', tool_use_id: 'w1', content: [{ type: 'web_search_result', title: 'Tides', url: 'u' }] },
    ]
    const { handle } = await imported([assistant(1, blocks)])
    expect(handle.of('s')).toMatchObject([{ role: 'assistant', content: 'web_search({"query":"tides"})\n\nweb_search: Tides u' }])
  })

  it('whose call is not in the file is still named', async () => {
    const { handle } = await imported([user(1, [result('gone', 'ok')])])
    expect(handle.of('s')).toMatchObject([{ role: 'tool', content: 'tool: ok' }])
  })

  it('that a person refuses leaves their words as their own, and nowhere else', async () => {
    const refusal =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNo date libraries: the " +
      'build failed.'
    const { handle } = await imported([assistant(1, [call('t1', 'Bash', {})]), user(2, [result('t1', refusal, { is_error: true })])])
    expect(
      handle
        .of('s')
        .slice(1)
        .map(({ id, role, origin, content }) => [id, role, origin, content]),
    ).toEqual([
      [uuid(2), 'tool', undefined, "Bash: The user doesn't want to proceed with this tool use."],
      [`${uuid(2)}/said`, 'user', undefined, 'No date libraries: the build failed.'],
    ])
  })

  it.each([
    [
      'a note of the program behind it',
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNo.\n\nNote: The " +
        "user's next message may contain a correction.",
      ['No.'],
    ],
    ['no words', "The user doesn't want to proceed with this tool use. STOP what you are doing.", []],
    [
      'the words of the program',
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nThe user wants to " +
        'clarify these questions.\n    This means they may have more to say.',
      [],
    ],
    [
      'a quotation of a refusal',
      "src/deny.ts:7: The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNo.",
      [],
    ],
  ])('that is refused with %s makes nobody say more than they did', async (_name, text, expected) => {
    const { handle } = await imported([user(1, [result('t1', text, { is_error: true })])])
    expect(
      handle
        .of('s')
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(expected)
  })

  it('beside whose result the program speaks makes nobody say it', async () => {
    const { handle } = await imported([user(1, [result('t1', 'ok'), { type: 'text', text: 'Tool loaded.' }])])
    expect(handle.of('s')).toMatchObject([{ role: 'tool', content: 'tool: ok\n\nTool loaded.' }])
  })

  it('with an input too deep or too large keeps its call', async () => {
    const deep = JSON.stringify(assistant(1, [call('t1', 'Write', 'DEEP')])).replace(
      '"DEEP"',
      `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    )
    const { handle, report } = await imported([
      deep,
      assistant(2, [call('t2', 'Write', { content: 'x'.repeat(5 * 1024 * 1024) })]),
      assistant(3, [call('t3', 'Write', { content: 'a\0b\uD800' })]),
    ])
    const parts = handle.of('s').flatMap(({ id, parts: all }) => (String(id).includes('#') ? [] : (all ?? [])))
    expect(parts).toEqual([
      { type: 'tool-call', toolCallId: 't1', toolName: 'Write', input: {} },
      { type: 'tool-call', toolCallId: 't2', toolName: 'Write' },
      { type: 'tool-call', toolCallId: 't3', toolName: 'Write', input: { content: 'ab\uFFFD' } },
    ])
    expect(report.repaired).toMatchObject({ 'parts shortened': 2, 'parts cleaned': 1 })
  })
})

describe('a subagent', () => {
  it('is a thread of the session of its parent, also in a file of its own', async () => {
    const side = { isSidechain: true, agentId: 'e41c09d', sessionId: 'parent-session' }
    const { handle } = await imported([user(1, 'Find all users of stock.', side), assistant(2, 'Six places.', side)], 'agent-e41c09d.jsonl')
    expect(handle.of('parent-session').map(({ role, origin, thread }) => [role, origin, thread])).toEqual([
      ['user', 'assistant', 'agent-e41c09d'],
      ['assistant', undefined, 'agent-e41c09d'],
    ])
  })

  it('without an id is one thread from where it began', async () => {
    const side = { isSidechain: true }
    const { handle } = await imported([
      user(1, 'Go.'),
      user(2, 'Look there.', { ...side, parentUuid: null }),
      assistant(3, 'Here.', { ...side, uuid: 'ffffffff-3' }),
      user(4, 'Look here.', { ...side, parentUuid: null, uuid: 'abcdefgh-1' }),
    ])
    expect(handle.of('s').map(({ thread }) => thread)).toEqual([
      undefined,
      'sidechain-00000000',
      'sidechain-00000000',
      'sidechain-abcdefgh',
    ])
  })
})

describe('a compaction', () => {
  const boundary = chained(3, {
    type: 'system',
    subtype: 'compact_boundary',
    parentUuid: null,
    logicalParentUuid: uuid(2),
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto', preTokens: 158_213 },
  })
  const preamble = 'This session is being continued from a previous conversation that ran out of context. We sold 41 of 40.'

  it.each([
    ['with its flag', 'Of the talk so far: we sold 41 of 40.', true],
    ['without its flag', preamble, false],
  ])('leaves a summary that nobody said, %s, and the session goes on', async (_name, text, flag) => {
    const { handle, report } = await imported([
      user(1, 'Go.'),
      assistant(2, 'Gone.'),
      boundary,
      user(4, text, flag ? { isCompactSummary: true } : {}),
      assistant(5, 'Going on.'),
    ])
    expect(handle.of('s').map(({ id, role, content }) => [id, role, content])).toEqual([
      [uuid(1), 'user', 'Go.'],
      [uuid(2), 'assistant', 'Gone.'],
      [uuid(4), 'system', text],
      [uuid(5), 'assistant', 'Going on.'],
    ])
    expect(report).toMatchObject({ skipped: { 'compaction boundary': 1 }, repaired: {} })
  })

  it('comes after what it follows, though it was written before', async () => {
    const { handle } = await imported([
      { ...boundary, timestamp: '2026-07-08T08:00:00Z' },
      user(4, preamble, { timestamp: '2026-07-08T08:00:01Z' }),
      user(1, 'Go.'),
      assistant(2, 'Gone.'),
    ])
    expect(handle.of('s').map(({ id }) => id)).toEqual([uuid(1), uuid(2), uuid(4)])
  })
})

describe('a title', () => {
  const talk = [user(1, 'a'), assistant(2, 'b')]
  const summary = (text: string, leafUuid: string) => ({ type: 'summary', summary: text, leafUuid })

  it.each([
    ['before its line', [summary('Forty bowls', uuid(2)), ...talk]],
    ['behind it', [...talk, summary('Forty bowls', uuid(2))]],
    ['beside one of another session', [summary('Elsewhere', uuid(9)), ...talk, summary('Forty bowls', uuid(2))]],
    ['under one that a model made', [...talk, { type: 'ai-title', aiTitle: 'Forty bowls', sessionId: 's' }, summary('Older', uuid(2))]],
    [
      'under one that a person chose',
      [
        { type: 'custom-title', customTitle: 'Forty bowls', sessionId: 's' },
        { type: 'ai-title', aiTitle: 'Made', sessionId: 's' },
        ...talk,
      ],
    ],
  ])('is that of the session, %s', async (_name, lines) => {
    const { handle } = await imported(lines)
    expect(Object.fromEntries(handle.names)).toEqual({ s: 'Forty bowls' })
  })

  it('of another session names none, and is counted', async () => {
    const { handle, report } = await imported([
      ...talk,
      summary('Elsewhere', uuid(9)),
      summary('Elsewhere again', uuid(9)),
      { type: 'summary', summary: 'Of nothing' },
    ])
    expect(handle.names.size).toBe(0)
    expect(report.skipped).toEqual({ 'title of another session': 2, bookkeeping: 1 })
  })
})

describe('lines that are no talk', () => {
  it('are counted by what they are', async () => {
    const { report } = await imported([
      user(1, 'Go.'),
      chained(2, { type: 'system', subtype: 'turn_duration', durationMs: 7 }),
      chained(3, { type: 'system', subtype: 'local_command', content: '<command-name>/clear</command-name>' }),
      { type: 'file-history-snapshot', snapshot: {} },
      { type: 'queue-operation', operation: 'enqueue', sessionId: 's' },
      { type: 'progress', data: {} },
      { type: 'weather-report' },
      { no: 'type' },
      '[]',
      '7',
      'null',
      '{"half":',
      '\u0000\u0001',
      '',
      chained(4, { type: 'user' }),
      chained(5, { type: 'assistant', message: { content: 7 } }),
      assistant(6, [{ type: 'text', text: 'API Error: 529' }], { isApiErrorMessage: true }),
      chained(7, { type: 'assistant', message: { model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] } }),
      assistant(8, '(no content)'),
      assistant(9, []),
      user(10, 'Read every changed file.', { isMeta: true }),
      user(11, 'b1 is done', { origin: { kind: 'task-notification' } }),
    ])
    expect(report.messages).toBe(1)
    expect(report.skipped).toEqual({
      'program notice': 3,
      'local command': 1,
      bookkeeping: 3,
      'unknown line': 5,
      'not JSON': 2,
      'not a message': 2,
      'empty content': 2,
      'hidden message': 2,
    })
  })

  it('leave a gap that is told, and a ring of parents that is cut', async () => {
    const { handle, report } = await imported([
      user(1, 'a', { parentUuid: uuid(2) }),
      user(2, 'b', { parentUuid: uuid(1) }),
      user(3, 'c', { parentUuid: uuid(3) }),
      user(4, 'd', { parentUuid: 'gone' }),
    ])
    expect(
      handle
        .of('s')
        .map(({ content }) => content)
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd'])
    expect(report.repaired).toEqual({ 'parent loop': 2, 'parent missing': 3 })
  })

  it('may lack everything but words: they get an id, a time and the file as their session', async () => {
    const { handle, report } = await imported(
      [
        { type: 'user', message: { content: 'a' } },
        { type: 'assistant', timestamp: 'soon', message: { content: 'b' } },
      ],
      'bare.jsonl',
    )
    expect(handle.of('bare')).toMatchObject([
      { content: 'a', at: now },
      { content: 'b', at: now },
    ])
    expect(report.repaired).toEqual({ 'time missing': 1, 'time unreadable': 1 })
  })
})

describe('a line of megabytes', () => {
  it('with a picture in base64 is read; one beyond the bound is counted, and what follows is read', async () => {
    const picture = (megabytes: number) => [
      { type: 'text', text: 'See.' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(megabytes * 1024 * 1024) } },
    ]
    const { handle, report } = await imported([user(1, picture(12)), user(2, picture(33)), user(3, 'Then?')])
    expect(handle.of('s').map(({ content }) => content)).toEqual(['See.', 'Then?'])
    expect(report).toMatchObject({ skipped: { 'line too long': 1 }, repaired: { 'image left out': 1, 'parent missing': 1 } })
  })
})

describe('the sample session', () => {
  it('gives each line a message, a title or a count', async () => {
    const handle = new RecordingHandle({ now })
    const report = await importFile(handle, sampleTranscript, { now: handle.now })
    const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0)
    const ofLines = handle.of('5d1f0c7e-3b92-4c58-9a41-7e60c2b81f34').filter(({ id }) => !String(id).endsWith('/said'))
    expect(ofLines.length + skipped + handle.names.size).toBe(329)
    expect([...handle.names.values()]).toEqual(['Sell exactly forty bowls: pier time, stock race, group commit'])
    expect(report.skipped).toEqual({
      bookkeeping: 6,
      'hidden message': 3,
      'local command': 2,
      reasoning: 10,
      'program notice': 4,
      'not JSON': 1,
      'compaction boundary': 1,
      'unknown line': 1,
      'title of another session': 1,
    })
    expect(report.repaired).toEqual({ 'branch kept': 1, 'image left out': 2, 'reminder left out': 1, 'parent missing': 1 })
  })

  it('keeps what a person said, and only that, as theirs', async () => {
    const handle = new RecordingHandle({ now })
    await importFile(handle, sampleTranscript, { now: handle.now })
    const [messages = []] = Object.values(handle.everything)
    const said = messages.filter(({ role, origin }) => role === 'user' && origin === undefined).map(({ content }) => String(content))
    expect(said).toHaveLength(20)
    expect(said.filter((text) => /<[a-z-]+>|continued from|interrupted|\/review|^ping/u.test(text))).toEqual([
      expect.stringContaining('<system-reminder> is not a thing I typed'),
    ])
    expect(said).toContainEqual(expect.stringMatching(/^No date libraries\. We had date-fns-tz in spring and it failed/u))
  })
})
