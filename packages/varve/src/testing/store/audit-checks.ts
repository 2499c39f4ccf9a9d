import { deepEqual, equal } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { type AuditNote, mostAuditItems } from '../../observe/audit-entry.ts'
import { keyDigest } from '../../keys/key-text.ts'
import { partitionId, projectName } from '../../scope/partition.ts'
import { auditEntries, auditKeptMs, type AuditRequest, dropSomeAudit, noteAudit } from '../../storage/doors/audit.ts'
import { createKey } from '../../storage/doors/caller-keys.ts'
import { eraseProject } from '../../storage/erase/erasure.ts'
import { newReceipt } from '../../storage/erase/erases.ts'
import { ensurePartition } from '../../storage/partitions.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { type ProgramCheck, monday, userOf } from './check.ts'

const request = uuidv7(monday)

function noteOf(given: Partial<AuditNote> = {}): AuditNote {
  return { at: monday, act: 'read', operation: 'recall', status: 200, request, ...given }
}

const note = (store: StoreUnderTest, notes: readonly AuditNote[], now = monday, most?: number) =>
  store.write(() => noteAudit(notes, now, most))

async function listed(store: StoreUnderTest, asked: Partial<AuditRequest> = {}) {
  return (await store.read(() => auditEntries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100, ...asked }))).items
}

async function acme(store: StoreUnderTest): Promise<string> {
  await store.write(() => ensurePartition(userOf('acme', 'ada'), monday))
  await store.write(() => ensurePartition(partitionId(projectName('acme'), { kind: 'anonymous' }), monday))
  await store.write(() => ensurePartition(userOf('other', 'ada'), monday))
  const id = uuidv7(monday)
  const rights = { access: 'read', impersonate: false } as const
  await store.write(() => createKey({ ...rights, id, digest: keyDigest(id), name: 'app' }, monday))
  return id
}

export const auditChecks: readonly ProgramCheck[] = [
  {
    name: 'the audit says who did what, by the names of now',
    async run(store) {
      const key = await acme(store)
      const item = uuidv7(monday)
      await note(store, [
        noteOf({ key, project: 'acme', user: 'ada', act: 'forget', operation: 'forget', items: [item] }),
        noteOf({ project: 'acme', user: '~' }),
        noteOf({ project: 'acme', operation: 'users' }),
        noteOf({ key: uuidv7(monday), project: 'nobody', user: 'ada', status: 404 }),
        noteOf({ key: 'no id', project: '..', user: '', status: 400, request: 'x' }),
      ])
      const same = { at: monday, act: 'read', operation: 'recall', status: 200, items: [], request }
      deepEqual(await listed(store), [
        { ...same, status: 400, request: '' },
        { ...same, status: 404 },
        { ...same, project: 'acme', operation: 'users' },
        { ...same, project: 'acme', user: '~' },
        { ...same, key, keyName: 'app', project: 'acme', user: 'ada', act: 'forget', operation: 'forget', items: [item] },
      ])
    },
  },
  {
    name: 'the audit keeps ids alone, at most 20 of a deed',
    async run(store) {
      const ids = Array.from({ length: 30 }, () => uuidv7(monday))
      await note(store, [noteOf({ items: ['the ferry leaves at nine', ...ids] })])
      deepEqual((await listed(store))[0]?.items, ids.slice(0, mostAuditItems))
    },
  },
  {
    name: 'the audit is narrowed to a project, a user, a key, an act and a time; an unknown one did nothing',
    async run(store) {
      const key = await acme(store)
      const status = async (asked: Partial<AuditRequest>) => (await listed(store, asked)).map((entry) => entry.status)
      await note(store, [
        noteOf({ status: 1, key, project: 'acme', user: 'ada' }),
        noteOf({ status: 2, project: 'acme', user: '~', act: 'write' }),
        noteOf({ status: 3, key, project: 'other', user: 'ada', at: monday + 5 }),
        noteOf({ status: 4 }),
      ])
      deepEqual(await status({ project: 'acme' }), [2, 1])
      deepEqual(await status({ project: 'acme', user: 'ada' }), [1])
      deepEqual(await status({ project: 'acme', user: '~' }), [2])
      deepEqual(await status({ key }), [3, 1])
      deepEqual(await status({ key, project: 'acme' }), [1])
      deepEqual(await status({ key, project: 'acme', user: '~' }), [])
      deepEqual(await status({ act: 'write' }), [2])
      deepEqual(await status({ from: monday + 1 }), [3])
      deepEqual(await status({ to: monday }), [4, 2, 1])
      for (const nobody of [{ project: 'nobody' }, { project: 'acme', user: 'bob' }, { key: 'no id' }, { key: uuidv7(monday) }])
        deepEqual(await status(nobody), [])
    },
  },
  {
    name: 'the audit is read page by page',
    async run(store) {
      await note(
        store,
        [1, 2, 3].map((status) => noteOf({ status })),
      )
      const page = (cursor?: string) => store.read(() => auditEntries({ from: 0, to: monday, limit: 2, cursor }))
      const { items, cursor } = await page()
      const rest = await page(cursor)
      deepEqual(
        [...items, ...rest.items].map(({ status }) => status),
        [3, 2, 1],
      )
      equal(rest.cursor, undefined)
    },
  },
  {
    name: 'the audit keeps its bounds in rows and in age',
    async run(store) {
      await note(store, [noteOf({ status: 1 }), noteOf({ status: 2 })])
      const later = monday + auditKeptMs + 1
      await note(store, [noteOf({ status: 3, at: later }), noteOf({ status: 4, at: later }), noteOf({ status: 5, at: later })], later)
      const status = async () => (await listed(store)).map((entry) => entry.status)
      deepEqual(await status(), [5, 4, 3])
      await note(store, [noteOf({ status: 6, at: later })], later, 2)
      deepEqual(await status(), [6, 5])
    },
  },
  {
    name: 'a deleted project takes its entries with it, and no other’s',
    async run(store) {
      await acme(store)
      await note(store, [noteOf({ project: 'acme' }), noteOf({ project: 'other', status: 2 }), noteOf({ project: 'acme', user: 'ada' })])
      const receipt = newReceipt(monday, { what: 'project', project: projectName('acme') })
      await store.write(() => eraseProject('acme', receipt, monday))
      deepEqual(
        (await listed(store)).map(({ status, project }) => [status, project]),
        [[2, 'other']],
      )
    },
  },
  {
    name: 'many entries of a project are deleted some at a time',
    async run(store) {
      const { project_id: project } = await store.write(() => ensurePartition(userOf('acme', 'ada'), monday))
      await note(store, [noteOf({ project: 'acme' }), noteOf({ project: 'acme' }), noteOf({})])
      equal(await store.write(() => dropSomeAudit(project, 1)), true)
      equal(await store.write(() => dropSomeAudit(project, 1)), false)
      equal((await listed(store)).length, 1)
    },
  },
]
