import { readFileSync } from 'node:fs'
import { Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { chatgptConversation, fixture, temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import { importFile } from '../import-file.ts'
import { zipLimits } from './bomb.ts'
import { openZip } from './entries.ts'

const file = temporaryFiles()

function conversations(from: number, to: number): Uint8Array {
  const list = Array.from({ length: to - from }, (_none, index) =>
    chatgptConversation(`c${from + index}`, [`What of ${from + index}?`, noise(300)]),
  )
  return Buffer.from(JSON.stringify(list))
}

// Makes text that does not compress to nothing.
let seed = 1
function noise(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + ((seed = (seed * 48271) % 2147483647) % 26))).join('')
}

/** Makes a zip whose local headers lack the sizes, as streaming writers do. */
function streamedZip(
  files: Readonly<Record<string, Uint8Array>>,
  Entry: typeof ZipDeflate | typeof ZipPassThrough = ZipDeflate,
): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
  })
  for (const [name, content] of Object.entries(files)) {
    const entry = new Entry(name)
    zip.add(entry)
    entry.push(content, true)
  }
  zip.end()
  return Buffer.concat(chunks)
}

async function imported(path: string) {
  const handle = new RecordingHandle()
  const report = await importFile(handle, path, { now: handle.now })
  return { handle, report }
}

describe('an export as a zip', () => {
  it('is the same as the file in it', async () => {
    for (const name of ['chatgpt', 'claude']) {
      const json = readFileSync(fixture(`${name}.json`))
      const zipped = await imported(
        file(`${name}.bin`, zipSync({ 'user.json': Buffer.from('{}'), 'conversations.json': json, 'chat.html': Buffer.from('<p>') })),
      )
      const plain = await imported(fixture(`${name}.json`))
      expect(zipped.handle.everything).toEqual(plain.handle.everything)
      expect({ ...zipped.report, bytes: 0, ms: 0 }).toEqual({ ...plain.report, bytes: 0, ms: 0 })
      expect(zipped.report.bytes).toBeLessThan(json.length)
    }
  })

  it('may be split into several files and lie in a folder; an empty one among them is no error', async () => {
    const { handle, report } = await imported(
      file(
        'split.zip',
        zipSync({
          'export/conversations-002.json': Buffer.from('[]'),
          'export/conversations-001.json': conversations(3, 5),
          'export/conversations-000.json': conversations(0, 3),
          '__MACOSX/export/conversations.json': Buffer.from('resource fork'),
          'export/shared_conversations.json': Buffer.from('[]'),
        }),
      ),
    )
    expect([...handle.stored.keys()].toSorted()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    expect(report).toMatchObject({ format: 'chatgpt', messages: 10, skipped: {} })
  })

  it.each([
    ['packed', ZipDeflate],
    ['stored', ZipPassThrough],
  ] as const)('may lack the sizes in its local headers (%s)', async (_name, Entry) => {
    const { report } = await imported(
      file('streamed.zip', streamedZip({ 'a.png': Buffer.from(noise(1_000)), 'conversations.json': conversations(0, 30) }, Entry)),
    )
    expect(report.messages).toBe(60)
  })

  it('is read by its directory: another zip within it, as it is, misleads nobody', async () => {
    const inner = zipSync({ 'conversations.json': conversations(90, 99) }, { level: 0 })
    const { handle } = await imported(
      file('nested.zip', streamedZip({ 'upload.docx': inner, 'conversations.json': conversations(0, 2) }, ZipPassThrough)),
    )
    expect([...handle.stored.keys()]).toEqual(['c0', 'c1'])
  })
})

describe('a zip that cannot be read', () => {
  it('because it was cut off gives what is there, then says so', async () => {
    for (const whole of [
      zipSync({ 'conversations.json': conversations(0, 300) }),
      streamedZip({ 'a.png': Buffer.from(noise(500)), 'conversations.json': conversations(0, 300) }),
    ]) {
      const handle = new RecordingHandle()
      const cut = importFile(handle, file('cut.zip', whole.subarray(0, whole.length / 2)), { now: handle.now })
      await expect(cut).rejects.toThrow(/cut off.*\d+ message\(s\) before the break were stored/su)
      expect(handle.count).toBeGreaterThan(100)
      expect(handle.count % 2).toBe(0)
      const rest = await importFile(handle, file('whole.zip', whole), { now: handle.now })
      expect(rest.stored + rest.duplicates).toBe(600)
      expect(handle.count).toBe(600)
    }
  })

  it('because only its directory is gone is read to its end, then said to be cut off', async () => {
    const whole = zipSync({ 'conversations-000.json': conversations(0, 3), 'conversations-001.json': conversations(3, 5) })
    const handle = new RecordingHandle()
    await expect(importFile(handle, file('headless.zip', whole.subarray(0, -30)), { now: handle.now })).rejects.toThrow(
      /no directory at its end.*10 message\(s\)/su,
    )
  })

  it('because its directory is damaged is read as if it had none', async () => {
    const zip = zipSync({ 'conversations-000.json': conversations(0, 3), 'conversations-001.json': conversations(3, 5) })
    const second = Buffer.from(zip).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    zip.fill(0, second, second + 4)
    await expect(imported(file('damaged.zip', zip))).rejects.toThrow(/no directory at its end.*10 message\(s\)/su)
  })

  it.each([
    [
      'has no conversations in it',
      () => zipSync({ 'photo.png': Buffer.from('x') }),
      /without a conversations\.json \(it holds 1 other file\)/u,
    ],
    ['is empty', () => zipSync({}), /it holds nothing/u],
    [
      'is encrypted',
      () => withBytes(zipSync({ 'conversations.json': conversations(0, 1) }), (zip, at) => zip.writeUInt16LE(1, at + 8)),
      /encrypted: unzip it with its password/u,
    ],
    [
      'is packed in another way',
      () => withBytes(zipSync({ 'conversations.json': conversations(0, 1) }), (zip, at) => zip.writeUInt16LE(14, at + 10)),
      /method 14/u,
    ],
    [
      'has another checksum',
      () => withBytes(zipSync({ 'conversations.json': conversations(0, 1) }), (zip, at) => zip.writeUInt32LE(7, at + 16)),
      /conversations\.json in it is damaged/u,
    ],
    [
      'points nowhere',
      () => withBytes(zipSync({ 'conversations.json': conversations(0, 1) }), (zip, at) => zip.writeUInt32LE(0xfffffff0, at + 42)),
      /conversations\.json in it is damaged/u,
    ],
    [
      'holds bytes that are not deflate',
      () => withBytes(zipSync({ 'conversations.json': conversations(0, 9) }), (zip) => zip.fill(0xff, 60, 90)),
      /conversations\.json in it is damaged/u,
    ],
  ])('because it %s', async (_name, zip, message) => {
    await expect(imported(file('wrong.zip', zip()))).rejects.toThrow(message)
  })
})

/** Returns the zip with a change; the change gets the place of the first directory entry. */
function withBytes(zip: Uint8Array, change: (zip: Buffer, entry: number) => void): Uint8Array {
  const copy = Buffer.from(zip)
  change(copy, copy.indexOf(Buffer.from([0x50, 0x4b, 1, 2])))
  return copy
}

describe('a zip bomb', () => {
  const bomb = () => zipSync({ 'conversations.json': Buffer.alloc(3 * 1024 * 1024, 0x20) })

  it.each([
    ['by its size', { ...zipLimits, maxUnpackedBytes: 1024 * 1024 }, /unpacks to more than 1048576 bytes/u],
    ['by how dense it is', { ...zipLimits, freeBytes: 1024 * 1024 }, /more than 200 times its size/u],
  ])('is told %s, before it is unpacked', async (_name, limits, message) => {
    for (const zip of [bomb(), bomb().subarray(0, -40)]) {
      const { entries } = await openZip(file('bomb.zip', zip), () => undefined, limits)
      let unpacked = 0
      const reading = (async () => {
        for await (const { bytes } of entries) for await (const chunk of bytes) unpacked += chunk.length
      })()
      await expect(reading).rejects.toThrow(message)
      expect(unpacked).toBeLessThan(2 * 1024 * 1024)
    }
  })
})
