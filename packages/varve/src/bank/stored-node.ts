import type { NamedItem } from '../storage/derived/items.ts'
import { childrenOf } from '../storage/derived/item-lineage.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { BankNode, NodeVersion } from './bank-node.ts'
import { ownedLines, shownLine } from './owned-lines.ts'
import { granularityOf, periodOfPath } from './path.ts'
import type { Program } from '../storage/program.ts'

/** Makes a node of the ladder from a bank's entry. */
export function nodeOf(item: NamedItem): BankNode {
  const title = item.name ?? item.session
  return {
    id: uuidText(item.uuid),
    version: item.ord,
    granularity: granularityOf(item.rung),
    period: periodOfPath(item.period),
    ...(title === null ? {} : { title }),
    bullets: item.content === '' ? [] : item.content.split('\n'),
    conversations: item.conversations,
    firstAt: item.first_at,
    lastAt: item.said_at,
    pinned: item.pinned === 1,
    ...(item.hand === null ? {} : { isCorrected: true as const }),
    children: versionsOf(item),
  }
}

/** Gives a digest's children in the versions from which it was made. */
function versionsOf(item: NamedItem): readonly NodeVersion[] {
  return childrenOf(item).map(([version, id]) => ({ id, version }))
}

/** Makes a node of a shared bank's entry. Each bullet begins with the members whose words it rests on. */
export function* sharedNodeOf(item: NamedItem): Program<BankNode> {
  const lines = yield* ownedLines(item)
  return { ...nodeOf(unnamed(item)), bullets: lines.map(shownLine), members: lines.map(({ members }) => members) }
}

/** Removes the session and its title: a project does not share them. */
export function unnamed(item: NamedItem): NamedItem {
  return { ...item, session: null, name: null }
}
