import { endedStates } from '../facts/superseded.ts'
import type { Span } from '../lineage/span.ts'
import type { PartitionId } from '../scope/partition.ts'
import type { Program } from '../storage/program.ts'
import type { Hit, HitKind } from './hit.ts'
import { supersededIn } from './states.ts'
import { toldIn } from './told-states.ts'

const marked: ReadonlySet<HitKind> = new Set(['gist', 'bank', 'document', 'notes'])

/** The most spans of talk that are looked at for one answer. */
const mostSpans = 500

/** Marks derived texts that tell ended states of the messages on which they rest. A shared text tells no messages. */
export function* withToldStates<Marked extends Hit>(
  partition: PartitionId,
  source: number,
  hits: readonly Marked[],
  now: number,
  asOf?: number,
): Program<readonly Marked[]> {
  const spans = hits.filter(({ kind }) => marked.has(kind)).flatMap(({ lineage }) => lineage)
  const { states } = yield* endedStates(partition, source, eachOnce(spans).slice(0, mostSpans), now, asOf)
  if (states.length === 0) return hits
  return hits.map((hit) => {
    const superseded = marked.has(hit.kind) ? supersededIn(toldIn(hit.text, hit.lineage, states)) : undefined
    return superseded === undefined ? hit : { ...hit, superseded }
  })
}

function eachOnce(spans: readonly Span[]): readonly Span[] {
  return [...new Map(spans.map((span) => [JSON.stringify(span), span])).values()]
}
