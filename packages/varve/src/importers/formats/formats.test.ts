import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, fixture, temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import { importFile } from '../import-file.ts'
import { formatTitles, importFormats } from './all.ts'
import { readLocomoTime } from './locomo.ts'

const file = temporaryFiles()

async function imported(path: string) {
  const handle = new RecordingHandle()
  const report = await importFile(handle, path, { now: handle.now })
  return { handle, report }
}

it.each(['README.md', 'docs/get-started.md', 'docs/reference/cli.md'])('%s names every format', (page) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../..', page), 'utf8')
  for (const title of formatTitles) expect(text).toContain(title)
  if (page.endsWith('cli.md')) expect(text).toContain(importFormats.join('|'))
})

describe('chatgpt', () => {
  it('keeps the branch that is shown, in order, with ids and times', async () => {
    const { handle, report } = await imported(fixture('chatgpt.json'))
    expect(handle.of('c0ffee00-0001').map(({ id, role, at, name }) => [id, role, at, name])).toEqual([
      ['u1', 'user', 1714557600250, undefined],
      ['a1', 'assistant', 1714557610500, undefined],
      ['c1', 'assistant', 1714557612000, undefined],
      ['x1', 'tool', 1714557613000, 'python'],
      ['u2', 'user', 1714557613000, undefined],
      ['a2', 'assistant', 1714557700000, undefined],
    ])
    expect(handle.names.get('c0ffee00-0001')).toBe('The humming hive')
    expect(report.skipped).toEqual({
      'other branch': 1,
      'hidden message': 1,
      'custom instructions': 1,
      reasoning: 1,
      'not a conversation': 1,
    })
    expect(report.repaired).toEqual({ 'image left out': 1, 'time missing': 1, 'audio left out': 1 })
  })

  it('takes the text out of parts, code and output', async () => {
    const { handle } = await imported(fixture('chatgpt.json'))
    expect(
      handle
        .of('c0ffee00-0001')
        .slice(2, 5)
        .map(({ content }) => content),
    ).toEqual(['print(9 - 2)', '7', 'Here is frame four. Seven cells, I count.'])
    expect(handle.of('c0ffee00-0002')[0]?.content).toBe('Remind me what I called the grey mare.')
    expect(handle.of('c0ffee00-0001')[1]?.metadata).toEqual({ model: 'gpt-4o' })
    expect(handle.of('c0ffee00-0001')[2]?.metadata).toEqual({ recipient: 'python' })
  })

  it('reads one conversation that is not in a list', async () => {
    const { handle } = await imported(file('one.json', JSON.stringify(chatgptConversation('solo', ['a', 'b']))))
    expect(handle.of('solo')).toHaveLength(2)
  })

  it('gives a conversation without an id always the same one', async () => {
    const { id: _id, ...nameless } = chatgptConversation('x', ['a']) as { id: string }
    const { handle, report } = await imported(file('nameless.json', JSON.stringify([nameless])))
    const again = await imported(file('nameless-2.json', JSON.stringify([nameless])))
    expect(Object.keys(handle.everything)).toEqual(Object.keys(again.handle.everything))
    expect(report.repaired['session id replaced']).toBe(1)
  })

  it('counts a message of a type it does not know, and one that cannot be one', async () => {
    const conversation = chatgptConversation('odd', ['a', 'b', 'c']) as { mapping: Record<string, { message: Record<string, unknown> }> }
    const first = conversation.mapping['odd-0']
    const second = conversation.mapping['odd-1']
    if (first === undefined || second === undefined) throw new Error('the fixture has three nodes')
    first.message['content'] = { content_type: 'hologram', shape: [] }
    second.message['author'] = null
    const { report } = await imported(file('odd.json', JSON.stringify([conversation])))
    expect(report).toMatchObject({ messages: 1, skipped: { 'unknown content type': 1, 'not a message': 1 } })
  })
})

describe('claude', () => {
  it('keeps the text of blocks, or the plain text, and what was attached', async () => {
    const { handle, report } = await imported(fixture('claude.json'))
    expect(handle.of('bee-1').map(({ id, role, content, origin }) => [id, role, content, origin])).toEqual([
      ['m1', 'user', 'What keeps for a month without a fridge?', undefined],
      ['m2', 'assistant', 'Let me look.\n\nHard cheese, rye bread, salted lemons.', undefined],
      ['m3', 'user', 'And from this list?', undefined],
      ['m3/attachment-1', 'user', 'oats; tinned plums; lamp oil', 'tool'],
      ['m5', 'assistant', 'Oats and plums; do not eat the lamp oil.', undefined],
    ])
    expect(handle.of('bee-1').map(({ at }) => at)).toEqual([1725260401123, 1725260409000, 1725260700000, 1725260700000, 1725260720000])
    expect(handle.names.get('bee-1')).toBe('Lighthouse recipes')
    expect(report.skipped).toEqual({ reasoning: 1, 'tool block': 2, 'empty content': 1 })
    expect(report.repaired).toEqual({ 'file left out': 1 })
  })

  it('does not make a session of a conversation without messages', async () => {
    const { handle } = await imported(fixture('claude.json'))
    expect(handle.names.has('bee-2')).toBe(false)
    expect(handle.stored.has('bee-2')).toBe(false)
  })
})

describe('jsonl', () => {
  it('keeps what is a message and counts what is not', async () => {
    const { handle, report } = await imported(fixture('messages.jsonl'))
    expect(handle.of('ferry').map(({ role, name, at, content }) => [role, name, at, content])).toEqual([
      ['user', 'Odile', 1738393200000, 'Which ferry takes dogs?'],
      ['assistant', undefined, 1738393205000, 'The one at 9:40, on the upper deck.'],
      ['user', undefined, 1738393260000, 'Thanks.'],
    ])
    expect(handle.of('messages')).toMatchObject([
      {
        content: 'A message without a session or a time.',
        at: handle.now(),
        thread: 'side',
        origin: 'person',
        metadata: { channel: 'post' },
      },
    ])
    expect(handle.names).toEqual(new Map([['ferry', 'Ferry to Arn']]))
    expect(report.skipped).toEqual({ 'not JSON': 1, 'not a message': 1, 'unknown role': 1, 'empty content': 1 })
    expect(report.repaired).toEqual({ 'part left out': 1, 'role renamed': 1, 'metadata left out': 1, 'time missing': 1 })
  })

  it('reads a list of the same objects, a byte order mark, and ends of lines of any kind', async () => {
    const list = [
      { session: 7, role: 'user', content: 'a', at: 1 },
      { session: 7, role: 'user', content: 'b', at: 2 },
    ]
    const asList = await imported(file('list.json', `\uFEFF${JSON.stringify(list, null, 2)}`))
    const asLines = await imported(file('lines.jsonl', `\uFEFF${list.map((one) => JSON.stringify(one)).join('\r\n')}\r\n\r\n`))
    expect(asList.handle.everything).toEqual(asLines.handle.everything)
    expect(asLines.report).toMatchObject({ format: 'jsonl', messages: 2, sessions: 1, skipped: {}, repaired: {} })
  })

  it('reads on after a line that is too long, and counts bytes that are not UTF-8', async () => {
    const long = `{"session":"s","role":"user","at":1,"content":"${'x'.repeat(9 * 1024 * 1024)}"}`
    const broken = Buffer.concat([
      Buffer.from('\n{"session":"s","role":"user","at":2,"content":"'),
      Buffer.of(0xc3, 0x28),
      Buffer.from('"}'),
    ])
    const { handle, report } = await imported(
      file(
        'long.jsonl',
        Buffer.concat([Buffer.from('{"session":"s","role":"user","at":0,"content":"first"}\n'), Buffer.from(long), broken]),
      ),
    )
    expect(handle.of('s').map(({ content }) => content)).toEqual(['first', '\uFFFD('])
    expect(report.skipped).toEqual({ 'line too long': 1 })
    expect(report.repaired).toEqual({ 'invalid UTF-8 replaced': 1 })
  })
})

describe('locomo', () => {
  it("makes a session of each session, with the turns' ids, speakers and times", async () => {
    const { handle, report } = await imported(fixture('locomo.json'))
    expect([...handle.stored.keys()]).toEqual(['conv-fiction/session_1', 'conv-fiction/session_2', 'conv-fiction/session_10'])
    expect(handle.of('conv-fiction/session_1')).toEqual([
      { role: 'user', name: 'Tobias', id: 'D1:1', at: Date.UTC(2021, 4, 8, 13, 56, 0), content: 'How is the workshop?' },
      {
        role: 'user',
        name: 'Runa',
        id: 'D1:2',
        at: Date.UTC(2021, 4, 8, 13, 56, 1),
        content: 'Dusty. I carved a heron from the old pear tree.',
        metadata: { caption: 'a wooden bird on a bench' },
      },
    ])
    expect(handle.names.get('conv-fiction/session_10')).toBe('Runa and Tobias, session 10')
    expect(report.repaired).toEqual({ 'image left out': 1 })
  })

  it.each([
    ['1:56 pm on 8 May, 2023', Date.UTC(2023, 4, 8, 13, 56)],
    ['12:05 am on 30 May, 2023', Date.UTC(2023, 4, 30, 0, 5)],
    ['12:00 PM on 1 December, 2023', Date.UTC(2023, 11, 1, 12, 0)],
    ['noon on 1 May, 2023', undefined],
    ['1:00 pm on 1 Brumaire, 2023', undefined],
  ])('reads %s', (said, expected) => expect(readLocomoTime(said)).toBe(expected))
})
