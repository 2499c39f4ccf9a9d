import type { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import Database from 'better-sqlite3'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../packages/varve/src/index.ts'
import { smallDisk } from '../fault/support/small-disk.ts'
import { clientFor, eras, stdioCommand, textOf } from '../fixtures/mcp/connected.ts'
import { newStore } from '../fixtures/memory/open.ts'

const scope = { project: 'acme', user: 'ada' }

interface Running {
  readonly client: Client
  readonly store: string
  /** Tells a note. Gives the words of the answer, which name no place of this machine. */
  tell(note: string): Promise<string>
  recall(query: string): Promise<string>
}

/** A server on stdio that has its store open, with one fact in it. */
async function running(store = newStore(), era: 'auto' | 'legacy' = 'auto'): Promise<Running> {
  const memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, engine: 'inline', logger: { warn: () => undefined } })
  await memory.for(scope).append('talk', { role: 'user', content: 'The oars are blue.' })
  await memory.close()
  const client = clientFor({ era })
  await client.connect(new StdioClientTransport(stdioCommand(store)))
  const said = async (name: string, given: Readonly<Record<string, unknown>>) => {
    const answer = await client.callTool({ name, arguments: { ...given } })
    expect(JSON.stringify(answer)).not.toContain(dirname(store))
    return `${answer.isError === true ? 'error: ' : ''}${textOf(answer)}`
  }
  const made = {
    ...{ client, store },
    tell: (note: string) => said('memory_remember', { note }),
    recall: (query: string) => said('memory_recall', { query }),
  }
  expect(await made.recall('oars')).toContain('The oars are blue.')
  return made
}

/** Removes a store with the files of its log. */
function remove(store: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true })
}

/** What a store says, read by another process of Varve after the server's answer. */
async function stored(store: string): Promise<string> {
  await using memory = await openMemory({ store, upkeep: 'manual', embeddingModel: false, engine: 'inline' })
  return (await memory.for(scope).documents.read('Notes of the agent'))?.content ?? ''
}

const gone = /^error: the store was moved, deleted or replaced while it was open\. This call was not acknowledged/

test.each(eras)('a store that was moved away takes no write, and is used again when it is back: %s', async (era) => {
  const { store, tell, recall } = await running(newStore(), era)
  expect(await tell('before')).toMatch(/^Kept/)
  renameSync(store, `${store}.away`)
  for (const _ of [1, 2]) expect(await tell('lost')).toMatch(gone)
  expect(await recall('oars')).toMatch(/the store was moved, deleted or replaced/)
  expect(existsSync(store)).toBe(false)
  renameSync(`${store}.away`, store)
  expect(await tell('after')).toMatch(/^Kept/)
  expect(await recall('oars')).toContain('The oars are blue.')
  expect(await stored(store)).toBe('- before\n- after\n')
})

test('a store that was deleted acknowledges no write, is not made anew, and a copy in its place is used', async () => {
  const { store, tell, recall, client } = await running()
  const copy = `${store}.copy`
  copyFileSync(store, copy)
  remove(store)
  // Calls at once: none of them may find the path free.
  for (const told of await Promise.all(Array.from({ length: 20 }, (_, place) => tell(`lost ${place}`)))) expect(told).toMatch(gone)
  await expect(client.readResource({ uri: 'varve://profile' })).rejects.toThrow('the store was moved, deleted or replaced')
  await expect(client.getPrompt({ name: 'what_do_you_know' })).rejects.toThrow('the store was moved, deleted or replaced')
  expect(readdirSync(dirname(store)).filter((name) => !name.endsWith('.copy'))).toEqual([])
  copyFileSync(copy, store)
  expect(await tell('found')).toMatch(/^Kept/)
  expect(await recall('oars')).toContain('The oars are blue.')
  expect(await stored(store)).toBe('- found\n')
})

test('a store that another process holds is told, and used when it is free', async () => {
  const { store, tell, recall } = await running()
  const other = new Database(store)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  expect(await tell('lost')).toMatch(/^error: the store is locked by another process\. Try again\.$/)
  expect(await recall('oars')).toContain('The oars are blue.')
  other.exec('ROLLBACK')
  expect(await tell('later')).toMatch(/^Kept/)
  expect(await stored(store)).toBe('- later\n')
})

test('a newer store, another program’s file and a damaged store are told, left as they are, and replaced without a restart', async () => {
  const { store, tell, recall } = await running()
  const copy = `${store}.copy`
  copyFileSync(store, copy)
  const put = (bytes: Buffer): void => {
    writeFileSync(`${store}.new`, bytes)
    remove(store)
    renameSync(`${store}.new`, store)
  }
  const newer = `${store}.newer`
  copyFileSync(copy, newer)
  const later = new Database(newer)
  later.exec(`INSERT INTO schema_migration SELECT max(version) + 1, 'later', 'x', 0 FROM schema_migration; PRAGMA journal_mode = DELETE`)
  later.close()
  const damaged = readFileSync(copy)
  damaged.fill(0x5a, 4_096)
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [readFileSync(newer), /^error: the store has schema version \d+; this Varve knows up to \d+\. It was not changed: update varve\.$/],
    [Buffer.from('a letter to the harbour office, and no store\n'.repeat(20)), /^error: the store is not a Varve store/],
    [damaged, /^error: the store is damaged/],
  ]
  for (const [bytes, told] of cases) {
    put(bytes)
    expect(await tell('lost')).toMatch(told)
    expect(await tell('lost')).toMatch(told)
    expect(await recall('oars')).toMatch(/^(error: |Memory could not tell: .*)the store/)
    expect(readFileSync(store).equals(bytes)).toBe(true)
    put(readFileSync(copy))
    expect(await recall('oars')).toContain('The oars are blue.')
  }
  expect(await tell('found')).toMatch(/^Kept/)
  expect(await stored(store)).toBe('- found\n')
})

test('a full disk is told, earlier memory is read, and it is written when there is space', async (context) => {
  const folder = join(dirname(newStore()), 'disk')
  mkdirSync(dirname(folder), { recursive: true })
  using disk = smallDisk(folder)
  if (disk.refused !== undefined) context.skip(disk.refused)
  const { tell, recall } = await running(join(disk.path, 'store.db'))
  const ballast = join(disk.path, 'ballast')
  for (let size = 4 * 1024 * 1024; size >= 4_096; size /= 2) for (let at = 0; at < 2; at += 1) fill(`${ballast}-${size}-${at}`, size)
  const notes = Array.from({ length: 40 }, (_, at) => `note ${at} ${'of the pier '.repeat(500)}`)
  const told: string[] = []
  for (const note of notes) told.push(await tell(note))
  expect(told.find((one) => one.startsWith('error: '))).toMatch(/^error: no space is left for the store\. Nothing of this call was stored/)
  expect(await recall('oars')).toContain('The oars are blue.')
  for (const name of readdirSync(disk.path)) if (name.startsWith('ballast')) rmSync(join(disk.path, name))
  expect(await tell('later')).toMatch(/^Kept/)
})

function fill(file: string, size: number): void {
  try {
    writeFileSync(file, Buffer.alloc(size))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
