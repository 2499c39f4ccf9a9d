import type { Bank, Granularity, RenderedBank } from '../../packages/varve/src/index.ts'
import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import { percentile } from '../shared/statistics.ts'
import { measuring } from '../shared/usage.ts'

export const budgets = [500, 2_000, 10_000] as const

/** The cost of rendering at one age of the bank, under one budget. */
export interface RenderCost {
  readonly day: number
  readonly budget: number
  readonly entries: number
  readonly p50: number
  readonly p95: number
  readonly cpuMs: number
}

const renders = 200
const before = 20

/** Times renders one after the other, with no other work. Times are of the call, CPU is of all threads. */
export async function costOfRender(bank: Bank, day: number, budget: number): Promise<RenderCost> {
  for (let place = 0; place < before; place += 1) await bank.render(budget)
  const taken: number[] = []
  let entries = 0
  const cost = measuring()
  for (let place = 0; place < renders; place += 1) {
    const start = performance.now()
    const rendered = await bank.render(budget)
    taken.push(performance.now() - start)
    entries = rendered.entries.length
  }
  return { day, budget, entries, p50: percentile(taken, 0.5), p95: percentile(taken, 0.95), cpuMs: cost().cpuMs / renders }
}

/** Observations of the block under one budget, one look a simulated day. */
export interface Kept {
  readonly budget: number
  looks: number
  /** The number of blocks with more exact tokens than the budget, or with a wrong count. */
  over: number
  mostTokens: number
  /** The tokens of each look. */
  tokens: number[]
  /** The number of blocks whose entries and omissions do not add up to the number of conversations. */
  unaccounted: number
  daysWithOmissions: number
  omitted: number
  /** Conversations by the granularity of the entry that tells of them, at the last look. */
  told: Partial<Record<Granularity, number>>
  shown: Partial<Record<Granularity, number>>
  ms: number[]
}

export function nothingSeen(budget: number): Kept {
  return {
    budget,
    looks: 0,
    over: 0,
    mostTokens: 0,
    tokens: [],
    unaccounted: 0,
    daysWithOmissions: 0,
    omitted: 0,
    told: {},
    shown: {},
    ms: [],
  }
}

/** Times a render under the usual budget. */
export async function msOfRender(bank: Bank): Promise<number> {
  const start = performance.now()
  await bank.render()
  return performance.now() - start
}

/** Renders once and checks the block. */
export async function look(kept: Kept, bank: Bank, conversations: number, tokenizer: Tokenizer): Promise<void> {
  const start = performance.now()
  const rendered = await bank.render(kept.budget)
  kept.ms.push(performance.now() - start)
  const tokens = tokenizer.count(rendered.text)
  kept.looks += 1
  kept.over += Number(tokens > kept.budget || tokens !== rendered.tokens)
  kept.tokens.push(tokens)
  kept.mostTokens = Math.max(kept.mostTokens, tokens)
  kept.daysWithOmissions += Number(rendered.omitted > 0)
  kept.omitted = rendered.omitted
  kept.shown = byGranularity(rendered, () => 1)
  kept.told = byGranularity(rendered, ({ conversations: told }) => told)
  const told = Object.values(kept.told).reduce((sum, count) => sum + count, 0)
  kept.unaccounted += Number(told + rendered.omitted !== conversations)
}

function byGranularity(
  { entries }: RenderedBank,
  countOf: (entry: RenderedBank['entries'][number]) => number,
): Partial<Record<Granularity, number>> {
  const counts: Partial<Record<Granularity, number>> = {}
  // The digest beside a pin tells its conversations again; the one beside the newest line does not.
  for (const entry of entries)
    if (!(entry.besideDigest && entry.pinned)) counts[entry.granularity] = (counts[entry.granularity] ?? 0) + countOf(entry)
  return counts
}
