import { bankSettings } from '../../bank/settings.ts'
import { partitionId, type PartitionId, projectName } from '../../scope/partition.ts'
import type { ShownItem, ShownSection, StoredContext } from '../../storage/log/past-contexts.ts'
import { partitionById, projectSettings } from '../../storage/partitions.ts'
import type { Program } from '../../storage/program.ts'
import { contextOf, sectionText } from '../assemble.ts'
import type { Tier } from '../context.ts'
import { textHash } from '../shown-record.ts'
import { type BudgetedTier, isTier } from '../tiers.ts'
import { type BankMeans, remadeBank } from './bank.ts'
import { remadeFacts, remadeInstructions } from './known.ts'
import { remadeBlock, remadeDocument, remadeGist, remadeNotes } from './layers.ts'
import { remadeMessages, remadeTurns } from './messages.ts'
import type { PastInput, PastState, Remade } from './remade.ts'

/** The kind of the items in a tier. */
const kindsOfTiers = {
  instructions: 'instruction',
  blocks: 'block',
  profile: 'fact',
  bank: 'bank',
  gists: 'gist',
  documents: 'document',
  notes: 'notes',
  details: 'message',
  recent: 'message',
} as const satisfies Readonly<Record<BudgetedTier, string>>

export type PastKind = (typeof kindsOfTiers)[BudgetedTier]

/** Gives the kind of an item in a tier. */
export function kindIn(tier: BudgetedTier, { kind }: ShownItem): PastKind {
  return kind ?? kindsOfTiers[tier]
}

/** A context that was shown, in short. Times are UTC milliseconds. */
export interface PastContextHead {
  readonly id: string
  readonly project: string
  /** Absent for the anonymous user. */
  readonly user?: string
  /** The session that it was asked for; absent without one. */
  readonly session?: string
  readonly at: number
  /** The exact tokens of its text, and its budget. */
  readonly tokens: number
  readonly maxTokens: number
  /** The number of its items, and of those that were forgotten since. */
  readonly items: number
  readonly forgotten: number
  /** A keyed hash of its question: the same for the same question. The question itself is not kept. */
  readonly question: string
}

/** An item of a past context. */
export interface PastItem {
  readonly kind: PastKind
  /** Absent for an item that was forgotten since. */
  readonly id?: string
  /**
   * `shown` when its line is as it was; `changed` when it has other words now, and `text` is its present line; `gone`
   * when it was forgotten, deleted or replaced.
   */
  readonly state: PastState
  readonly tokens: number
  readonly score?: number
  readonly signals?: readonly { readonly name: string; readonly value: number }[]
  /** The revision that was shown: of a block, a document or notes. */
  readonly revision?: number
  /** Its line; absent when it is gone. */
  readonly text?: string
}

export interface PastSection {
  readonly tier: Tier
  /** The text as it was, with a mark in the place of a line that is gone or has changed. Of a persona it is empty. */
  readonly text: string
  readonly tokens: number
  readonly items: readonly PastItem[]
}

/** What was left out of a past context, by tier and reason. */
export interface PastOmission {
  readonly tier: string
  readonly count: number
  readonly reason: string
}

/** A context that was shown, made again. */
export interface PastContext extends PastContextHead {
  /** True when `text` is, but for a persona, byte for byte what was shown. */
  readonly isSame: boolean
  /** The text without the persona, which is not kept. */
  readonly text: string
  readonly sections: readonly PastSection[]
  readonly omitted: readonly PastOmission[]
  /** The share and the limit of each tier. */
  readonly tiers: Readonly<Record<string, { readonly share: number; readonly limit: number }>>
}

/** What a past context is made again with, beside its record. */
export interface PastMeans extends BankMeans {
  readonly key: string
  readonly now: number
}

/** Gives a stored context in short. */
export function pastHeadOf({ id, project, user, session, at, shown }: StoredContext): PastContextHead {
  const items = shown.sections.flatMap((section) => section.items)
  return {
    id,
    project,
    ...(user === undefined ? {} : { user }),
    ...(session === undefined ? {} : { session }),
    at,
    tokens: shown.tokens,
    maxTokens: shown.maxTokens,
    items: items.length,
    forgotten: items.filter((item) => item.id === undefined).length,
    question: shown.question,
  }
}

/** Gives the partition of a stored context. */
export function shownPartition({ project, user }: StoredContext): PartitionId {
  return partitionId(projectName(project), user === undefined ? { kind: 'anonymous' } : { kind: 'user', name: user })
}

/** A section of a past context, made again. */
export interface RemadeSection {
  readonly tier: Tier
  readonly tokens: number
  readonly items: readonly Remade[]
  readonly text: string
}

/** Makes the sections of a context again. */
export function* remadeSections(means: PastMeans, stored: StoredContext): Program<readonly RemadeSection[]> {
  const partition = shownPartition(stored)
  const owner = yield* partitionById(stored.partition)
  if (owner === undefined) return []
  const { timeZone } = bankSettings(yield* projectSettings(partition.project))
  const input = { partition, owner, key: means.key, at: stored.at, now: means.now, timeZone, shown: stored.shown }
  const sections: RemadeSection[] = []
  for (const { tier, tokens, items } of stored.shown.sections) {
    if (isTier(tier)) sections.push({ tier, tokens, ...(yield* remadeSection(means, input, { tier, items })) })
    else sections.push({ tier: 'persona', tokens, items: [], text: '' })
  }
  return sections
}

function* remadeSection(
  means: PastMeans,
  input: PastInput,
  { tier, items }: Pick<ShownSection, 'items'> & { readonly tier: BudgetedTier },
): Program<{ readonly items: readonly Remade[]; readonly text: string }> {
  if (tier !== 'bank') {
    const made = yield* remadeItems(input, tier, items)
    return { items: made, text: sectionText(tier, made.map(lineOf(tier))) }
  }
  const { items: made, whole } = yield* remadeBank(input, means, items)
  const lines = [...Map.groupBy(made, ({ item }) => item.group)].flatMap(([group, entries]) => {
    const line = whole.get(group)
    return line === undefined ? entries.map(lineOf(tier)) : [{ line, group }]
  })
  return { items: made, text: sectionText(tier, lines) }
}

function* remadeItems(input: PastInput, tier: Exclude<BudgetedTier, 'bank'>, items: readonly ShownItem[]): Program<readonly Remade[]> {
  if (tier === 'recent' || tier === 'details') return yield* remadeMessages(input, tier, items)
  if (tier === 'profile') return yield* remadeFacts(input, items)
  if (tier === 'instructions') return yield* remadeInstructions(input, items)
  const one = { blocks: remadeBlock, gists: remadeGist, documents: remadeDocument, notes: remadeNotes }[tier]
  const turns = yield* remadeTurns(
    input,
    items.filter(({ kind }) => kind === 'message'),
  )
  const made: Remade[] = []
  for (const item of items) made.push(turns.get(item) ?? (yield* one(input, item)))
  return made
}

function lineOf(tier: BudgetedTier) {
  // An entry of a bank ends its own line.
  const ended = (line: string): string => (tier === 'bank' ? line.trimEnd() : line)
  return ({ state, line, heading, item }: Remade) => {
    const { group } = item
    if (state === 'gone' || line === undefined) return { line: `[gone since: ${kindIn(tier, item)}]`, heading, group }
    return { line: state === 'changed' ? `[changed since] ${ended(line)}` : ended(line), heading, group }
  }
}

/** Makes a past context again, with marks where something is gone or has changed. */
export function* pastContextOf(means: PastMeans, stored: StoredContext): Program<PastContext> {
  const sections = yield* remadeSections(means, stored)
  const { shown } = stored
  const texts = sections.filter(({ tier }) => tier !== 'persona').map(({ text }) => text)
  return {
    ...pastHeadOf(stored),
    isSame: shown.text !== undefined && textHash(means.key, texts) === shown.text,
    text: contextOf('', texts, means.key),
    sections: sections.map(({ tier, tokens, text, items }) => ({ tier, text, tokens, items: items.map((one) => itemOf(tier, one)) })),
    omitted: shown.omitted.map(({ tier, count, reason }) => ({ tier, count, reason })),
    tiers: Object.fromEntries(Object.entries(shown.tiers).map(([tier, [share, limit]]) => [tier, { share, limit }])),
  }
}

function itemOf(tier: Tier, { item, state, line }: Remade): PastItem {
  const { id, tokens, score, signals, revision } = item
  return {
    kind: kindIn(tier === 'persona' ? 'details' : tier, item),
    ...(id === undefined ? {} : { id }),
    state,
    tokens,
    ...(score === undefined ? {} : { score }),
    ...(signals === undefined ? {} : { signals: signals.map(([name, value]) => ({ name, value })) }),
    ...(revision === undefined ? {} : { revision }),
    ...(state === 'gone' || line === undefined ? {} : { text: line }),
  }
}
