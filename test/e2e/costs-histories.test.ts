import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Memory } from '../../packages/varve/src/index.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'
import { distilling } from '../fixtures/distil/open.ts'
import { settled, talk } from '../fixtures/distil/talk.ts'
import { copied } from '../fixtures/distil/writer.ts'

const projects = ['acme', 'pier', '__proto__'] as const
const users = ['ada-canary', 'bob-canary', undefined] as const
const day = 86_400_000

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('talk' as const),
      project: fc.constantFrom(...projects),
      user: fc.constantFrom(...users),
      session: fc.constantFrom('monday-canary', 'friday-canary'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('upkeep' as const), fails: fc.constantFrom('no', 'no', 'status', 'words') }) },
  // Sixteen of them take less than the 90 days for which runs are kept; the ledger is kept longer.
  fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('forget' as const), project: fc.constantFrom(...projects), user: fc.constantFrom(...users) }),
  fc.record({ kind: fc.constant('delete' as const), project: fc.constantFrom(...projects) }),
)

const counted = ['calls', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const
type Counted = Partial<Record<(typeof counted)[number], number>>

const sumOf = (all: readonly Counted[]): number[] => counted.map((field) => all.reduce((sum, one) => sum + (one[field] ?? 0), 0))

async function check(memory: Memory, now: number): Promise<void> {
  const ledger = (await Array.fromAsync(memory.ledger({ limit: 7 }))).map((one) => ({ calls: 1, ...one }))
  for (const by of [['layer'], ['project'], ['model'], ['day'], ['project', 'layer'], ['project', 'model', 'day', 'layer']] as const) {
    const { total, parts } = await memory.costs({ by: [...by] })
    expect(sumOf([total])).toEqual(sumOf(ledger))
    expect(sumOf(parts)).toEqual(sumOf(ledger))
  }
  for (const project of projects) {
    const own = ledger.filter((one) => one.project === project)
    const { total, parts } = await memory.costs({ project, by: ['day', 'layer'] })
    expect(sumOf([total])).toEqual(sumOf(own))
    expect(sumOf(parts)).toEqual(sumOf(own))
    expect(await memory.ledger({ project })).toHaveLength(own.length)
  }
  const { cost, failures } = await memory.upkeep.status()
  expect(sumOf(cost)).toEqual(sumOf(ledger.filter(({ at }) => at >= now - 30 * day)))
  const worked = await Array.fromAsync(memory.upkeep.runs({ limit: 3 }))
  expect(sumOf(worked).slice(0, 3)).toEqual(sumOf(ledger).slice(0, 3))
  const standing = new Set((await memory.projects.list()).map(({ name }) => name))
  for (const { project } of [...ledger, ...worked]) expect(project === undefined || standing.has(project)).toBe(true)
  expect(JSON.stringify([ledger, worked, cost, failures])).not.toMatch(/canary|tern/)
}

test('over generated histories with deletions, bills, status and runs have what the ledger has, and no word of anybody', async () => {
  let requests = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const { memory, clock, server, play } = await distilling({ modelWindow: 32_768, embeddingModel: false })
      for (const one of steps) {
        if (one.kind === 'talk') {
          const { project, user, session } = one
          await memory.for(user === undefined ? { project } : { project, user }).append(session, talk('tern', 3))
        } else if (one.kind === 'wait') clock.advance(one.days * day)
        else if (one.kind === 'delete') {
          if ((await memory.projects.list()).some(({ name }) => name === one.project)) await memory.projects.delete(one.project)
        } else if (one.kind === 'forget')
          await memory
            .for(one.user === undefined ? { project: one.project } : { project: one.project, user: one.user })
            .forget({ all: true })
        else {
          clock.advance(settled)
          if (one.fails === 'status') play(() => ({ status: 400, text: 'refused for ada-canary: the tern on monday-canary' }))
          else if (one.fails === 'words') play(() => ({ text: 'I will not write of the tern of ada-canary.' }))
          else play(copied)
          await memory.upkeep.run()
        }
      }
      await check(memory, clock.now())
      requests += server.count
    }),
    { numRuns: runs(24) },
  )
  expect(requests).toBeGreaterThan(0)
})
