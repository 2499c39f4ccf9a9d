import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptNodes } from '../../packages/varve/src/bank/kept-nodes.ts'
import { bankNodes, type LoadedNodes } from '../../packages/varve/src/bank/nodes.ts'
import { BudgetExceeded, type Memory } from '../../packages/varve/src/index.ts'
import type { Connection } from '../../packages/varve/src/storage/sqlite/connection.ts'
import { executeRead } from '../../packages/varve/src/storage/sqlite/execute.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { ManualClock } from '../../packages/varve/src/testing/index.ts'
import { day, settled, talk } from '../fixtures/distil/talk.ts'
import { newStore, openForTest } from '../fixtures/memory/open.ts'
import { runs } from '../../packages/varve/src/testing/runs.ts'

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('talk' as const), session: fc.nat(9), later: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('pin' as const, 'unpin' as const, 'correct' as const, 'delete' as const, 'rename' as const, 'forget' as const),
      pick: fc.nat(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never

const options = {
  upkeep: 'manual',
  layers: { gists: false, bank: true },
  embeddingModel: false,
  languageModel: false,
  isolation: 'silent',
  logger: { warn: () => undefined },
} as const

type Banks = readonly { readonly id: number; readonly epoch: number }[]

const derived = 'select id, epoch from partition where owner_kind between 3 and 5'

/** Loads each bank for a small and a large budget, with kept nodes or without. */
function loaded(connection: Connection, kept: () => KeptNodes): unknown[] {
  const banks: Banks = connection.prepare<[], Banks[number]>(derived).all()
  return banks.flatMap((bank) =>
    [60, 3_000].map((maxTokens) => byVersion(executeRead(connection, bankNodes(kept(), { ...bank, isShared: false }, maxTokens)))),
  )
}

function byVersion({ nodes, omittedBefore }: LoadedNodes): LoadedNodes {
  return { nodes: nodes.toSorted((one, other) => one.version - other.version), omittedBefore }
}

async function take(memory: Memory, clock: ManualClock, one: Step, serial: number): Promise<void> {
  const ada = memory.for('ada')
  if (one.do === 'talk') {
    clock.advance(one.later * day)
    await ada.append(`talk-${one.session}`, talk(`tern${serial}`, 3))
    clock.advance(settled)
    await memory.upkeep.run()
    return
  }
  const entries = await ada.bank.entries()
  const entry = entries[one.pick % Math.max(1, entries.length)]
  if (entry === undefined) return
  if (one.do === 'pin') await unlessFull(ada.bank.pin(entry.id, true))
  if (one.do === 'unpin') await ada.bank.pin(entry.id, false)
  if (one.do === 'correct') await unlessFull(ada.bank.correct(entry.id, `Barge number ${serial} was sold to Hven.`))
  if (one.do === 'delete') await ada.bank.delete(entry.id)
  if (one.do === 'rename' && entry.session !== undefined) await ada.sessions.rename(entry.session, `Renamed ${serial}`)
  if (one.do === 'forget' && entry.session !== undefined) await ada.forget({ session: entry.session })
}

/** Awaits a change. A pin that would not fit beside the others is refused, and changes nothing. */
async function unlessFull(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!(error instanceof BudgetExceeded)) throw error
  })
}

test('what is remembered of a bank from one time to the next is what is stored, whatever was changed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const clock = new ManualClock(Date.parse('2026-10-05T09:00:00Z'))
      const store = newStore()
      const memory = await openForTest({ ...options, store, clock })
      await memory.project('default').settings.set({ bank: { maxTokens: 300 } })
      const connection = openConnection(store)
      const kept = new KeptNodes()
      for (const [serial, one] of [{ do: 'talk' as const, session: 0, later: 0 }, ...steps].entries()) {
        await take(memory, clock, one, serial)
        if (serial === 0) expect(loaded(connection, () => kept)).toMatchObject([{ nodes: [{}] }, { nodes: [{}] }])
        expect(loaded(connection, () => kept)).toEqual(loaded(connection, () => new KeptNodes()))
      }
      connection.close()
      await memory.close()
    }),
    { numRuns: runs(5) },
  )
})
