import { closeSync, openSync, writeSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { importFile } from './import-file.ts'

const file = temporaryFiles()
const fileBytes = 50 * 1024 * 1024
// With the garbage that is not collected yet, and without: an import that kept the text would hold 50 MB and more.
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

/** Imports the file, and looks at the heap after every MiB; after every fifth without its garbage. */
async function expectBounded(path: string, atLeastMessages: number): Promise<void> {
  const handle = new RecordingHandle({ keep: false })
  collectGarbage()
  const before = heapBytes()
  let [grown, kept, looks] = [0, 0, 0]
  const onProgress = () => {
    grown = Math.max(grown, heapBytes() - before)
    looks += 1
    if (looks % 5 !== 0) return
    collectGarbage()
    kept = Math.max(kept, heapBytes() - before)
  }
  const report = await importFile(handle, path, { now: handle.now, onProgress })
  expect(report.bytes).toBeGreaterThan(fileBytes)
  expect(report.messages).toBeGreaterThan(atLeastMessages)
  expect(report.stored).toBe(report.messages)
  expect(looks).toBeGreaterThan(40)
  expect(grown).toBeLessThan(maxGrowthBytes)
  expect(kept).toBeLessThan(maxKeptBytes)
}

describe('a file of 50 MB', { timeout: 60_000 }, () => {
  it('of JSONL is read in bounded memory', async () => {
    const path = write('big.jsonl', '\n', ['', '\n'], (index) => JSON.stringify({ session: `s${index % 50}`, role: 'user', at: index, content: `${index}: ${sentence.repeat(12)}` }))
    await expectBounded(path, 40_000)
  })

  it('of ChatGPT conversations is read in bounded memory', async () => {
    const path = write('big.json', ',', ['[', ']'], (index) => JSON.stringify(chatgptConversation(`conversation-number-${index}`, Array.from({ length: 40 }, (_none, turn) => `${turn}: "${sentence.repeat(12)}"\n`))))
    await expectBounded(path, 30_000)
  })
})
