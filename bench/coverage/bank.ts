import { frontier } from '../../packages/varve/src/bank/frontier.ts'
import { localDay } from '../../packages/varve/src/bank/periods.ts'
import type { Tokenizer } from '../../packages/varve/src/models/tokenizer.ts'
import type { ExtractiveWriter } from '../../packages/varve/src/models/writer.ts'

/** The bullets written of one session. */
export interface Leaf {
  readonly begin: number
  readonly bullets: readonly string[]
}

const timeZone = 'UTC'
const hourMs = 3_600_000

/**
 * Returns the bank block of a prompt an hour after the last session. It uses the product's own frontier over the
 * sessions' leaves, and writes digests where that frontier wants them.
 */
export function rendered(leaves: readonly Leaf[], writer: ExtractiveWriter, tokenizer: Tokenizer, maxTokens: number): string {
  const nodes = leaves.map(({ begin, bullets }, place) => ({
    id: `session ${place}`,
    version: 1,
    granularity: 'conversation' as const,
    period: localDay(begin, timeZone),
    bullets,
    conversations: 1,
    firstAt: begin,
    lastAt: begin,
    pinned: false,
    children: [],
  }))
  const now = Math.max(...leaves.map(({ begin }) => begin)) + hourMs
  return frontier(nodes, { maxTokens, now, timeZone, count: tokenizer.count, digest: (sources, bounds) => writer.digest(sources, bounds) })
    .text
}
