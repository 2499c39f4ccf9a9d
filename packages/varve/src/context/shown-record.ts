import { hash } from 'node:crypto'
import type { ShownContext, ShownCut, ShownItem, ShownOmission } from '../storage/log/past-contexts.ts'
import type { BankBlocks } from './banks.ts'
import type { Candidate, Made } from './candidates.ts'
import type { Context, Tier } from './context.ts'
import type { ContextRequest } from './request.ts'
import { type BudgetedTier, perTier, renderedTiers } from './tiers.ts'

/** A candidate in its place among the lines of its tier. */
export interface Placed {
  readonly candidate: Candidate
  readonly tokens: number
  readonly group: number
}

/** An assembled context, and what it was chosen from. */
interface Chosen {
  readonly key: string
  readonly context: Context
  readonly placed: ReadonlyMap<Tier, readonly Placed[]>
  readonly wanted: ReadonlyMap<BudgetedTier, readonly Candidate[]>
  /** The details that were left out before the choice, since another one says the same. */
  readonly repeats: number
  readonly banks: BankBlocks
  readonly excluded: number | undefined
  readonly running: number | undefined
}

/** A kept score has four places of decimals. */
const precision = 10_000

/** Makes a record of a context: ids, revisions, scores and keyed hashes. No word of the question, of an item or of the persona is in it. */
export function shownRecord(request: ContextRequest, chosen: Chosen): ShownContext {
  const { key, context, placed, wanted, repeats, banks, excluded, running } = chosen
  const bank = placed.get('bank') ?? []
  return {
    question: keyed(key, 'question', request.recall.query),
    maxTokens: request.maxTokens,
    tokens: context.tokens,
    text: textHash(
      key,
      context.sections.filter(({ tier }) => tier !== 'persona').map(({ text }) => text),
    ),
    tiers: perTier((tier): readonly [number, number] => [request.tiers[tier].share, request.tiers[tier].limit]),
    sections: context.sections.map(({ tier, tokens }) => ({
      tier,
      tokens,
      items: (placed.get(tier) ?? []).flatMap((one) => itemsOf(one, key)),
    })),
    ...(bank.length === 0
      ? {}
      : {
          banks: {
            room: banks.room,
            hashes: bank.map(({ candidate }) => shownLineHash(key, candidate)),
            upTo: banks.upTo,
            ...(excluded === undefined ? {} : { excluded }),
            ...(running === undefined ? {} : { running }),
          },
        }),
    omitted: omissions(context, key),
    cuts: renderedTiers.flatMap((tier) =>
      cutOf(tier, request.tiers[tier].limit - (tier === 'details' ? repeats : 0), wanted.get(tier) ?? []),
    ),
  }
}

/** Lists the ids in a record by which an erasure finds it. */
export function recordedIds({ sections }: ShownContext): string[] {
  return [...new Set(sections.flatMap(({ items }) => items.flatMap(({ id, by = [] }) => (id === undefined ? by : [id, ...by]))))]
}

/** Gives the keyed hash of a line and its heading. */
export function shownLineHash(
  key: string,
  { heading = '', line }: { readonly heading?: string | undefined; readonly line: string },
): string {
  return keyed(key, 'line', `${heading}\n${line}`)
}

/** Gives the keyed hash of a context's sections. */
export function textHash(key: string, sections: readonly string[]): string {
  return keyed(key, 'text', sections.join('\n\n'))
}

/** Gives the keyed hash of an id that was left out: a reader who has the id finds it again, nobody reads it. */
export function omissionMark(key: string, id: string): string {
  return keyed(key, 'left out', id)
}

/** 11 letters: 66 bits. */
function keyed(key: string, what: string, text: string): string {
  return hash('sha256', `${what} ${key}\n${text}`, 'base64url').slice(0, 11)
}

function itemsOf({ candidate, tokens, group }: Placed, key: string): ShownItem[] {
  if (candidate.parts === undefined) return [itemOf(candidate.id, { tokens, group, hash: shownLineHash(key, candidate) }, candidate.made)]
  return candidate.parts.map(({ id, line, made }, place) =>
    itemOf(id, { tokens: place === 0 ? tokens : 0, group, hash: shownLineHash(key, { line }) }, made),
  )
}

function itemOf(id: string, shown: Pick<ShownItem, 'tokens' | 'group'> & { readonly hash: string }, made: Made = {}): ShownItem {
  const { kind, score, signals = [], revision, ranges, by = [] } = made
  return {
    id,
    ...shown,
    ...(kind === undefined ? {} : { kind }),
    ...(score === undefined ? {} : { score: rounded(score) }),
    ...(signals.length === 0 ? {} : { signals: signals.map(({ name, value }) => [name, rounded(value)] as const) }),
    ...(revision === undefined ? {} : { revision }),
    ...(ranges === undefined ? {} : { ranges: ranges.flatMap(({ from, to }) => [from, to]) }),
    ...(by.length === 0 ? {} : { by: [...new Set(by)] }),
  }
}

function rounded(value: number): number {
  return Math.round(value * precision) / precision
}

/** Gathers what was left out by tier and reason. */
function omissions({ omitted }: Context, key: string): ShownOmission[] {
  const found = new Map<string, { tier: string; count: number; reason: string; marks: string[] }>()
  for (const { tier, id, count, reason: told } of omitted) {
    const reason = told.replace(/^its \d+ tokens do/, 'its tokens do')
    const one = found.get(`${tier} ${reason}`) ?? { tier, count: 0, reason, marks: [] }
    one.count += count
    if (id !== undefined) one.marks.push(omissionMark(key, id))
    found.set(`${tier} ${reason}`, one)
  }
  return [...found.values()].map(({ marks, ...one }) => (marks.length === 0 ? one : { ...one, marks }))
}

function cutOf(tier: BudgetedTier, limit: number, candidates: readonly Candidate[]): ShownCut[] {
  if (tier === 'bank' || limit <= 0 || candidates.length < limit) return []
  const scores = candidates.flatMap(({ made }) => made?.score ?? [])
  return [{ tier, count: candidates.length, ...(scores.length === 0 ? {} : { score: rounded(Math.min(...scores)) }) }]
}
