import { deepEqual, equal, rejects } from 'node:assert/strict'
import { NotFound } from '../../errors/not-found.ts'
import { uuidv7 } from '../../ids/uuid.ts'
import { partitionId, projectName } from '../../scope/partition.ts'
import { eraseProject, forget, replaceMessage } from '../../storage/erase/erasure.ts'
import { readMessages } from '../../storage/log/messages.ts'
import { ensureProject, findPartition, projects, projectSettings, setProjectSettings, usersOf } from '../../storage/partitions.ts'
import { answer } from '../../storage/program.ts'
import { getSession, sessions } from '../../storage/log/sessions.ts'
import { append, type ProgramCheck, monday, prepared, talkSession, userOf } from './check.ts'

const acme = projectName('acme')
const ada = userOf('acme', 'ada')

export const partitionChecks: readonly ProgramCheck[] = [
  {
    name: 'owners with similar names share nothing: user, anonymous, shared, other project, other case, wildcards',
    async run(store) {
      const owners = [
        ada,
        userOf('acme', 'ADA'),
        userOf('acme', 'ad%'),
        userOf('acme', '*'),
        userOf('acme', 'anonymous'),
        userOf('acme', 'shared'),
        userOf('acm', 'eada'),
        userOf('ACME', 'ada'),
        partitionId(acme, { kind: 'anonymous' }),
        partitionId(acme, { kind: 'shared' }),
      ]
      for (const [place, owner] of owners.entries()) await append(store, owner, talkSession, [`words of ${place}`])
      for (const [place, owner] of owners.entries()) {
        const messages = await store.read(() => readMessages(owner, talkSession, { limit: 10 }))
        deepEqual(
          messages.map(({ content, seq }) => [content, seq]),
          [[`words of ${place}`, 1]],
        )
      }
      deepEqual((await store.read(() => usersOf('acme', { limit: 10 }))).items, ['*', 'ADA', 'ad%', 'ada', 'anonymous', 'shared'])
    },
  },
  {
    name: 'an id of another partition is not found, whether or not the asking user has stored something',
    async run(store) {
      const [message] = await append(store, ada, talkSession, ['hers alone'])
      const id = message?.id ?? ''
      await append(store, userOf('acme', 'bob'), talkSession, ['his alone'])
      for (const name of ['bob', 'nobody']) {
        const other = userOf('acme', name)
        await rejects(
          store.write(() => forget(other, { messages: [id] }, uuidv7(monday), monday)),
          NotFound,
        )
        await rejects(
          store.write(() => replaceMessage(other, id, () => answer(prepared('taken over')), uuidv7(monday), monday)),
          NotFound,
        )
      }
      await rejects(
        store.write(() => forget(userOf('acme', 'nobody'), { session: talkSession }, uuidv7(monday), monday)),
        NotFound,
      )
      await rejects(
        store.read(() => getSession(userOf('acme', 'nobody'), talkSession)),
        NotFound,
      )
      deepEqual(
        (await store.read(() => readMessages(ada, talkSession, { limit: 10 }))).map(({ content }) => content),
        ['hers alone'],
      )
    },
  },
  {
    name: 'a partition has its own ordinals, epoch and counts',
    async run(store) {
      const bob = userOf('acme', 'bob')
      await append(store, ada, talkSession, ['one', 'two', 'three'])
      await append(store, bob, talkSession, ['one'])
      const before = await store.read(() => findPartition(bob))
      await store.write(() => forget(ada, { before: monday + 1 }, uuidv7(monday), monday))
      deepEqual(await store.read(() => findPartition(bob)), before)
      const state = await store.read(() => findPartition(ada))
      deepEqual([state?.seq, state?.messages, state?.term_bytes, state?.epoch], [3, 0, 0, 1])
    },
  },
  {
    name: 'projects are listed by name, keep their settings, and are erased as a whole',
    async run(store) {
      await store.write(() => ensureProject('zoo', monday))
      await store.write(() => setProjectSettings('acme', { timeZone: 'Europe/Berlin', a: 1 }, monday))
      deepEqual(await store.write(() => setProjectSettings('acme', { a: null }, monday)), { timeZone: 'Europe/Berlin' })
      await append(store, ada, talkSession, ['gone with its project'])
      await append(store, userOf('zoo', 'ada'), talkSession, ['stays'])
      deepEqual(
        (await store.read(() => projects({ limit: 10 }))).items.map(({ name }) => name),
        ['acme', 'zoo'],
      )
      const { receipt } = await store.write(() => eraseProject('acme', uuidv7(monday), monday))
      deepEqual([receipt.counts['message'], receipt.counts['session'], receipt.counts['partition']], [1, 1, 1])
      deepEqual(
        (await store.read(() => projects({ limit: 10 }))).items.map(({ name }) => name),
        ['zoo'],
      )
      deepEqual(await store.read(() => projectSettings('acme')), {})
      deepEqual((await store.read(() => sessions(ada, { limit: 10 }))).items, [])
      equal((await store.read(() => sessions(userOf('zoo', 'ada'), { limit: 10 }))).items.length, 1)
      await rejects(
        store.write(() => eraseProject('acme', uuidv7(monday), monday)),
        NotFound,
      )
    },
  },
]
