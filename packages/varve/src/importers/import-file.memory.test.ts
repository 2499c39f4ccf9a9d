import { closeSync, openSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { user } from '../../../../test/fixtures/importers/transcript.ts'
import { ExportReader } from './export-reader.ts'
import { importFile } from './import-file.ts'

const file = temporaryFiles()
const fileBytes = 50 * 1024 * 1024
const lookBytes = 1024 * 1024
// The most growth with garbage that is not collected yet, and without. An import that kept the text would hold 50 MB or more.
const maxGrowthBytes = 150 * 1024 * 1024
const maxKeptBytes = 30 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const sentence = 'The lock keeper wrote down every barge, its cargo and the weather of that day. '

function write(name: string, between: string, ends: readonly [string, string], piece: (index: number) => string): string {
  const path = file(name, ends[0])
  const open = openSync(path, 'a')
  for (let index = 0, bytes = 0; bytes < fileBytes; index += 1) bytes += writeSync(open, `${index === 0 ? '' : between}${piece(index)}`)
  writeSync(open, ends[1])
  closeSync(open)
  return path
}

function heapBytes(): number {
  return process.memoryUsage().heapUsed
}

/** Looks at the heap after every MiB of work, and after every tenth without its garbage. */
async function expectBounded(work: (look: () => void) => Promise<void>): Promise<void> {
  collectGarbage()
  const before = heapBytes()
  let [grown, kept, looks] = [0, 0, 0]
  await work(() => {
    grown = Math.max(grown, heapBytes() - before)
    looks += 1
    if (looks % 10 !== 0) return
    collectGarbage()
    kept = Math.max(kept, heapBytes() - before)
  })
  expect(looks).toBeGreaterThan(40)
  expect(grown).toBeLessThan(maxGrowthBytes)
  expect(kept).toBeLessThan(maxKeptBytes)
}

/** Checks the reading thread, and then the host that passes pages on: each has a heap of its own. */
async function expectBothBounded(path: string, atLeastMessages: number): Promise<void> {
  await expectBounded(async (look) => {
    const reader = new ExportReader(path, undefined)
    let looked = 0
    for (let page = await reader.next(); !page.done; page = await reader.next()) {
      if (page.bytes - looked < lookBytes) continue
      looked = page.bytes
      look()
    }
  })
  const handle = new RecordingHandle({ keep: false })
  await expectBounded(async (look) => {
    const report = await importFile(handle, path, { now: handle.now, onProgress: look })
    expect(report.bytes).toBeGreaterThan(fileBytes)
    expect(report.messages).toBeGreaterThan(atLeastMessages)
    expect(report.stored).toBe(report.messages)
  })
}

describe('a file of 50 MB', () => {
  it('of JSONL is read in bounded memory', async () => {
    const path = write('big.jsonl', '\n', ['', '\n'], (index) =>
      JSON.stringify({ session: `s${index % 50}`, role: 'user', at: index, content: `${index}: ${sentence.repeat(12)}` }),
    )
    await expectBothBounded(path, 40_000)
  })

  it('of ChatGPT conversations is read in bounded memory', async () => {
    const path = write('big.json', ',', ['[', ']'], (index) =>
      JSON.stringify(
        chatgptConversation(
          `conversation-number-${index}`,
          Array.from({ length: 40 }, (_none, turn) => `${turn}: "${sentence.repeat(12)}"\n`),
        ),
      ),
    )
    await expectBothBounded(path, 30_000)
  })

  it('of one object with a list of mem0’s memories is read in bounded memory', async () => {
    const path = write('big-mem0.json', ',', ['{"results":[', '],"relations":[]}'], (index) =>
      JSON.stringify({ id: `memory-${index}`, memory: `${index}: ${sentence.repeat(12)}`, hash: 'x', created_at: '2025-01-01T00:00:00Z' }),
    )
    await expectBothBounded(path, 40_000)
  })

  it('of stored messages of LangChain, one a line, is read in bounded memory', async () => {
    const path = write('big-langchain.jsonl', '\n', ['', '\n'], (index) =>
      JSON.stringify({ type: 'human', data: { content: `${index}: ${sentence.repeat(12)}`, id: `h-${index}` } }),
    )
    await expectBothBounded(path, 40_000)
  })

  it('of a Claude Code transcript, every hundredth line a picture of a MiB, is read in bounded memory', async () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(lookBytes) } }
    const path = write('big-transcript.jsonl', '\n', ['', '\n'], (index) => {
      const said = { type: 'text', text: `${index}: ${sentence.repeat(12)}` }
      return JSON.stringify(user(index + 1, index % 100 === 99 ? [said, picture] : [said]))
    })
    await expectBothBounded(path, 2_000)
  })
})
