import { wordsOfFact } from '../facts/predicates.ts'
import { itemTerms } from '../index/item-terms.ts'
import { languageOfTerms, readTerms } from '../index/terms-codec.ts'
import type { AssertionSourceTable, InstructionTable } from '../storage/known-tables.ts'
import { childrenOf, standsForOf, storedSpans } from '../storage/derived/item-lineage.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { kindOfItem } from '../storage/kinds.ts'
import { layersIn } from '../storage/layers.ts'
import type { PartTable } from '../storage/schema.ts'
import type { ExportedAssertion, ExportedItem, StandingChild } from '../storage/transfer/derived-rows.ts'
import { uuidText } from '../storage/uuid-bytes.ts'
import type { RecordOf } from './records.ts'
import { listsIn, textsIn } from './stored-json.ts'

export function partRecord(row: PartTable, session: string): RecordOf<'part'> {
  const [layer = 'gists'] = layersIn(row.layer)
  return {
    kind: 'part',
    session,
    layer,
    from: row.from_seq,
    to: row.to_seq,
    messages: row.messages,
    sitting: row.sitting,
    firstAt: row.first_at,
    lastAt: row.last_at,
    writer: row.writer,
    provisional: row.provisional === 1,
    at: row.written_at,
    sources: listsIn(row.sources),
    ...(row.content === null ? {} : { content: row.content }),
  }
}

/** The rows that an item refers to by their numbers in the store. */
export interface Referred {
  /** Entries that stand, by ordinal. */
  readonly children: ReadonlyMap<number, StandingChild>
  /** The first message of each part, by the part's number. */
  readonly parts: ReadonlyMap<number, Pick<PartTable, 'from_seq'>>
  /** True for the bank that a project shares. */
  readonly isShared: boolean
}

/** Returns the record of an item. Numbers of the store become ids, places and numbers within the record. */
export function itemRecord(row: ExportedItem, referred: Referred): RecordOf<'item'> {
  const type = kindOfItem(row.kind) ?? 'gist'
  const isDigest = row.rung > 0
  return {
    kind: 'item',
    id: uuidText(row.uuid),
    type,
    ...(row.session === null ? {} : { session: row.session }),
    ...(referred.isShared && row.member !== null ? { member: row.member } : {}),
    ...(referred.isShared && row.title !== null ? { title: row.title } : {}),
    ...(row.page === null ? {} : { page: uuidText(row.page) }),
    rung: row.rung,
    period: row.period,
    spans: isDigest ? [] : storedSpans(row).map(([from, to]) => [from, to]),
    ...(isDigest ? digestFields(row, referred) : leafFields(row, referred)),
    handSeq: row.hand_seq,
    pinned: row.pinned === 1,
    messages: row.messages,
    conversations: row.conversations,
    firstAt: row.first_at,
    lastAt: row.said_at,
    recordedAt: row.recorded_at,
    writer: row.writer,
    provisional: row.provisional === 1,
    language: languageOfTerms(row.terms),
    ...(row.hand === null ? {} : { hand: row.hand }),
    content: row.content,
  }
}

function leafFields({ kind, made_of, sources }: ExportedItem, { parts }: Referred): Pick<RecordOf<'item'>, 'parts' | 'sources'> {
  const made: readonly number[] = JSON.parse(made_of)
  const isMade = kind === itemKinds.gist || kind === itemKinds.bank
  return { ...(isMade ? { parts: made.flatMap((id) => parts.get(id)?.from_seq ?? []) } : {}), sources: listsIn(sources) }
}

/** A digest's children are named by id. Its lines name them by their place in that list. */
function digestFields(row: ExportedItem, { children: standing }: Referred): Pick<RecordOf<'item'>, 'children' | 'sources' | 'corrected'> {
  const [children, noted] = [childrenOf(row), standsForOf(row)]
  const places = new Map(children.map(([ord], place) => [ord, place]))
  const messagesOf = new Map(noted)
  const sources: readonly (readonly number[])[] = JSON.parse(row.sources)
  return {
    children: children.map(([ord, id]) => {
      const child = standing.get(ord)
      const messages = messagesOf.get(ord)
      return {
        id,
        stands: child !== undefined && uuidText(child.uuid) === id,
        covered: child?.covered_by === row.ord,
        ...(messages === undefined ? {} : { messages }),
      }
    }),
    sources: sources.map((from) => from.flatMap((ord) => places.get(ord) ?? [])),
    ...(noted.length > 0 ? { corrected: true } : {}),
  }
}

const saysOf = ['is', 'ends', 'wrong'] as const

export function factRecord(
  row: ExportedAssertion,
  sources: readonly (AssertionSourceTable & { readonly session: string })[],
  ends: readonly number[],
  label: string,
): RecordOf<'fact'> {
  return {
    kind: 'fact',
    number: row.ord,
    id: uuidText(row.fact),
    says: saysOf[row.says] ?? 'is',
    subject: row.subject,
    predicate: row.predicate,
    object: row.object,
    keys: {
      subject: row.subject_key,
      predicate: row.predicate_key,
      object: row.object_key,
      ...(row.instead_key === null ? {} : { instead: row.instead_key }),
    },
    ...(row.valid_from === null ? {} : { validFrom: row.valid_from }),
    ...(row.valid_until === null ? {} : { validUntil: row.valid_until }),
    at: row.said_at,
    recordedAt: row.recorded_at,
    ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
    confidence: row.confidence,
    single: row.single === 1,
    ...(row.phrase === null ? {} : { phrase: row.phrase }),
    ...(row.when_from === null && row.when_to === null ? {} : { when: [row.when_from, row.when_to] }),
    dependsOn: textsIn(row.depends_on),
    writer: row.writer,
    ...(row.session === null ? {} : { session: row.session }),
    ofOther: row.of_other,
    ...(row.noted === null ? {} : { notedIn: row.noted }),
    passing: row.passing,
    compared: row.compared === 1,
    language: languageOfTerms(row.terms),
    sources: sources.map(({ session, seq, starts, ends: to }) => [session, seq, starts, to]),
    ...(ends.length === 0 ? {} : { ends: [...ends] }),
    ...searchedBy(row, label),
  }
}

/** Returns the words by which a fact is found, unless they are those of its text. */
function searchedBy({ terms, traits, ...row }: ExportedAssertion, label: string): Pick<RecordOf<'fact'>, 'searched'> {
  if (terms === null || traits === null) return {}
  const usual = itemTerms(wordsOfFact(label, row), languageOfTerms(terms))
  if (usual.traits === traits && Buffer.compare(usual.terms, terms) === 0) return {}
  const { terms: words, length } = readTerms(terms)
  return { searched: { words, length, traits } }
}

export function instructionRecord(row: InstructionTable, session: string | undefined, noted?: string): RecordOf<'instruction'> {
  return {
    kind: 'instruction',
    id: uuidText(row.uuid),
    ...(session === undefined ? {} : { session }),
    seq: row.seq,
    starts: row.starts,
    ends: row.ends,
    at: row.said_at,
    recordedAt: row.recorded_at,
    ...(row.edited_at === null ? {} : { editedAt: row.edited_at }),
    ...(row.withdrawn_at === null ? {} : { withdrawnAt: row.withdrawn_at }),
    takesBack: row.takes_back === 1,
    compared: row.compared === 1,
    provisional: row.provisional === 1,
    writer: row.writer,
    ...(noted === undefined ? {} : { notedIn: noted }),
    ended: textsIn(row.ended),
    ...(row.hand === null ? {} : { hand: row.hand }),
    content: row.content,
  }
}
