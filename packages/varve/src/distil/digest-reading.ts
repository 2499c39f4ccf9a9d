import { estimateTokenCount } from 'tokenx'
import { dueDigests } from '../bank/due-digests.ts'
import type { Granularity } from '../bank/granularity.ts'
import type { KeptNodes } from '../bank/kept-nodes.ts'
import { nodesToDigest } from '../bank/nodes.ts'
import { ownedLines } from '../bank/owned-lines.ts'
import { unnamed } from '../bank/stored-node.ts'
import { granularityOf, pathAt, periodOfPath, rungOf } from '../bank/path.ts'
import { periodLabel } from '../bank/periods.ts'
import { type DueBank, provisionalDigests } from '../storage/derived/banks.ts'
import { entriesIn, itemsAt, type NamedItem } from '../storage/derived/items.ts'
import { childrenOf, standsForOf } from '../storage/derived/item-lineage.ts'
import type { Program } from '../storage/program.ts'
import type { ItemTable } from '../storage/schema.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { DigestChild, DigestOutline } from './digest-outline.ts'
import { settingsOf } from './settings.ts'

/** The most provisional digests that are written again in one go. */
const mostAgain = 64

/**
 * Finds the digests that are due in a bank. With a model back, it adds those that were written without it. Tokens are
 * estimated: the excess over the budget need not be exact.
 */
export function* digestOutlines(kept: KeptNodes, bank: DueBank, now: number, again: boolean): Program<readonly DigestOutline[]> {
  const { bankTokens: maxTokens, timeZone, overBudget, ages, settleMs } = settingsOf(bank.settings)
  const nodes = yield* nodesToDigest(
    kept,
    { id: bank.partition, epoch: bank.epoch, isShared: bank.isShared },
    Math.ceil(maxTokens * overBudget),
  )
  const due = dueDigests(nodes, { maxTokens, now, timeZone, count: estimate, overBudget, ages, settleMs })
  const found: DigestOutline[] = []
  for (const { granularity, children } of due) {
    const outline = yield* outlineOf(
      bank,
      granularity,
      children.map(({ version }) => version),
    )
    if (outline !== undefined) found.push(outline)
  }
  const known = new Set(found.map(({ path }) => path))
  for (const digest of again ? yield* provisionalDigests({ id: bank.partition }, mostAgain) : []) {
    if (known.has(digest.period)) continue
    const outline = yield* outlineOf(
      bank,
      granularityOf(digest.rung),
      childrenOf(digest).map(([ord]) => ord),
    )
    if (outline !== undefined) found.push(outline)
  }
  return found
}

/** One function, since counts are remembered by it. */
const estimate = (text: string): number => estimateTokenCount(text)

/** Reads the entries of a digest. Undefined when some were changed or erased meanwhile: then the digest is due again. */
function* outlineOf(
  { partition, isShared, settings }: DueBank,
  granularity: Granularity,
  ords: readonly number[],
): Program<DigestOutline | undefined> {
  const items = (yield* itemsAt(partition, ords)).toSorted((a, b) => a.first_at - b.first_at || a.ord - b.ord)
  const [first] = items
  if (first === undefined || items.length !== ords.length) return undefined
  const path = pathAt(first.period, granularity)
  const [old] = yield* entriesIn(partition, rungOf(granularity), path)
  return {
    partition,
    isShared,
    granularity,
    path,
    basis: old?.ord ?? 0,
    hand: old?.hand ?? null,
    children: yield* childrenIn(items, isShared, old),
    isTrivial: items.length === 1,
    memberShare: isShared ? settingsOf(settings).memberShare : 1,
  }
}

function* childrenIn(items: readonly NamedItem[], isShared: boolean, old: ItemTable | undefined): Program<readonly DigestChild[]> {
  const children: DigestChild[] = []
  for (const item of items) {
    const members = isShared ? (yield* ownedLines(item)).map((line) => line.members) : []
    children.push({ ...childOf(isShared ? unnamed(item) : item, old), members })
  }
  return children
}

function childOf(item: NamedItem, old: ItemTable | undefined): Omit<DigestChild, 'members'> {
  const id = uuidText(item.uuid)
  const title = item.name === null ? '' : ` ${item.name}`
  return {
    child: [item.ord, id],
    label: `${periodLabel(granularityOf(item.rung), periodOfPath(item.period))}${title}`,
    bullets: item.content === '' ? [] : item.content.split('\n'),
    conversations: item.conversations,
    messages: item.messages,
    firstAt: item.first_at,
    lastAt: item.said_at,
    writer: item.writer,
    provisional: item.provisional === 1,
    isNew: old === undefined || !isToldOf(item, id, old),
  }
}

/**
 * Tells whether the standing digest covers a child. A person's words cover the children that they stand for. They do
 * not cover a child that went on or was corrected since. They still cover one that was only written anew, of as many
 * messages.
 */
function isToldOf(item: NamedItem, id: string, old: ItemTable): boolean {
  const [listed] = childrenOf(old).find(([, child]) => child === id) ?? []
  const standsFor = standsForOf(old)
  if (old.hand === null || standsFor.length === 0) return listed !== undefined
  const isSame = item.hand === null && standsFor.some(([ord, messages]) => ord === listed && messages === item.messages)
  return isSame || standsFor.some(([ord]) => ord === item.ord)
}
