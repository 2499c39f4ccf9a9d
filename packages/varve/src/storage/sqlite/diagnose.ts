import { existsSync, statSync } from 'node:fs'
import type { Check } from '../check.ts'
import type { Connection } from './connection.ts'
import { versionOf } from './migrate.ts'
import { schemaVersion } from './migrations/all.ts'

/** Checks a store without writing: its integrity, its permissions, its settings, and its waiting work. */
export function diagnose(connection: Connection, file: string, segmentBytes: number): Check[] {
  const ask = (sql: string): unknown => connection.prepare(sql).pluck().get()
  const settings = ['journal_mode', 'synchronous', 'secure_delete'].map(
    (name) => `${name}=${String(connection.pragma(name, { simple: true }))}`,
  )
  const damage = String(connection.pragma('quick_check(1)', { simple: true }))
  const pending = Number(ask("SELECT count(*) FROM receipt WHERE physical = 'pending'"))
  return [
    {
      name: 'store',
      ok: true,
      detail: `${file}${file === ':memory:' ? '' : `, ${megabytes(sizeOf(file))} and ${megabytes(sizeOf(`${file}-wal`))} of log`}`,
    },
    { name: 'sqlite', ok: true, detail: `SQLite ${String(ask('SELECT sqlite_version()'))}, ${settings.join(', ')}` },
    { name: 'schema', ok: versionOf(connection) === schemaVersion, detail: `version ${versionOf(connection)} of ${schemaVersion}` },
    {
      name: 'integrity',
      ok: damage === 'ok',
      detail: damage,
      ...(damage === 'ok' ? {} : { fix: 'restore a copy, or salvage the file with the sqlite3 tool (.recover)' }),
    },
    privacy(file),
    {
      name: 'content',
      ok: true,
      detail: `${count('message')} messages, ${count('session')} sessions, ${count('partition')} partitions, ${count('project')} projects`,
    },
    { name: 'index', ok: true, detail: `${megabytes(segmentBytes)} of segments in memory` },
    {
      name: 'erasures',
      ok: pending === 0,
      detail: `${pending} wait for their bytes to be overwritten`,
      ...(pending === 0
        ? {}
        : { fix: 'the next command or program that writes here finishes them; if it does not, a reader holds the log: find and end it' }),
    },
  ]

  function count(table: string): number {
    return Number(ask(`SELECT count(*) FROM ${table}`))
  }
}

function privacy(file: string): Check {
  if (file === ':memory:' || process.platform === 'win32') return { name: 'privacy', ok: true, detail: 'not a file with a mode' }
  const mode = statSync(file).mode & 0o777
  const ok = (mode & 0o077) === 0
  return { name: 'privacy', ok, detail: `mode ${mode.toString(8).padStart(4, '0')}`, ...(ok ? {} : { fix: `chmod 600 ${file}` }) }
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
