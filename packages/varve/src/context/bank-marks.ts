import type { BankNode } from '../bank/bank-node.ts'
import type { LoadedNodes } from '../bank/nodes.ts'
import type { Marking } from '../bank/shown-banks.ts'
import { type EndedState, endedStates } from '../facts/superseded.ts'
import type { Span } from '../lineage/span.ts'
import { itemLineage } from '../recall/derived-hits.ts'
import { supersededIn } from '../recall/states.ts'
import { toldIn } from '../recall/told-states.ts'
import type { PartitionId } from '../scope/partition.ts'
import { itemsAt } from '../storage/derived/items.ts'
import type { Here } from '../storage/here.ts'
import { findDerived, findKnown, findPartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { endedBy, endNotes, withEndNotes } from './ended-notes.ts'

const dayMs = 86_400_000

/** The most spans of talk that are looked at for one bank. */
const mostSpans = 2_000

interface Marked {
  readonly state: string
  readonly loaded: LoadedNodes
}

/**
 * Banks whose bullets say which of their states have ended. They are kept as long as the loaded bank is: until its
 * facts change, or for a day.
 */
export class BankMarks {
  readonly #kept = new WeakMap<LoadedNodes, Marked>()

  /** Gives the marking of a partition's own bank. The project's bank stays as it is: its members' facts are their own. */
  marking(partition: PartitionId, now: number): Marking {
    return (loaded) => this.#mark(partition, loaded, now)
  }

  *#mark(partition: PartitionId, loaded: LoadedNodes, now: number): Program<Marked> {
    const known = yield* findKnown(partition)
    if (known === undefined || known.messages === 0) return { state: '', loaded }
    const state = `${known.id} ${known.seq} ${known.epoch} ${Math.floor(now / dayMs)}`
    const before = this.#kept.get(loaded)
    if (before?.state === state) return before
    const marked = { state, loaded: { ...loaded, nodes: yield* markedNodes(partition, loaded.nodes, now) } }
    this.#kept.set(loaded, marked)
    return marked
  }
}

/** Puts notes into bullets whose states have ended, as far as was known at a time. */
export function* markedNodes(partition: PartitionId, nodes: readonly BankNode[], now: number, asOf?: number): Program<readonly BankNode[]> {
  const [owner, source] = [yield* findDerived(partition), yield* findPartition(partition)]
  if (owner === undefined || source === undefined) return nodes
  const lineages = new Map<number, readonly Span[]>()
  for (const item of yield* itemsAt(
    owner.id,
    nodes.map(({ version }) => version),
    source.id,
  ))
    lineages.set(item.ord, yield* itemLineage(item, false))
  const spans = new Map([...lineages.values()].flat().map((span) => [JSON.stringify(span), span]))
  const { states } = yield* endedStates(partition, source.id, [...spans.values()].slice(0, mostSpans), now, asOf)
  return states.length === 0 ? nodes : nodes.map((node) => markedNode(node, lineages.get(node.version) ?? [], states))
}

function markedNode(node: BankNode, lineage: readonly Span[], states: readonly EndedState[]): BankNode {
  const told = node.bullets.map((bullet) => supersededIn(toldIn(bullet, lineage, states)))
  const notes = told.map(endNotes)
  const all = notes.flat().map(({ note }) => note)
  if (all.length === 0) return node
  return {
    ...node,
    bullets: node.bullets.map((bullet, place) => withEndNotes(bullet, notes[place] ?? [])),
    notes: all.join(''),
    endedBy: told.flatMap(endedBy),
  }
}

/** Gives the marks of banks that are kept in a place. */
export function bankMarksIn(here: Pick<Here, 'keep'>): BankMarks {
  return here.keep(BankMarks, () => new BankMarks())
}
