import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, fixture, temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { mem0History } from '../../../../test/fixtures/importers/mem0-history.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { sampleTranscript } from '../../../../test/fixtures/importers/transcript.ts'
import { Cancelled } from '../errors/cancelled.ts'
import { ImportFailed } from '../errors/import-failed.ts'
import { InvalidOption } from '../errors/invalid-option.ts'
import { StoreFailed } from '../errors/store-failed.ts'
import { importFile } from './import-file.ts'
import { type ImportFormat, importFormats } from './formats/all.ts'
import type { ImportProgress } from './importer.ts'

const file = temporaryFiles()

const historyFile = file('history.db', '')
mem0History(historyFile, { said: [['user_id=ada', 'I moved to Stralsund.']] }).close()

const fixtures: Readonly<Record<ImportFormat, string>> = {
  chatgpt: fixture('chatgpt.json'),
  claude: fixture('claude.json'),
  'claude-code': sampleTranscript,
  jsonl: fixture('messages.jsonl'),
  langchain: fixture('langchain.json'),
  locomo: fixture('locomo.json'),
  mem0: fixture('mem0.json'),
  'mem0-history': historyFile,
  'openai-agents': fixture('openai-agents.json'),
  'server-memory': fixture('server-memory.jsonl'),
}

/** Some formats name their owner: ada. */
const adas = (): RecordingHandle => new RecordingHandle({ scope: { project: 'default', user: 'ada' } })

function lines(count: number, session = (index: number) => `s${index % 3}`): string {
  return Array.from({ length: count }, (_none, index) =>
    JSON.stringify({ session: session(index), role: 'user', content: `line ${index}`, at: 1_700_000_000_000 + index }),
  ).join('\n')
}

describe.each(importFormats)('%s', (format) => {
  it('is told by its content, and imported twice it stores nothing twice', async () => {
    const handle = adas()
    const first = await importFile(handle, fixtures[format], { now: handle.now })
    const before = structuredClone(handle.everything)
    const second = await importFile(handle, fixtures[format], { now: handle.now })
    expect(first.format).toBe(format)
    expect(first.stored).toBeGreaterThan(0)
    expect(first.stored).toBe(first.messages)
    expect(second).toMatchObject({
      stored: 0,
      duplicates: first.messages,
      sessions: first.sessions,
      skipped: first.skipped,
      repaired: first.repaired,
    })
    expect(handle.everything).toEqual(before)
  })

  it('counts the same in a dry run, and stores nothing', async () => {
    const handle = adas()
    const dry = await importFile(handle, fixtures[format], { now: handle.now, dryRun: true })
    expect(handle.count).toBe(0)
    expect(handle.names.size).toBe(0)
    const wet = await importFile(handle, fixtures[format], { now: handle.now })
    expect({ ...dry, ms: 0 }).toEqual({ ...wet, ms: 0 })
  })

  it('is read whatever its name is', async () => {
    const handle = adas()
    const report = await importFile(handle, file('notes.txt', readFileSync(fixtures[format])), { now: handle.now })
    expect(report.format).toBe(format)
  })
})

describe('the name of a session', () => {
  it('is the file’s, changes with the file, and is left alone where the session had one', async () => {
    const handle = new RecordingHandle()
    const line = (session: string, place: number, sessionName?: string) => ({
      session,
      role: 'user',
      content: `line ${place}`,
      ...(sessionName === undefined ? {} : { sessionName }),
    })
    const said = [line('a', 0, 'Plans'), line('a', 1, 'Plans'), line('b', 2), line('b', 3, 'Locks')]
    const path = file('names.jsonl', said.map((one) => JSON.stringify(one)).join('\n'))
    await importFile(handle, path, { now: handle.now })
    expect(Object.fromEntries(handle.names)).toEqual({ a: 'Plans', b: 'Locks' })
    handle.names.set('a', 'Plans for the kiosk')
    await importFile(handle, path, { now: handle.now })
    expect(Object.fromEntries(handle.names)).toEqual({ a: 'Plans for the kiosk', b: 'Locks' })
  })
})

describe('a run that is cut off', () => {
  it('is finished by the next one, which stores exactly the rest', async () => {
    const path = file('cut.jsonl', lines(3_000))
    const whole = new RecordingHandle()
    await importFile(whole, path, { now: whole.now })
    const handle = new RecordingHandle()
    handle.failAt = 1_200
    await expect(importFile(handle, path, { now: handle.now })).rejects.toThrow(StoreFailed)
    const kept = handle.count
    expect(kept).toBeGreaterThan(0)
    handle.failAt = Infinity
    expect(await importFile(handle, path, { now: handle.now })).toMatchObject({ messages: 3_000, stored: 3_000 - kept, duplicates: kept })
    expect(handle.everything).toEqual(whole.everything)
  })

  it('by its signal says so, and nothing is on its way afterwards', async () => {
    const handle = new RecordingHandle()
    const controller = new AbortController()
    const path = file('abort.jsonl', lines(60_000))
    const running = importFile(handle, path, {
      now: handle.now,
      signal: controller.signal,
      onProgress: ({ stored }) => stored > 0 && controller.abort(),
    })
    await expect(running).rejects.toThrow(Cancelled)
    expect(handle.appending).toBe(0)
    expect(handle.count).toBeGreaterThan(0)
    expect(handle.count).toBeLessThan(60_000)
  })

  it('before it began reads nothing', async () => {
    const handle = new RecordingHandle()
    await expect(importFile(handle, '/nowhere', { now: handle.now, signal: AbortSignal.abort() })).rejects.toThrow(Cancelled)
  })
})

describe('a file that breaks off', () => {
  // The larger one is read in a thread.
  it.each([40, 800])('keeps the conversations before the break and says how many messages, of %i', async (count) => {
    const conversations = Array.from({ length: count }, (_none, index) => chatgptConversation(`c${index}`, ['one', 'two', 'three']))
    const json = JSON.stringify(conversations)
    const handle = new RecordingHandle()
    const broken = importFile(handle, file('broken.json', json.slice(0, json.length / 2)), { now: handle.now })
    await expect(broken).rejects.toThrow(
      /breaks off before its end.*\d+ message\(s\) before the break were stored and 0 were there already/su,
    )
    const kept = handle.count
    expect(kept).toBeGreaterThan(count)
    expect(kept % 3).toBe(0)
    expect(await importFile(handle, file('whole.json', json), { now: handle.now })).toMatchObject({
      stored: count * 3 - kept,
      duplicates: kept,
    })
  })

  it('within its first conversation has nothing to keep', async () => {
    const handle = new RecordingHandle()
    const json = JSON.stringify([chatgptConversation('c', ['one'])])
    await expect(importFile(handle, file('short.json', json.slice(0, -20)), { now: handle.now })).rejects.toThrow(
      /cut off\. Download or copy it again\.$/u,
    )
  })
})

describe('errors say what to do', () => {
  it.each([
    ['a missing file', () => '/no/such/file.json', /no such file: check the path/u],
    ['a folder', () => import.meta.dirname, /a folder without transcripts of Claude Code: give the file in it/u],
    ['an empty file', () => file('empty', ''), /it is empty/u],
    ['white space', () => file('blank', ' \n\n'), /it is empty/u],
    ['an empty list', () => file('list.json', '[ ]\n'), /it is an empty list/u],
    ['gzip', () => file('x.gz', Uint8Array.of(0x1f, 0x8b, 8, 0)), /gunzip/u],
    ['UTF-16', () => file('x.json', Uint8Array.of(0xff, 0xfe, 0x5b, 0)), /UTF-8/u],
    [
      'another format',
      () => file('x.csv', 'a,b\n1,2\n'),
      /its format is not known.*ChatGPT.*Claude.*LoCoMo.*chatgpt, claude, claude-code, jsonl, langchain, locomo, mem0/su,
    ],
  ])('%s', async (_name, path, message) => {
    const handle = new RecordingHandle()
    const failing = importFile(handle, path(), { now: handle.now })
    await expect(failing).rejects.toThrow(ImportFailed)
    await expect(failing).rejects.toThrow(message)
  })

  it('a format that does not exist', async () => {
    const handle = new RecordingHandle()
    await expect(importFile(handle, '/tmp', { now: handle.now, format: 'word' as ImportFormat })).rejects.toThrow(InvalidOption)
  })

  it('JSON that is not', async () => {
    const handle = new RecordingHandle()
    await expect(importFile(handle, file('bad.json', '[{"mapping": {} } oops'), { now: handle.now, format: 'chatgpt' })).rejects.toThrow(
      /not valid JSON/u,
    )
  })
})

describe('what the store is asked', () => {
  it('is at most 500 messages of one session at a time, several at once', async () => {
    const handle = new RecordingHandle()
    await importFile(handle, file('big.jsonl', lines(9_000)), { now: handle.now })
    expect(Math.max(...handle.batches)).toBe(500)
    expect(handle.mostAppending).toBeGreaterThan(1)
    expect(handle.mostAppending).toBeLessThanOrEqual(4)
    for (const session of ['s0', 's1', 's2']) {
      const times = handle.of(session).map(({ at }) => Number(at))
      expect(times).toHaveLength(3_000)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
  })

  it('does not include a message again that it refused, nor lose its neighbours', async () => {
    const handle = new RecordingHandle()
    handle.refuse = ({ content }) => content === 'line 3' || content === 'line 5'
    const report = await importFile(
      handle,
      file(
        'refused.jsonl',
        lines(9, () => 's'),
      ),
      { now: handle.now },
    )
    expect(report).toMatchObject({ messages: 7, stored: 7, skipped: { 'refused by the store': 2 } })
  })
})

describe('progress', () => {
  it('tells bytes read of the file, and rises to its end', async () => {
    const handle = new RecordingHandle()
    const told: ImportProgress[] = []
    const report = await importFile(handle, file('progress.jsonl', lines(60_000)), {
      now: handle.now,
      onProgress: (progress) => told.push(progress),
    })
    expect(told.length).toBeGreaterThan(2)
    expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
    expect(told.at(-1)).toEqual({ bytes: report.bytes, totalBytes: report.bytes, messages: 60_000, stored: 60_000, duplicates: 0 })
  })
})
