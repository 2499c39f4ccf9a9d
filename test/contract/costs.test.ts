import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitOf } from '../../packages/varve/src/storage/layers.ts'
import { beginCall, endCall, ledger } from '../../packages/varve/src/storage/log/ledger.ts'
import type { Cost } from '../../packages/varve/src/storage/log/spending.ts'
import { setProjectSettings, ensureProject } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { monday } from '../../packages/varve/src/testing/store/check.ts'
import { type CostKey, costKeys, costs, equalShares } from '../../packages/varve/src/upkeep/costs.ts'
import { sqliteStores } from './sqlite-store.ts'

const zones = ['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Auckland']
const names: readonly (keyof Cost)[] = ['calls', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']
const tokens = fc.nat(5_000)
const call = fc.record({
  project: fc.constantFrom('acme', 'other', 'third'),
  model: fc.constantFrom('a:1', 'b:2'),
  layers: fc.nat(127),
  at: fc.integer({ min: monday, max: monday + 5 * 86_400_000 }),
  isPending: fc.boolean(),
  input: tokens,
  output: tokens,
  read: fc.option(tokens, { nil: undefined }),
  written: fc.option(tokens, { nil: undefined }),
})

function sumOf(costsOf: readonly Partial<Cost>[]): number[] {
  return names.map((name) => costsOf.reduce((sum, one) => sum + (one[name] ?? 0), 0))
}

test('the shares of a whole number add up to it, and none is more than one above another', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 7 }), fc.nat(40_000), (whole, count, first) => {
      const shares = equalShares(whole, count, first)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }),
  )
})

test('however a bill is divided, its parts add up to its total, and its total to the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 30 }),
      fc.subarray([...costKeys]),
      fc.constantFrom(...zones),
      async (calls, by, timeZone) => {
        const store = await sqliteStores(undefined).open('costs')
        const here = { read: <Result>(program: Program<Result>) => store.read(() => program) }
        await store.write(() => setProjectSettings('acme', { timeZone }, monday))
        for (const { project: name, model, layers, at, isPending, input, output, read, written } of calls)
          await store.write(function* () {
            const project = yield* ensureProject(name, at)
            const free = { calls: undefined, tokens: undefined, since: at }
            const id = yield* beginCall({ project, task: 'distil', layers, model, tokens: input }, free, at)
            const cached = {
              ...(read === undefined ? {} : { cacheReadTokens: read }),
              ...(written === undefined ? {} : { cacheWriteTokens: written }),
            }
            const used = { inputTokens: input, outputTokens: output, ...cached }
            if (!isPending && id !== undefined) yield* endCall(id, { outcome: 'answered', ms: 1, ...used })
          })
        for (const project of ['acme', undefined]) {
          const range = { project, from: monday, to: monday + 3 * 86_400_000 }
          const listed = (await store.read(() => ledger(project, range.from, range.to, { limit: 100 }))).items
          const { total, parts } = await costs(here, range, by)
          expect(sumOf([total])).toEqual(sumOf(listed.map((one) => ({ calls: 1, ...one }))))
          expect(sumOf(parts)).toEqual(sumOf([total]))
          expect(new Set(parts.map(({ project: name, model, day, layer }) => JSON.stringify([name, model, day, layer]))).size).toBe(
            parts.length,
          )
          const fine = (await costs(here, range, costKeys)).parts
          for (const part of parts) {
            const isIn = (one: typeof part): boolean => by.every((key: CostKey) => one[key] === part[key])
            expect(sumOf([part])).toEqual(sumOf(fine.filter(isIn)))
          }
        }
        await store.close()
      },
    ),
    { numRuns: runs(60) },
  )
})

test('the odd token of a shared call goes to another layer on the next day', async () => {
  const store = await sqliteStores(undefined).open('costs')
  const here = { read: <Result>(program: Program<Result>) => store.read(() => program) }
  const days = [monday, monday + 86_400_000]
  for (const at of days)
    await store.write(function* () {
      const project = yield* ensureProject('acme', monday)
      const free = { calls: undefined, tokens: undefined, since: at }
      const id = yield* beginCall({ project, task: 'distil', layers: bitOf('gists') | bitOf('facts'), model: 'm', tokens: 3 }, free, at)
      if (id !== undefined) yield* endCall(id, { outcome: 'answered', ms: 1, inputTokens: 3, outputTokens: 0 })
    })
  const { parts } = await costs(here, { project: 'acme', from: monday, to: monday + 2 * 86_400_000 }, ['day', 'layer'])
  const dearer = [...Map.groupBy(parts, ({ day }) => day).values()].map((some) => some.find(({ inputTokens }) => inputTokens === 2)?.layer)
  expect(dearer.toSorted()).toEqual(['facts', 'gists'])
  await store.close()
})

test('a day of a bill is the project’s own', async () => {
  const store = await sqliteStores(undefined).open('costs')
  const at = Date.UTC(2026, 0, 5, 18, 20)
  await store.write(() => setProjectSettings('acme', { timeZone: 'Asia/Kathmandu' }, monday))
  for (const [name, when] of [
    ['acme', at - 300_000],
    ['acme', at - 5 * 60_000 - 1],
    ['other', at],
  ] as const)
    await store.write(function* () {
      const project = yield* ensureProject(name, monday)
      yield* beginCall(
        { project, task: 'distil', layers: 1, model: 'm', tokens: 1 },
        { calls: undefined, tokens: undefined, since: monday },
        when,
      )
    })
  const range = { project: undefined, from: 0, to: at }
  const { parts } = await costs({ read: (program) => store.read(() => program) }, range, ['project', 'day'])
  expect(parts.map(({ project, day, calls }) => [project, day, calls])).toEqual([
    ['acme', '2026-01-05', 1],
    ['acme', '2026-01-06', 1],
    ['other', '2026-01-05', 1],
  ])
  await store.close()
})
