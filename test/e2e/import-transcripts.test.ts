import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importFile, openMemory } from '../../packages/varve/src/index.ts'
import { typedIn } from '../fixtures/cli/typed.ts'
import { end } from '../fixtures/hooks/claude-code.ts'
import { opened } from '../fixtures/hooks/opened.ts'
import { assistant, call, type Line, result, transcript, user } from '../fixtures/importers/transcript.ts'
import { openForTest } from '../fixtures/memory/open.ts'

const of = (sessionId: string, lines: readonly Line[]): string => transcript(lines.map((line) => ({ ...line, sessionId })))
const side = (lines: readonly Line[], agentId: string): Line[] => lines.map((line) => ({ ...line, isSidechain: true, agentId }))
const moored = [user(1, 'I moor at lock 7.'), assistant(2, [{ type: 'text', text: 'Noted.' }])]

/** The files as Claude Code keeps them: two projects, a subagent beside its session and one within it, and other files. */
function projects(root: string): string {
  const folder = join(root, '.claude', 'projects')
  const files: Readonly<Record<string, string>> = {
    '-srv-boats/one.jsonl': of('one', [...moored, { type: 'custom-title', customTitle: 'Moorings' }]),
    '-srv-boats/two.jsonl': of('two', [user(11, 'Find Mira.'), assistant(12, [call('t', 'Task', {})]), user(13, [result('t', 'Found')])]),
    '-srv-boats/two/subagents/agent-a1.jsonl': of('two', side([user(21, 'Look for Mira.'), assistant(22, 'In people.txt')], 'a1')),
    '-srv-boats/two/subagents/agent-a1.meta.json': '{"agentType":"Explore","spawnDepth":1}',
    '-srv-boats/two/tool-results/out.txt': 'long output',
    '-srv-boats/agent-b2.jsonl': of('two', side([user(31, 'An older one asks.')], 'b2')),
    '-srv-boats/memory/MEMORY.md': '# Not a note of the person\n',
    '-srv-boats/empty.jsonl': '',
    '-srv-boats/events.jsonl': '{"level":"info","text":"started"}\n',
    '-srv-kiosk/three.jsonl': of('three', [user(41, 'The kiosk opens at nine.')]),
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const left = { attachment: 3, 'not a transcript': 2 }

test('varve import takes a folder of transcripts: a session each, subagents apart, and the second time nothing', async () => {
  const { varve, home, store } = typedIn('folder')
  const folder = projects(home)
  const dry = await varve(['import', folder, '--user', 'ada', '--dry-run'])
  expect(dry.stdout).toContain('9 messages in 3 sessions')
  expect(dry.stdout).toContain('9 to store, 0 there already.\nLeft out: 3 attachment, 2 not a transcript.')
  expect((await varve(['import', folder, '--user', 'ada'])).stdout).toContain('9 stored, 0 there already.')
  expect((await varve(['import', join(folder, '-srv-boats'), '--user', 'ada'])).stdout).toContain('0 stored, 8 there already.')
  await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, languageModel: false })
  const ada = memory.for('ada')
  const shown = (await ada.messages('two')).map(({ role, origin, thread, content }) => [role, origin, thread, content])
  expect(shown).toEqual([
    ['user', 'person', undefined, 'Find Mira.'],
    ['assistant', 'assistant', undefined, 'Task({})'],
    ['tool', 'tool', undefined, 'Task: Found'],
    ['user', 'assistant', 'agent-b2', 'An older one asks.'],
    ['user', 'assistant', 'agent-a1', 'Look for Mira.'],
    ['assistant', 'assistant', 'agent-a1', 'In people.txt'],
  ])
  expect((await ada.sessions.get('one')).name).toBe('Moorings')
  expect((await ada.documents.list()).length).toBe(0)
})

test('what hooks captured of the same transcripts counts as there already', async () => {
  const { home, hook, ada } = await opened('captured')
  const folder = projects(home)
  await hook({ ...end, session_id: 'one', transcript_path: join(folder, '-srv-boats/one.jsonl') })
  await hook({
    ...end,
    hook_event_name: 'SubagentStop',
    session_id: 'two',
    transcript_path: join(folder, '-srv-boats/two.jsonl'),
    agent_transcript_path: join(folder, '-srv-boats/two/subagents/agent-a1.jsonl'),
  })
  expect([(await ada.messages('one')).length, (await ada.messages('two')).length]).toEqual([2, 5])
  const dry = await importFile(ada, folder, { dryRun: true })
  expect(dry).toMatchObject({ messages: 9, stored: 2, duplicates: 7 })
  expect(await importFile(ada, folder)).toMatchObject({ stored: 2, duplicates: 7, skipped: left })
  expect(await importFile(ada, folder)).toMatchObject({ stored: 0, duplicates: 9 })
})

test('cut off between two files it is finished by the next run, as one run would have stored it', async () => {
  const { home } = typedIn('cut')
  const folder = projects(home)
  const many = of(
    'zeal',
    Array.from({ length: 4_000 }, (_none, place) =>
      user(1_000 + place, `Line ${place} of a long talk about the weather.`, { parentUuid: null }),
    ),
  )
  writeFileSync(join(folder, '-srv-kiosk', 'zeal.jsonl'), many)
  const memory = await openForTest({ embeddingModel: false })
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  await expect(importFile(memory.for('ada'), folder, { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'CANCELLED' })
  const rest = await importFile(memory.for('ada'), folder)
  expect(rest.stored).toBeGreaterThan(0)
  expect(rest.stored + rest.duplicates).toBe(4_009)
  await importFile(memory.for('ben'), folder)
  const all = async (name: string) => (await memory.for(name).messages('zeal', { limit: 10_000 })).map(({ externalId }) => externalId)
  expect(await all('ada')).toEqual(await all('ben'))
})

describe('a folder of notes', () => {
  test('that has transcripts too says so, with the command that imports them', async () => {
    const { varve, home } = typedIn('sample')
    const folder = join(home, 'sample')
    mkdirSync(folder)
    writeFileSync(join(folder, 'README.md'), '# About the session\n')
    writeFileSync(join(folder, 'transcript.jsonl'), of('one', moored))
    const { stdout, stderr } = await varve(['import', folder, '--user', 'ada'])
    expect(stdout).toContain('Left out: 1 attachment.')
    const command = /Import them: varve (import .* --format claude-code .*)/u.exec(stderr)?.[1]?.split(' ') ?? []
    expect((await varve(command)).stdout).toContain('2 stored, 0 there already.')
  })

  test.each([true, false])('that has another export names its file; notes beside it: %s', async (hasNotes) => {
    const { varve, home } = typedIn(`export-${hasNotes}`)
    const folder = join(home, 'export')
    mkdirSync(folder)
    if (hasNotes) writeFileSync(join(folder, 'note.md'), '# A note\n')
    writeFileSync(join(folder, 'package.json'), '{"name":"kiosk","private":true}')
    writeFileSync(join(folder, 'talk.jsonl'), '{"role":"user","content":"I moor at lock 7."}\n')
    const { stderr } = await varve(['import', folder, '--user', 'ada', '--dry-run'])
    expect(stderr).toContain(`${join(folder, 'talk.jsonl')} was left out: it holds conversations (jsonl), and no note.`)
    expect(stderr).toContain(`Import them: varve import ${join(folder, 'talk.jsonl')}`)
  })
})

describe('a folder', () => {
  test('is not left by links, and a file that cannot be read is counted', async () => {
    const { home } = typedIn('links')
    const folder = projects(home)
    const outside = join(home, 'outside.jsonl')
    writeFileSync(outside, of('secret', [user(51, 'The door code is 4711.')]))
    symlinkSync(outside, join(folder, '-srv-kiosk', 'out.jsonl'))
    writeFileSync(join(folder, '-srv-kiosk', '.hidden.jsonl'), of('secret', [user(52, 'The door code is 4711.')]))
    chmodSync(join(folder, '-srv-kiosk', 'three.jsonl'), 0)
    const memory = await openForTest()
    const report = await importFile(memory.for('ada'), folder)
    const locked = process.getuid?.() === 0 ? {} : { 'cannot be read': 1 }
    expect(report.skipped).toEqual({ ...left, ...locked, 'symbolic link': 1, 'hidden file': 1 })
    await expect(memory.for('ada').messages('secret')).resolves.toEqual([])
  })

  test('of notes stays one of notes, where a transcript lies in it', async () => {
    const { varve, home } = typedIn('vault')
    const vault = join(home, 'vault')
    mkdirSync(vault)
    writeFileSync(join(vault, 'Kiosk.md'), '# Kiosk\nOpens at nine.\n')
    writeFileSync(join(vault, 'one.jsonl'), of('one', moored))
    expect((await varve(['import', vault, '--user', 'ada'])).stdout).toContain('1 stored, 0 updated')
    expect((await varve(['import', vault, '--user', 'ada', '--format', 'claude-code'])).stdout).toContain('2 stored, 0 there already.')
    const other = await varve(['import', vault, '--user', 'ada', '--format', 'jsonl'])
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toContain('only transcripts of claude-code are read from one')
  })

  test('without transcripts is refused, with what to do', async () => {
    const { home } = typedIn('none')
    const memory = await openForTest()
    await expect(importFile(memory.for('ada'), home)).rejects.toThrow(/a folder without transcripts of Claude Code/u)
  })
})
