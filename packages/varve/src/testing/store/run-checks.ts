import { deepEqual, equal } from 'node:assert/strict'
import { uuidv7 } from '../../ids/uuid.ts'
import { beginCall, endCall } from '../../storage/log/ledger.ts'
import type { RunWork } from '../../storage/log/run-work.ts'
import { noteRun, type PartitionWork, pruneRuns, upkeepRuns } from '../../storage/log/runs.ts'
import { ensurePartition, ensureProject } from '../../storage/partitions.ts'
import { type ProgramCheck, monday, userOf } from './check.ts'

const read: RunWork = { kind: 'session', due: 3, done: 2, failed: 1, failures: [{ code: 'MODEL_FAILED', reason: 'it is down', count: 2 }] }
const of = (partition: number | undefined, work: Partial<RunWork> = {}): PartitionWork => ({ ...read, ...work, partition })
const ended = { isAsked: true, beganAt: monday, endedAt: monday + 500, ms: 400.4 }

export const runChecks: readonly ProgramCheck[] = [
  {
    name: 'a run of upkeep has a row a project, with the requests that it made; told again, it stands once, and projects see their own',
    async run(store) {
      const acme = await store.write(() => ensureProject('acme', monday))
      const [ada, bob, other] = await Promise.all(
        [userOf('acme', 'ada'), userOf('acme', 'bob'), userOf('other', 'ada')].map((one) =>
          store.write(() => ensurePartition(one, monday)),
        ),
      )
      const run = uuidv7(monday)
      const call = { project: acme, task: 'distil', layers: 1, model: 'm', tokens: 5, run }
      const id = await store.write(() => beginCall(call, { calls: undefined, tokens: undefined, since: monday }, monday))
      await store.write(() => endCall(id ?? 0, { outcome: 'answered', inputTokens: 90, outputTokens: 10, ms: 1 }))
      const work = [of(ada?.id), of(bob?.id, { failures: [] }), of(other?.id), of(undefined, { kind: 'erasure', failures: [] })]
      for (const _ of [1, 2]) await store.write(() => noteRun({ ...ended, run, work }, monday))
      const { items } = await store.read(() => upkeepRuns(undefined, 0, monday, { limit: 10 }))
      equal(items.length, 3)
      const sum = { ...read, due: 6, done: 4, failed: 2 }
      deepEqual((await store.read(() => upkeepRuns('acme', 0, monday, { limit: 10 }))).items, [
        {
          ...{ id: run, project: 'acme', by: 'asked', at: monday, endedAt: monday + 500, ms: 400, work: [sum] },
          ...{ calls: 1, inputTokens: 90, outputTokens: 10 },
        },
      ])
      deepEqual(
        items.map(({ project, calls }) => [project, calls]).toSorted(),
        [
          ['acme', 1],
          ['other', 0],
          [undefined, 0],
        ].toSorted(),
      )
      deepEqual((await store.read(() => upkeepRuns('nobody', 0, monday, { limit: 10 }))).items, [])
    },
  },
  {
    name: 'the log of runs keeps its bounds in rows and in age, and names no project that is gone',
    async run(store) {
      const ada = await store.write(() => ensurePartition(userOf('acme', 'ada'), monday))
      const note = (at: number, partition: number | undefined) =>
        store.write(() => noteRun({ ...ended, run: uuidv7(at), endedAt: at, work: [of(partition)] }, at))
      await note(monday, ada.id)
      await note(monday, 999_999)
      const listed = async () => (await store.read(() => upkeepRuns(undefined, 0, monday, { limit: 10 }))).items.length
      equal(await listed(), 1)
      await note(monday + 91 * 86_400_000, ada.id)
      equal(await listed(), 1)
      for (const later of [1, 2, 3]) await note(monday + later, ada.id)
      await store.write(() => pruneRuns(monday, 2))
      equal(await listed(), 2)
    },
  },
]
