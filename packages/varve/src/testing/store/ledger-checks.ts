import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { beginCall, endCall, ledger } from '../../storage/log/ledger.ts'
import { bitOf } from '../../storage/layers.ts'
import { ensureProject } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { costs } from '../../upkeep/costs.ts'
import { type ProgramCheck, monday } from './check.ts'

const call = { task: 'distil', layers: bitOf('gists') | bitOf('bank'), model: 'scripted:one', tokens: 100 }
const used = { outcome: 'answered', inputTokens: 90, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 7 } as const
const free = { calls: undefined, tokens: undefined, since: monday }

export const ledgerChecks: readonly ProgramCheck[] = [
  {
    name: 'the ledger has a request before it is sent and its outcome afterwards, and counts the cost of each layer',
    async run(store) {
      const project = await store.write(() => ensureProject('acme', monday))
      const id = await store.write(() => beginCall({ ...call, project }, free, monday))
      notEqual(id, undefined)
      const [pending] = (await store.read(() => ledger('acme', 0, monday, { limit: 10 }))).items
      deepEqual([pending?.outcome, pending?.inputTokens, pending?.layers], ['pending', 100, ['gists', 'bank']])
      await store.write(() => endCall(id ?? 0, { ...used, ms: 12.4 }))
      const [ended] = (await store.read(() => ledger(undefined, 0, monday, { limit: 10 }))).items
      deepEqual(ended, {
        project: 'acme',
        task: 'distil',
        layers: ['gists', 'bank'],
        model: 'scripted:one',
        at: monday,
        ms: 12,
        inputTokens: 90,
        outputTokens: 10,
        cacheReadTokens: 60,
        cacheWriteTokens: 7,
        outcome: 'answered',
      })
      const here = { read: <Result>(program: Program<Result>) => store.read(() => program) }
      const range = { project: undefined, from: monday, to: monday }
      const cost = { calls: 1, inputTokens: 90, outputTokens: 10, cacheReadTokens: 60, cacheWriteTokens: 7 }
      deepEqual((await costs(here, range, ['layer'])).total, cost)
      deepEqual((await costs(here, range, ['project', 'model', 'day'])).parts, [
        { project: 'acme', model: 'scripted:one', day: '2026-01-05', ...cost },
      ])
      deepEqual((await costs(here, { ...range, project: 'another' }, ['layer'])).parts, [])
      deepEqual((await store.read(() => ledger('another', 0, monday, { limit: 10 }))).items, [])
    },
  },
  {
    name: 'a ceiling of calls or tokens is never passed, requests under way included, and counts one project and one day',
    async run(store) {
      const project = await store.write(() => ensureProject('acme', monday))
      const other = await store.write(() => ensureProject('other', monday))
      const begin = (which: number, ceiling: { calls: number | undefined; tokens: number | undefined; since: number }) =>
        store.write(() => beginCall({ ...call, project: which }, ceiling, ceiling.since))
      const two = { ...free, calls: 2 }
      deepEqual(
        [(await begin(project, two)) === undefined, (await begin(project, two)) === undefined, await begin(project, two)],
        [false, false, undefined],
      )
      notEqual(await begin(other, two), undefined)
      notEqual(await begin(project, { ...two, since: monday + 86_400_000 }), undefined)
      equal(await begin(project, { ...free, tokens: 299 }), undefined)
      equal(await begin(other, { ...free, calls: 0 }), undefined)
    },
  },
]
