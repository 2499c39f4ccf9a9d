import { pathOf } from '../bank/path-of-day.ts'
import { composedLayersIn } from '../layers/all.ts'
import { extractive, type Sentence } from '../models/writer.ts'
import { itemsAround } from '../storage/derived/items.ts'
import { spansOf } from '../storage/derived/item-lineage.ts'
import { sessionRowById } from '../storage/log/sessions.ts'
import { findShared, nearTo } from '../storage/partitions.ts'
import { partsOf, sentencesOf, type PlacedSession } from '../storage/derived/parts.ts'
import { abreast, type Program } from '../storage/program.ts'
import type { ItemTable, PartTable } from '../storage/schema.ts'

/** A gist or a leaf that is to be made anew from the standing parts. */
export interface Outline {
  /** A bit of storage/layers.ts. */
  readonly layer: number
  readonly period: string
  /** The ordinal of the standing item; 0 when there is none. */
  readonly basis: number
  /** A person's words in its place, and the last place in the session that they stand for. */
  readonly hand: string | null
  readonly handSeq: number
  /** Parts with text, in the order of the talk. */
  readonly parts: readonly OutlinePart[]
  /** The standing item, where a model may go on from it: it holds all parts but the newer ones. */
  readonly before: Before | undefined
  /** The messages that a person's words stand for, if there are such words. */
  readonly standsFor: CoveredMessages | undefined
  /** The number of messages that all of it is made from. */
  readonly messages: number
  /** The language of the session (ISO 639-1; '' for unknown). */
  readonly language: string
}

/** A model's words on the first parts of a session. */
export interface Before {
  readonly sentences: readonly Sentence[]
  readonly newer: readonly OutlinePart[]
}

/** Messages that a person's words stand for: places in the session, and their times. */
export interface CoveredMessages {
  readonly spans: readonly (readonly [from: number, to: number])[]
  readonly first: number
  readonly last: number
}

export interface OutlinePart {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly messages: number
  readonly firstAt: number
  readonly lastAt: number
  readonly sentences: readonly Sentence[]
  readonly writer: string
  readonly provisional: boolean
}

/** The outlines to compose, and bits of the layers that have provisional parts. */
export interface Outlines {
  readonly outlines: readonly Outline[]
  readonly provisional: number
}

/**
 * Finds the items of a session that must be composed anew: its gist and the leaves of its sittings. An item is due when
 * its parts have changed, or when it is provisional and may be written again.
 */
export function* outlines({ partition, session }: PlacedSession, project: number, wanted: number, again: boolean): Program<Outlines> {
  const [parts, near, shared = { id: 0 }, { language } = { language: '' }] = yield* abreast([
    partsOf(partition, session),
    nearTo(partition),
    findShared(project),
    sessionRowById(partition, session),
  ])
  const items = yield* itemsAround(near, session)
  const found: Outline[] = []
  for (const { bit: layer, isShared, composing } of composedLayersIn(wanted)) {
    const { kind, isByDay } = composing
    const stand = items.filter((item) => item.kind === kind && (item.partition_id === shared.id) === isShared)
    const periodOf = ({ sitting }: PartTable): string => (isByDay ? pathOf(sitting) : '')
    const said = parts.filter((part) => part.layer === layer).map(periodOf)
    for (const period of new Set([...(isByDay ? said : ['']), ...stand.map((item) => item.period)])) {
      found.push(
        ...changed(
          { layer, period, again, language },
          parts.filter((part) => periodOf(part) === period),
          stand.find((item) => item.period === period),
        ),
      )
    }
  }
  return { outlines: found, provisional: parts.reduce((bits, part) => (part.provisional === 1 ? bits | part.layer : bits), 0) }
}

function changed(
  { layer, period, again, language }: { layer: number; period: string; again: boolean; language: string },
  all: readonly PartTable[],
  old: ItemTable | undefined,
): Outline[] {
  const handSeq = old?.hand_seq ?? 0
  const parts = all.filter((part) => part.layer === layer && part.to_seq > handSeq && part.content !== null && part.content !== '')
  const hand = old?.hand ?? null
  const isSame = old !== undefined && !(again && old.provisional === 1) && old.made_of === JSON.stringify(parts.map(({ id }) => id))
  if (isSame || (old === undefined && parts.length === 0)) return []
  const outlined = parts.map((part) => outlinePart(part, handSeq))
  const count = all.filter((part) => part.layer === layer && part.content !== null).reduce((sum, part) => sum + part.messages, 0)
  return [
    {
      layer,
      period,
      basis: old?.ord ?? 0,
      hand,
      handSeq,
      parts: outlined,
      before: old === undefined || hand !== null ? undefined : beforeOf(old, outlined),
      standsFor: old === undefined || hand === null ? undefined : standsForOf(old),
      // When a person wrote it before anything was read, only the item knows how many messages it stands for.
      messages: hand === null ? count : Math.max(count, old?.messages ?? 0),
      language,
    },
  ]
}

/** Gives the standing item as the beginning of the next one: a model wrote it, and all that it was made from stands. */
function beforeOf(old: ItemTable, parts: readonly OutlinePart[]): Before | undefined {
  const made = new Set<number>(JSON.parse(old.made_of))
  const newer = parts.filter(({ id }) => !made.has(id))
  const stands = spansOf(old).every(([first, last]) => parts.some(({ from, to }) => from <= first && to >= last))
  if (old.provisional === 1 || old.writer === extractive || newer.length === parts.length || !stands) return undefined
  return { sentences: sentencesOf(old), newer }
}

function standsForOf(old: ItemTable): CoveredMessages {
  const spans = spansOf(old)
    .filter(([from]) => from <= old.hand_seq)
    .map(([from, to]) => [from, Math.min(to, old.hand_seq)] as const)
  return { spans, first: old.first_at, last: old.said_at }
}

/** Makes an outline's part. Where a person's words stand for its first messages, it keeps only sentences on later ones. */
function outlinePart(part: PartTable, handSeq: number): OutlinePart {
  return {
    id: part.id,
    from: part.from_seq,
    to: part.to_seq,
    messages: part.messages,
    firstAt: part.first_at,
    lastAt: part.last_at,
    sentences: sentencesOf(part).filter(({ from }) => handSeq === 0 || from.some((seq) => seq > handSeq)),
    writer: part.writer,
    provisional: part.provisional === 1,
  }
}
