import { deepEqual, equal, rejects } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { keyDigest, newKeyText } from '../../keys/key-text.ts'
import { callerKeys, createKey, type KeyToMake, noteKeyUse, revokeKey, storedKey } from '../../storage/doors/caller-keys.ts'
import { eraseProject } from '../../storage/erase/erasure.ts'
import { newReceipt } from '../../storage/erase/erases.ts'
import { ensureProject } from '../../storage/partitions.ts'
import { projectName } from '../../scope/partition.ts'
import type { StoreUnderTest } from '../store-under-test.ts'
import { type ProgramCheck, monday } from './check.ts'

const rights = { name: '', access: 'write', impersonate: false } as const

async function made(store: StoreUnderTest, given: Partial<KeyToMake> = {}, now = monday) {
  const id = uuidv7(now)
  const text = newKeyText(id)
  const key = await store.write(() => createKey({ ...rights, id, digest: keyDigest(text), ...given }, now))
  return { id, text, key }
}

const listed = async (store: StoreUnderTest, project?: string) =>
  (await store.read(() => callerKeys(project, { limit: 10 }))).items.map(({ id }) => id)

export const keyChecks: readonly ProgramCheck[] = [
  {
    name: 'a key comes back as it was made, by its id, with its digest alone',
    async run(store) {
      const all = { name: 'gate', project: 'acme', access: 'read', impersonate: true, perMinute: 5, expiresAt: monday + 1 } as const
      const { id, text, key } = await made(store, { ...all, origins: ['tool', 'assistant'] })
      deepEqual(key, { id, ...all, origins: ['assistant', 'tool'], createdAt: monday })
      const stored = await store.read(() => storedKey(id))
      deepEqual(stored?.key, key)
      deepEqual([...(stored?.digest ?? [])], [...keyDigest(text)])
      equal(await store.read(() => storedKey(uuidv7(monday))), undefined)
      equal(await store.read(() => storedKey('no id')), undefined)
    },
  },
  {
    name: 'a key that has expired already is not made',
    async run(store) {
      await rejects(made(store, { expiresAt: monday }), { code: 'OPTION_INVALID' })
      deepEqual(await listed(store), [])
    },
  },
  {
    name: 'keys are listed the newest first, page by page, and a project sees its own',
    async run(store) {
      const ids: string[] = []
      for (const project of ['acme', 'other', 'acme']) ids.unshift((await made(store, { project })).id)
      deepEqual(await listed(store), ids)
      deepEqual(await listed(store, 'acme'), [ids[0], ids[2]])
      deepEqual(await listed(store, 'nobody'), [])
      const page = await store.read(() => callerKeys(undefined, { limit: 2 }))
      const { items } = await store.read(() => callerKeys(undefined, { limit: 2, cursor: page.cursor }))
      deepEqual(
        [...page.items, ...items].map(({ id }) => id),
        ids,
      )
    },
  },
  {
    name: 'a revoked key loses its name and its user, keeps its first time, and reaches no user',
    async run(store) {
      const { id } = await made(store, { name: 'of ada', project: 'acme', user: 'ada' })
      const revoke = (now: number, only?: string) => store.write(() => revokeKey(id, only, now))
      equal(await revoke(monday + 1, 'other'), undefined)
      equal((await store.read(() => storedKey(id)))?.key.revokedAt, undefined)
      const expected = { id, project: 'acme', access: 'write', impersonate: false, createdAt: monday, revokedAt: monday + 5 }
      deepEqual(await revoke(monday + 5, 'acme'), expected)
      deepEqual(await revoke(monday + 9), expected)
      equal((await store.read(() => storedKey(id)))?.key.user, '')
      equal(await store.write(() => revokeKey(uuidv7(monday), undefined, monday)), undefined)
    },
  },
  {
    name: 'the use of a key is noted to the minute',
    async run(store) {
      const { id } = await made(store)
      const used = async (now: number) => {
        await store.write(() => noteKeyUse(id, now))
        return (await store.read(() => storedKey(id)))?.key.usedAt
      }
      equal(await used(monday), monday)
      equal(await used(monday + 60_000), monday)
      equal(await used(monday + 60_001), monday + 60_001)
    },
  },
  {
    name: 'a deleted project takes its keys with it, and no other’s',
    async run(store) {
      await store.write(() => ensureProject('acme', monday))
      const kept = [(await made(store, { project: 'other' })).id, (await made(store)).id].toReversed()
      await made(store, { project: 'acme', name: 'harbour office gate' })
      const receipt = newReceipt(monday, { what: 'project', project: projectName('acme') })
      const { needles } = await store.write(() => eraseProject('acme', receipt, monday))
      deepEqual(await listed(store), kept)
      equal(
        needles?.some((needle) => new TextDecoder().decode(needle) === 'harbour office gate'),
        true,
      )
    },
  },
]
