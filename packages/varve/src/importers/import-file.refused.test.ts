import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chatgptConversation, temporaryFiles } from '../../../../test/fixtures/importers/files.ts'
import { RecordingHandle } from '../../../../test/fixtures/importers/recording-handle.ts'
import { ImportFailed } from '../errors/import-failed.ts'
import { importFile } from './import-file.ts'

const file = temporaryFiles()

function imported(path: string): Promise<unknown> {
  return importFile(new RecordingHandle(), path)
}

// An import that opened the pipe would wait for its writer for ever.
describe('a path that is no file is refused at once', { timeout: 10_000 }, () => {
  it('a pipe', async () => {
    const path = join(dirname(file('beside.txt', '')), 'pipe.json')
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
    onTestFinished(() => rmSync(path))
    await expect(imported(path)).rejects.toThrow(/it is a pipe.*write its content to a file/su)
  })

  it('a socket', async () => {
    const path = join(dirname(file('beside.txt', '')), 'socket.json')
    const server = createServer().listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    await expect(imported(path)).rejects.toThrow(/it is a socket/u)
  })

  it.each(['/dev/null', '/dev/zero'])('a device: %s', async (path) => {
    await expect(imported(path)).rejects.toThrow(/it is a device/u)
  })

  it('a folder', async () => {
    await expect(imported(dirname(file('beside.txt', '')))).rejects.toThrow(/it is a folder/u)
  })
})

const megabytes = 105
const whole = JSON.stringify(chatgptConversation('c', ['Hello?', 'Yes.']))
const alike = (): string => '{"uuid":"","name":"","chat_messages":[]}'
const withId = (place: number): string => `{"uuid":"${((place * 2_654_435_761) % 4_294_967_296).toString(36)}","chat_messages":[]}`

/** A list of these conversations, of which the first ones come again and again. */
function listOf(element: (place: number) => string): Uint8Array {
  const some = Buffer.from(Array.from({ length: 20_000 }, (_none, place) => `${element(place)},`).join(''))
  return Buffer.concat([
    Buffer.from('['),
    Buffer.alloc(Math.ceil((megabytes * 1e6) / some.length) * some.length, some),
    Buffer.from('null]'),
  ])
}

const zipOf = (content: Uint8Array): Uint8Array => zipSync({ 'conversations.json': content }, { level: 1 })

describe(`${megabytes} MB of conversations without a message are refused within a CPU-second`, () => {
  it.each([
    ['in a zip, all alike', 'alike.zip', () => zipOf(listOf(alike)), /200 times/],
    ['in a zip, each with an id', 'ids.zip', () => zipOf(listOf(withId)), /without a message/],
    ['as they are', 'plain.json', () => listOf(withId), /without a message/],
  ] as const)('%s', async (_name, name, content, reason) => {
    // The parsers and the thread are loaded by the first import.
    await imported(file('first.json', Buffer.from(`[${Array.from({ length: 300 }, () => whole).join(',')}]`)))
    const path = file(name, content())
    const before = process.cpuUsage()
    await expect(imported(path)).rejects.toThrow(reason)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(1)
  })
})

it('a few conversations without a message are counted, and the others imported', async () => {
  const talk = JSON.stringify(chatgptConversation('real', ['Hello?', 'Yes.']))
  const path = file('some.json', `[${Array.from({ length: 9_000 }, () => '{}').join(',')},${talk}]`)
  const report = await importFile(new RecordingHandle(), path)
  expect(report).toMatchObject({ sessions: 1, messages: 2, skipped: { 'not a conversation': 9_000 } })
})

it('each conversation with a message allows ten more without one', async () => {
  const list = Array.from({ length: 24_000 }, (_none, place) =>
    place % 11 === 0 ? JSON.stringify(chatgptConversation(`c${place}`, ['Hello?'])) : '{}',
  )
  expect((await importFile(new RecordingHandle(), file('mixed.json', `[${list.join(',')}]`))).sessions).toBe(2_182)
  await expect(imported(file('fewer.json', `[${list.map((one, place) => (place % 22 === 0 ? '{}' : one)).join(',')}]`))).rejects.toThrow(
    ImportFailed,
  )
})
