import { deepEqual, equal, rejects } from 'node:assert/strict'
import { NotFound } from '../../errors/not-found.ts'
import { sessionName } from '../../scope/partition.ts'
import { forget } from '../../storage/erase/erasure.ts'
import { changeSession, ensureSession, getSession, sessions } from '../../storage/log/sessions.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { append, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const ada = userOf('acme', 'ada')

export const sessionChecks: readonly ProgramCheck[] = [
  {
    name: 'ensuring a session makes it once, and changes only the given details',
    async run(store) {
      await store.write(() => ensureSession(ada, talkSession, { name: 'Ferry', metadata: { a: 1 } }, monday))
      const again = await store.write(() => ensureSession(ada, talkSession, { share: true }, monday + 5))
      deepEqual(again, {
        id: 'talk',
        name: 'Ferry',
        share: true,
        metadata: { a: 1 },
        messages: 0,
        createdAt: monday,
        version: again.version,
      })
      equal((await store.read(() => sessions(ada, { limit: 10 }))).items.length, 1)
    },
  },
  {
    name: 'a missing session is reported as not found, by reads and by changes',
    async run(store) {
      for (const name of ['talk', 'TALK', 'tal%', '*']) {
        await rejects(
          store.read(() => getSession(ada, sessionName(name))),
          NotFound,
        )
        await rejects(
          store.write(() => changeSession(ada, sessionName(name), { name: 'x' }, monday)),
          NotFound,
        )
        await append(store, ada, sessionName('talking'), ['so that the partition is there'])
      }
      deepEqual(
        (await store.read(() => sessions(ada, { limit: 10 }))).items.map(({ id }) => id),
        ['talking'],
      )
    },
  },
  {
    name: 'sessions are listed newest talk first, with the times and the number of their remaining messages',
    async run(store) {
      await append(store, ada, talkSession, [prepared('late', { saidAt: 3_000 }), prepared('early', { saidAt: 1_000 })])
      await append(store, ada, sessionName('older'), [prepared('old', { saidAt: 2_000 })])
      const all = () => store.read(() => sessions(ada, { limit: 10 }))
      const order = async () => (await all()).items.map(({ id, messages, firstAt, lastAt }) => [id, messages, firstAt, lastAt])
      deepEqual(await order(), [
        ['talk', 2, 1_000, 3_000],
        ['older', 1, 2_000, 2_000],
      ])
      await store.write(() => forget(ada, { session: talkSession, before: 2_000 }, uuidv7(monday), monday))
      deepEqual(await order(), [
        ['talk', 1, 3_000, 3_000],
        ['older', 1, 2_000, 2_000],
      ])
      deepEqual(
        (await store.read(() => sessions(ada, { limit: 1 }))).items.map(({ id }) => id),
        ['talk'],
      )
    },
  },
]
