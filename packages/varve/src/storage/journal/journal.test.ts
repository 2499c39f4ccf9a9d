import { expect, test } from 'vitest'
import { partitionId, projectName, sessionName } from '../../scope/partition.ts'
import { compile } from '../compile-statement.ts'
import { ensurePartition } from '../partitions.ts'
import type { Program } from '../program.ts'
import { execute } from '../sqlite/execute.ts'
import { migrate } from '../sqlite/migrate.ts'
import { openConnection } from '../sqlite/open-connection.ts'
import { queries } from '../statement.ts'
import { ensureSession } from '../log/sessions.ts'
import { changesAfter } from './changes.ts'
import { erasedSince } from './erased-since.ts'
import { kindOfNumber, layersByHand, numberOfKind, silentKinds } from './kinds.ts'
import { keepSilentRow, noteIn } from './note.ts'
import { pruneJournal } from './prune.ts'

const project = projectName('acme')
const ada = partitionId(project, { kind: 'user', name: 'ada' })

function open() {
  const connection = openConnection(':memory:')
  migrate(connection, { file: ':memory:', now: 0, identity: { id: 'store', key: 'key' } })
  return { connection, run: <Result>(program: Program<Result>) => execute(connection, program) }
}

test('each kind has a number of its own, and a number of a later version is no kind', () => {
  const kinds = ['appended', 'replaced', 'forgotten', 'erased', 'session', 'distilled', 'digested', 'noted', 'documented'] as const
  expect(kinds.map(numberOfKind)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(kinds.map((kind) => kindOfNumber(numberOfKind(kind)))).toEqual(kinds.map((type) => ({ type })))
  expect(layersByHand.map((layer) => kindOfNumber(numberOfKind(layer)))).toEqual(layersByHand.map((layer) => ({ type: 'changed', layer })))
  expect([0, 10, 19, 99, 100].map(kindOfNumber)).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('the newest rows are kept; a reader at the last dropped one goes on, and one before it missed changes', () => {
  const { connection, run } = open()
  run(ensurePartition(ada, 0))
  const { place: first } = run(changesAfter({ project }, { limit: 10 }, 'key'))
  for (let at = 0; at < 20; at += 1) run(noteIn(ada, { kind: 'facts', at }))
  const all = run(changesAfter({ project }, { limit: 100, after: first }, 'key')).changes
  const bounds = { rows: 5, keptMs: 1_000 }
  run(pruneJournal(20, bounds))
  run(pruneJournal(20, bounds))
  const after = (at: number) => run(changesAfter({ project }, { limit: 100, after: all[at]?.id }, 'key'))
  expect(after(13)).toMatchObject({ missed: true, changes: [] })
  expect(after(14)).toMatchObject({ missed: false, changes: all.slice(15) })
  // The rows that are kept, and the one that keeps the place.
  expect(connection.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(6)
  run(pruneJournal(5_000, bounds))
  expect(connection.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(1)
  expect(after(19)).toMatchObject({ missed: false, changes: [] })
  connection.close()
})

test('a store that was restored from an older copy tells a reader from after it that it missed changes', () => {
  const [older, newer] = [open(), open()]
  for (const { run } of [older, newer]) run(ensureSession(ada, sessionName('talk'), {}, 0))
  newer.run(noteIn(ada, { kind: 'facts', at: 0 }))
  const { place: after } = newer.run(changesAfter({ project }, { limit: 10 }, 'key'))
  expect(older.run(changesAfter({ project }, { limit: 10, after }, 'key')).missed).toBe(true)
  for (const { connection } of [older, newer]) connection.close()
})

test('a look for changes reads the rows after its place alone, of a project and of a user', () => {
  const { connection } = open()
  const looks = queries.map((query) => compile(query)).filter(({ sql }) => sql.includes('from "journal" left join "partition"'))
  expect(looks).toHaveLength(2)
  for (const { sql, order } of looks) {
    const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...order.map(() => 1))
    const details = plan.map(({ detail }) => detail)
    expect(details[0]).toBe('SEARCH journal USING INDEX journal_of_project (project_id=? AND id>?)')
    expect(details.join()).not.toContain('TEMP B-TREE')
  }
  connection.close()
})

test('erasures since a place are told by their projects, a deleted project and lost rows as all of them', () => {
  const { connection, run } = open()
  const bo = partitionId(projectName('pier'), { kind: 'user', name: 'bo' })
  for (const owner of [ada, bo]) run(ensurePartition(owner, 0))
  const { place: begun } = run(erasedSince(undefined))
  const since = (place: number) => run(erasedSince({ place, ahead: [] }))
  const note = (of: typeof ada, ref: number) => run(noteIn(of, { kind: 'forgotten', ref: new Uint8Array(16).fill(ref), at: 0 }))
  run(noteIn(ada, { kind: 'facts', at: 0 }))
  expect(since(begun)).toEqual({ place: begun + 1, ahead: [], projects: [], isAll: false })
  // An erasure in turns is told at its begin and at its end.
  for (const ref of [1, 1, 2]) note(ada, ref)
  note(bo, 3)
  const projects = [
    { project: 'acme', erasures: 2 },
    { project: 'pier', erasures: 1 },
  ]
  expect(since(begun)).toEqual({ place: begun + 5, ahead: [], projects, isAll: false })
  expect(since(begun + 5)).toEqual({ place: begun + 5, ahead: [], projects: [], isAll: false })
  expect(since(begun + 6).isAll).toBe(true)
  run(keepSilentRow({ kind: silentKinds.deleted, at: 0 }))
  expect(since(begun + 5).isAll).toBe(true)
  run(pruneJournal(20, { rows: 2, keptMs: 1_000 }))
  expect(since(begun + 2).isAll).toBe(true)
  expect(since(begun + 4)).toEqual({ place: begun + 6, ahead: [], projects: [{ project: 'pier', erasures: 1 }], isAll: true })
  connection.close()
})

test('a look for erasures reads the rows after its place alone', () => {
  const { connection } = open()
  const [look] = queries.map((query) => compile(query)).filter(({ sql }) => sql.includes('count(distinct "journal"."ref")'))
  const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${look?.sql}`).all(...(look?.order ?? []).map(() => 1))
  expect(plan.map(({ detail }) => detail)).toContain('SEARCH journal USING INTEGER PRIMARY KEY (rowid>?)')
  expect(plan.map(({ detail }) => detail).join('\n')).not.toMatch(/SCAN journal/)
  connection.close()
})
