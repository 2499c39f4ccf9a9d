import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFiles } from '../../../../../test/fixtures/importers/files.ts'
import { mem0History, sampleEvents } from '../../../../../test/fixtures/importers/mem0-history.ts'
import { RecordingHandle } from '../../../../../test/fixtures/importers/recording-handle.ts'
import { ImportFailed } from '../../errors/import-failed.ts'
import { importFile } from '../import-file.ts'

const file = temporaryFiles()
let count = 0

function history(made: Parameters<typeof mem0History>[1] = {}): { path: string; db: Database.Database } {
  count += 1
  const path = file(`history-${count}.db`, '')
  return { path, db: mem0History(path, made) }
}

function closed(made: Parameters<typeof mem0History>[1] = {}): string {
  const { path, db } = history(made)
  db.close()
  return path
}

async function imported(path: string, user = 'ada') {
  const handle = new RecordingHandle({ scope: { project: 'default', user } })
  const report = await importFile(handle, path, { now: handle.now })
  return { handle, report, memories: handle.of('mem0').map(({ content }) => content) }
}

const left = ['Keeps two grey geese at the lock', 'Lives in Stralsund', 'Rows on Fridays']

describe('mem0’s history', () => {
  it.each(['python', 'typescript'] as const)(
    'of %s gives each memory as its last event left it; deleted ones stay deleted',
    async (dialect) => {
      const { handle, report, memories } = await imported(closed({ dialect }))
      expect(memories).toEqual(left)
      expect(report).toMatchObject({ format: 'mem0-history', messages: 3, skipped: { 'deleted in its source': 1 } })
      expect(report.repaired).toMatchObject({ 'owner not stated': 3 })
      expect(handle.of('mem0')[1]).toMatchObject({
        id: 'm2',
        role: 'tool',
        origin: 'tool',
        at: Date.parse('2025-03-01T07:30:00Z'),
        metadata: { importedFrom: 'mem0', createdAt: '2025-02-03T09:00:00.000Z' },
      })
      expect(JSON.stringify(handle.everything)).not.toMatch(/4711|Rostock|Tuesdays/u)
    },
  )

  it('and the JSON of the same memories are one: nothing is stored twice', async () => {
    const { handle } = await imported(closed())
    const results = [{ id: 'm1', memory: left[0], hash: 'x', user_id: 'ada' }]
    const report = await importFile(handle, file('all.json', JSON.stringify({ results })), { now: handle.now })
    expect(report).toMatchObject({ format: 'mem0', stored: 0, duplicates: 1 })
  })

  it('with the messages of one user is theirs, and of nobody else', async () => {
    const path = closed({ said: [['agent_id=kiosk&user_id=ada', 'I moved to Stralsund.']] })
    const { handle, report } = await imported(path)
    expect(report).toMatchObject({ messages: 4, repaired: {} })
    expect(handle.of('mem0/agent_id=kiosk&user_id=ada')[0]).toMatchObject({ role: 'user', content: 'I moved to Stralsund.' })
    expect((await imported(path, 'ben')).report).toMatchObject({
      messages: 0,
      skipped: { 'of another user': 4, 'deleted in its source': 1 },
    })
  })

  it.each([
    ['two users', ['user_id=ada', 'user_id=ben']],
    ['a user and an agent', ['user_id=ada', 'agent_id=kiosk']],
    ['a user and a run of nobody', ['user_id=ada', 'run_id=7']],
    ['a scope that names two', ['user_id=ada&user_id=ben']],
  ])('with the messages of %s gives no memory to anybody', async (_name, scopes) => {
    const { memories, report } = await imported(closed({ said: scopes.map((scope) => [scope, 'x']) }))
    expect(memories).toEqual([])
    expect(report.skipped).toMatchObject({ 'of one of several accounts': 3 })
  })
})

describe('the file of a history', () => {
  const state = (path: string) =>
    readdirSync(dirname(path))
      .filter((name) => path.endsWith(name) || name.startsWith(path.slice(dirname(path).length + 1)))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(`${dirname(path)}/${name}`))
          .digest('hex'),
        statSync(`${dirname(path)}/${name}`).mtimeMs,
      ])

  it('is not touched, and what stands in its log is read', async () => {
    const { path, db } = history({ journal: 'wal' })
    const before = state(path)
    expect(before.length).toBeGreaterThan(1)
    expect((await imported(path)).memories).toEqual(left)
    expect(state(path)).toEqual(before)
    db.close()
  })

  it('is read while another program holds its lock', async () => {
    const { path, db } = history()
    db.exec('BEGIN EXCLUSIVE')
    expect((await imported(path)).memories).toEqual(left)
    db.exec('ROLLBACK')
    db.close()
  })

  it('leaves no copy behind', async () => {
    const path = closed()
    const folder = mkdtempSync(join(dirname(path), 'copies-'))
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await imported(path)).memories).toEqual(left)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['damaged within', (path: string) => overwrite(path, 4096 + 8, Buffer.alloc(4000, 0xff))],
    ['cut off', (path: string) => overwrite(path, 100, Buffer.alloc(400, 0xee))],
  ])('%s is refused, and nothing of it is stored in part without a word', async (_name, damage) => {
    const path = closed()
    damage(path)
    await expect(imported(path)).rejects.toThrow(ImportFailed)
  })

  it('of another program is refused', async () => {
    const path = file('other.db', '')
    const db = new Database(path)
    db.exec('CREATE TABLE history (id TEXT, url TEXT); CREATE VIEW memory_history AS SELECT 1 AS memory_id, 2 AS new_value, 3 AS action')
    db.close()
    await expect(imported(path)).rejects.toThrow(/SQLite database without mem0's history/u)
  })

  it('of many memories is read a row at a time, each once', async () => {
    const events = Array.from({ length: 20_000 }, (_none, index) => ({
      ...sampleEvents[0],
      memory: `m${index}`,
      event: 'ADD' as const,
      text: `Fact ${index}`,
    }))
    const { report } = await imported(closed({ events }))
    expect(report).toMatchObject({ messages: 20_000, stored: 20_000 })
  })
})

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const open = openSync(path, 'r+')
  writeSync(open, bytes, 0, bytes.length, at)
  closeSync(open)
}
