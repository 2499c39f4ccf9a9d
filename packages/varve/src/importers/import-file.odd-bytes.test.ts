import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { reportLines } from '../cli/render/import-report.ts'
import type { ImportFormat } from './formats/all.ts'
import { importFile } from './import-file.ts'
import { Utf8Count } from './utf8-count.ts'

const file = temporaryFiles()

async function imported(content: string | Uint8Array, format?: ImportFormat) {
  const handle = new RecordingHandle({ scope: { project: 'default', user: 'ada' } })
  return { handle, report: await importFile(handle, file('odd.json', content), { now: handle.now, format }) }
}

describe('bytes that are no UTF-8', () => {
  const said = { role: 'user', content: 'Grüße aus Århus' }
  it.each([
    ['lines', JSON.stringify(said), 3],
    ['a list', JSON.stringify([said, said]), 6],
    ['mem0', JSON.stringify({ results: [{ id: 'a', memory: said.content, hash: 'x', user_id: 'ada' }] }), 3],
    ['LangChain', JSON.stringify([{ type: 'human', data: { content: said.content } }]), 3],
  ])('of %s are replaced and counted', async (_name, text, count) => {
    const { handle, report } = await imported(Buffer.from(text, 'latin1'))
    expect(report.repaired).toMatchObject({ 'invalid UTF-8 replaced': count })
    expect(JSON.stringify(handle.everything)).toContain('Gr\ufffd\ufffde aus \ufffdrhus')
  })

  it('are told from a replacing character that stands in the file', async () => {
    expect((await imported(JSON.stringify({ role: 'user', content: 'a \ufffd' }))).report.repaired).toEqual({ 'time missing': 1 })
  })

  it('are counted the same, wherever the chunks of the file end', async () => {
    const bytes = Buffer.concat([
      Buffer.from('é\ufffd€'),
      Uint8Array.of(0xff, 0xe2, 0x82),
      Buffer.from('\ufffd😀'),
      Uint8Array.of(0xf0, 0x9f),
    ])
    for (let size = 1; size <= bytes.length; size += 1) {
      const count = new Utf8Count()
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_none, at) => bytes.subarray(at * size, (at + 1) * size))
      const passed: Uint8Array[] = []
      for await (const chunk of count.counted(Readable.from(chunks))) passed.push(chunk)
      expect([count.replaced, Buffer.concat(passed).equals(bytes)], `chunks of ${size}`).toEqual([3, true])
    }
  })
})

describe('a file whose format is told late', () => {
  const filler = (count: number): unknown[] => Array.from({ length: count }, () => ({ role: 'user', content: 'z'.repeat(1_000) }))

  it('by nothing in its first MiB: is refused, with the formats that can be named', async () => {
    const results = [{ id: 'a', memory: 'late', hash: 'x', user_id: 'ada' }]
    const late = JSON.stringify({ padding: 'x'.repeat(1024 * 1024), results })
    await expect(imported(late)).rejects.toThrow(/its first MiB does not tell its format: name it with format \(chatgpt, .*mem0/u)
    expect((await imported(late, 'mem0')).report.stored).toBe(1)
  })

  it('by a call of a tool behind much talk: is refused by name, and the import by that name adds only the rest', async () => {
    const call = { type: 'function_call', call_id: 'c', name: 'late', arguments: '{}' }
    const list = JSON.stringify([...filler(1_100), call, { type: 'function_call_output', call_id: 'c', output: 'o' }])
    const handle = new RecordingHandle()
    const path = file('late.json', list)
    const options = { now: handle.now }
    await expect(importFile(handle, path, options)).rejects.toThrow(
      /it begins as JSONL, and holds openai-agents further on: import it again with the format openai-agents/u,
    )
    expect(await importFile(handle, path, { ...options, format: 'openai-agents' })).toMatchObject({ stored: 2, duplicates: 1_100 })
    expect(await importFile(handle, path, { ...options, format: 'jsonl' })).toMatchObject({ stored: 0, skipped: { 'not a message': 2 } })
  })

  it('by nothing, since its JSON is broken: is refused with the place', async () => {
    await expect(imported('[{"type":"human","data":{"content":"x"}},\n{"type" "human"}]')).rejects.toThrow(/it is not valid JSON \(/u)
  })
})

describe('hostile lines', () => {
  it('are bounded, left out by their numbers, and take nothing else with them', async () => {
    const line = (content: string, more = ''): string => `{"role":"user","content":${JSON.stringify(content)}${more}}`
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const lines = [
      line('one'),
      '{"role":"user","content":"brok',
      '',
      line('two', `,"metadata":${deep}`),
      line('three', ',"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}'),
      '{"role":"king","content":"x"}',
      `{"role":"user","content":"\\ud800 \\u0000four"}`,
      'no JSON',
      '{"role":"user"}',
      line('five'),
    ]
    const { handle, report } = await imported(lines.join('\n'), 'jsonl')
    expect(handle.of('odd').map(({ content }) => content)).toEqual(['one', 'two', 'three', '\ufffd four', 'five'])
    expect(report.skipped).toEqual({ 'not JSON': 2, 'unknown role': 1, 'not a message': 1 })
    expect(report.lines).toEqual({ 'not JSON': [2, 8], 'unknown role': [6], 'not a message': [9] })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(reportLines(report, 'odd.json', false)).toContain(
      'Left out: 2 not JSON (lines 2, 8), 1 unknown role (line 6), 1 not a message (line 9).',
    )
  })

  it('in any number name their first ones', async () => {
    const { report } = await imported(`{"role":"user","content":"x"}\n${'{\n'.repeat(100_000)}`)
    expect([report.stored, report.skipped, report.lines]).toEqual([1, { 'not JSON': 100_000 }, { 'not JSON': [2, 3, 4, 5, 6] }])
    expect(reportLines(report, 'odd.json', false)).toContain('Left out: 100,000 not JSON (lines 2, 3, 4, 5, 6, …).')
  })
})
