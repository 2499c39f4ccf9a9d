import { ownName } from '../facts/entities.ts'
import { receiptsOfOwner } from '../storage/erase/receipt-owners.ts'
import { fitting, type Sized } from '../storage/listed.ts'
import { forgottenAfter } from '../storage/log/forgotten-ids.ts'
import { addedInstructions } from '../storage/derived/instructions.ts'
import { childrenOf } from '../storage/derived/item-lineage.ts'
import { itemKinds } from '../storage/derived/items.ts'
import { spansIn } from '../storage/pages/authors.ts'
import { type LineageRow, lineagesOf, pageRevisionAt } from '../storage/pages/page-revisions.ts'
import { abreast, type Program } from '../storage/program.ts'
import type { ItemTable } from '../storage/schema.ts'
import {
  assertionsAfter,
  beginningsOfParts,
  childrenStanding,
  endsByAssertions,
  type ExportedItem,
  instructionsReadIn,
  itemsBetween,
  namesMerged,
  partsIn,
  sizesOfItems,
  sourcesOfAssertions,
} from '../storage/transfer/derived-rows.ts'
import { firstPlacesAfter, messagesIn, sessionsIn, sizesOfMessages, sizesOfSessions } from '../storage/transfer/log-rows.ts'
import {
  blockRevisionsIn,
  blocksBetween,
  type ExportedPage,
  keysOfBlocks,
  keysOfPages,
  namesOfSessions,
  pageFactsIn,
  pageRevisionsIn,
  pagesBetween,
  sizesOfBlockRevisions,
  sizesOfPageRevisions,
} from '../storage/transfer/page-rows.ts'
import { factRecord, instructionRecord, itemRecord, partRecord } from './derived-lines.ts'
import { assertNothingErased, type ExportState, partitionsNow, type OwnRows } from './export-state.ts'
import { lineOf, messageLine, readingRecord, receiptRecord, sessionRecord } from './log-lines.ts'
import { blockRecord, blockRevisionRecord, namedSpans, pageFactRecord, pageRecord, pageRevisionRecord } from './page-lines.ts'
import { numbersIn } from './stored-json.ts'

/** The place in a section after which a page begins: the key of a row, and a key below it. */
export interface SectionPlace {
  readonly after: number
  readonly below: number
}

/** Lines of a section, and the place of its next page; undefined at its end. */
export interface SectionPage {
  readonly lines: readonly string[]
  readonly next: SectionPlace | undefined
  /** Rises when rows of the section are rewritten: then the section is read again. */
  readonly version: number
}

type Found = Omit<SectionPage, 'version'>
type Read = (state: ExportState, standing: OwnRows, place: SectionPlace) => Program<Found>

interface Section {
  readonly read: Read
  /** Whose rows it reads. */
  readonly of: keyof OwnRows
}

/** The most rows and the most text of a page. A page has at least one row. */
const pageRows = 500
const pageBytes = 512 * 1024

export const sectionBegin: SectionPlace = { after: 0, below: 0 }

const nothing: Found = { lines: [], next: undefined }

/** Returns the rows that one page holds: as many as fit, and one at least. */
function onPage(rows: readonly Sized[], most: number): readonly Sized[] {
  let bytes = 0
  const end = rows.findIndex((row, place) => {
    bytes += row.bytes
    return place > 0 && bytes > pageBytes
  })
  return fitting(end === -1 ? rows : rows.slice(0, end), most)
}

/** Reads rows with keys in a range, a page of them. */
function* pageOfRows(
  sizes: (limit: number) => Program<readonly Sized[]>,
  lines: (after: number, upTo: number) => Program<readonly string[]>,
  after: number,
  most = pageRows,
): Program<Found> {
  const found = yield* sizes(most + 1)
  const some = onPage(found, most)
  const last = some.at(-1)?.key
  if (last === undefined) return nothing
  return { lines: yield* lines(after, last), next: some.length < found.length ? { after: last, below: 0 } : undefined }
}

const messages: Read = ({ lastMessage: upTo }, { own }, { after }) => {
  const partition = own?.id ?? 0
  return pageOfRows(
    (limit) => sizesOfMessages({ partition, after, upTo }, limit),
    function* (from, to) {
      return (yield* messagesIn({ partition, after: from, upTo: to })).map(messageLine)
    },
    after,
  )
}

/** Reads sessions, and something of each page of them. `cut` is the first place in each that the export leaves out. */
function ofSessions(
  lines: (
    sessions: readonly Sized[],
    cut: ReadonlyMap<number, number>,
    range: { after: number; upTo: number },
    own: number,
  ) => Program<readonly string[]>,
): Read {
  return ({ lastSession: upTo, lastMessage }, { own }, { after }) => {
    const partition = own?.id ?? 0
    return pageOfRows(
      (limit) => sizesOfSessions({ partition, after, upTo }, limit),
      function* (from, to) {
        const cut = yield* firstPlacesAfter(partition, lastMessage)
        return yield* lines(
          yield* sizesOfSessions({ partition, after: from, upTo: to }, pageRows),
          cut,
          { after: from, upTo: to },
          partition,
        )
      },
      after,
      sessionsAtOnce,
    )
  }
}

/** Sessions whose layers are read together. */
const sessionsAtOnce = 50

const sessions = ofSessions(function* (_, cut, range, partition) {
  return (yield* sessionsIn({ partition, ...range })).map((row) => lineOf(sessionRecord(row, cut.get(row.id))))
})

const readings = ofSessions(function* (_, cut, range, partition) {
  return (yield* sessionsIn({ partition, ...range })).map((row) => lineOf(readingRecord(row, cut.get(row.id))))
})

type Cut = ReadonlyMap<number, number>

/** Tells whether a place in a session is among those that the export has. */
function isIn(cut: Cut, session: number, seq: number): boolean {
  return seq < (cut.get(session) ?? Number.POSITIVE_INFINITY)
}

const pageFacts = ofSessions(function* (some, cut, range, partition) {
  const names = new Map((yield* sessionsIn({ partition, ...range })).map((row) => [row.id, row.external_id]))
  return (yield* pageFactsIn(
    partition,
    some.map(({ key }) => key),
  ))
    .filter((row) => isIn(cut, row.session_id, row.seq))
    .map((row) => lineOf(pageFactRecord(row, names.get(row.session_id) ?? '')))
})

const parts = ofSessions(function* (some, cut, range, partition) {
  const names = new Map((yield* sessionsIn({ partition, ...range })).map((row) => [row.id, row.external_id]))
  return (yield* partsIn(
    partition,
    some.map(({ key }) => key),
  ))
    .filter((row) => isIn(cut, row.session_id, row.to_seq))
    .map((row) => lineOf(partRecord(row, names.get(row.session_id) ?? '')))
})

const instructionsOfSessions = ofSessions(function* (some, cut, _, partition) {
  return (yield* instructionsReadIn(
    partition,
    some.map(({ key }) => key),
  ))
    .filter((row) => isIn(cut, row.session_id, row.seq))
    .map((row) => lineOf(instructionRecord(row, row.session)))
})

const instructionsByHand: Read = function* (_, { own }) {
  const rows = own === undefined ? [] : yield* addedInstructions(own.id)
  const names = yield* namesOfSessions(
    own?.id ?? 0,
    rows.map(({ noted_in: session }) => session),
  )
  return { lines: rows.map((row) => lineOf(instructionRecord(row, undefined, names.get(row.noted_in)))), next: undefined }
}

const lastKey = Number.MAX_SAFE_INTEGER

/** A row with revisions: its line, its id, and its last revision. */
interface Written {
  readonly line: string
  readonly uuid: Uint8Array
  readonly last: number
}

/** Reads one row, then its revisions in pages, then the next row. */
function withRevisions(
  keys: (partition: number, after: number) => Program<readonly Sized[]>,
  row: (partition: number, key: number, state: ExportState) => Program<Written | undefined>,
  sizes: (partition: number, key: number, after: number) => Program<readonly Sized[]>,
  revisions: (key: number, after: number, upTo: number, uuid: Uint8Array, partition: number) => Program<readonly string[]>,
): Read {
  return function* (state, { own }, { after, below }) {
    if (own === undefined) return nothing
    const [key] = below === 0 ? (yield* keys(own.id, after)).map((one) => one.key) : [after]
    if (key === undefined) return nothing
    const found = yield* row(own.id, key, state)
    if (found === undefined) return { lines: [], next: { after: key, below: 0 } }
    const all = (yield* sizes(own.id, key, below)).filter((one) => one.key <= found.last)
    const some = onPage(all, pageRows)
    const last = some.at(-1)?.key
    const lines = last === undefined ? [] : yield* revisions(key, below, last, found.uuid, own.id)
    const isMore = some.length < all.length
    return {
      lines: [...(below === 0 ? [found.line] : []), ...lines],
      next: isMore && last !== undefined ? { after: key, below: last } : { after: key, below: 0 },
    }
  }
}

const blocks = withRevisions(
  (partition, after) => keysOfBlocks({ partition, after, upTo: lastKey }, 1),
  function* (partition, key) {
    const [row] = yield* blocksBetween({ partition, after: key - 1, upTo: key })
    return row === undefined ? undefined : { line: lineOf(blockRecord(row)), uuid: row.uuid, last: row.revision }
  },
  (partition, key, after) => sizesOfBlockRevisions(partition, key, after, pageRows + 1),
  function* (key, after, upTo, uuid, partition) {
    return (yield* blockRevisionsIn(partition, key, after, upTo)).map((row) => lineOf(blockRevisionRecord(row, uuid, partition)))
  },
)

/**
 * Returns the first revision of a page that rests on messages that the export leaves out: it ends before that one.
 * Undefined when all are in it.
 */
function lateRevision(lineages: readonly LineageRow[], cut: Cut): number | undefined {
  const late = lineages.filter((row) => spansIn(row).some(([session, , to]) => !isIn(cut, session, to)))
  return late.length === 0 ? undefined : Math.min(...late.map(({ revision }) => revision))
}

/** Returns a page as it was before a revision; undefined when that was its first. */
function* pageBefore(row: ExportedPage, late: number | undefined): Program<ExportedPage | undefined> {
  if (late === undefined) return row
  const before = yield* pageRevisionAt(row, late - 1)
  if (before?.content === undefined || before.content === null) return undefined
  const { revision, content, description, written_at: updatedAt } = before
  return { ...row, revision, content, description, updated_at: updatedAt }
}

const pages = withRevisions(
  (partition, after) => keysOfPages({ partition, after, upTo: lastKey }, 1),
  function* (partition, key, { lastMessage }) {
    const [row] = yield* pagesBetween({ partition, after: key - 1, upTo: key })
    if (row === undefined) return undefined
    const [lineages, cut] = yield* abreast([lineagesOf(row), firstPlacesAfter(partition, lastMessage)])
    const page = yield* pageBefore(row, lateRevision(lineages, cut))
    if (page === undefined) return undefined
    const spans = lineages.filter(({ revision }) => revision <= page.revision).flatMap(spansIn)
    const names = yield* namesOfSessions(
      partition,
      spans.map(([session]) => session),
    )
    return { line: lineOf(pageRecord(page, namedSpans(spans, names))), uuid: row.uuid, last: page.revision }
  },
  (partition, key, after) => sizesOfPageRevisions(partition, key, after, pageRows + 1),
  function* (key, after, upTo, uuid, partition) {
    const rows = yield* pageRevisionsIn(partition, key, after, upTo)
    const names = yield* namesOfSessions(
      partition,
      rows.flatMap((row) => spansIn(row).map(([session]) => session)),
    )
    return rows.map((row) => lineOf(pageRevisionRecord(row, uuid, names)))
  },
)

/**
 * Tells whether an item rests on messages that the export has. Digests and passages that were made meanwhile may tell of
 * others: upkeep makes them again where they are imported.
 */
function isWhole(row: ItemTable, cut: Cut, lastItem: number): boolean {
  if (cut.size === 0) return true
  if (row.rung > 0 || row.page_id > 0) return row.ord <= lastItem
  const spans: readonly (readonly [number, number])[] = JSON.parse(row.spans)
  return spans.every(([, to]) => isIn(cut, row.session_id, to))
}

const items: Read = (state, { own, derived }, { after }) => {
  const partition = derived?.id ?? 0
  return pageOfRows(
    (limit) => sizesOfItems({ partition, after, upTo: lastKey }, limit),
    function* (from, to) {
      const cut = own === undefined || state.isShared ? new Map<number, number>() : yield* firstPlacesAfter(own.id, state.lastMessage)
      const rows = (yield* itemsBetween({ partition, after: from, upTo: to })).filter((row) => isWhole(row, cut, state.lastItem))
      const referred = yield* abreast([childrenStanding(partition, childrenUnder(rows)), beginningsOfParts(own?.id ?? 0, partsUnder(rows))])
      const [children, beginnings] = referred
      return rows.map((row) => lineOf(itemRecord(row, { children, parts: beginnings, isShared: state.isShared })))
    },
    after,
  )
}

function childrenUnder(rows: readonly ExportedItem[]): number[] {
  return [...new Set(rows.flatMap((row) => childrenOf(row).map(([ord]) => ord)))]
}

function partsUnder(rows: readonly ExportedItem[]): number[] {
  const made = rows.filter(({ kind, rung }) => rung === 0 && (kind === itemKinds.gist || kind === itemKinds.bank))
  return [...new Set(made.flatMap(({ made_of: madeOf }) => numbersIn(madeOf)))]
}

const facts: Read = function* (state, { own, known }, { after }) {
  if (own === undefined || known === undefined) return nothing
  const rows = yield* assertionsAfter(known.id, own?.id ?? 0, after, pageRows)
  const ords = rows.map(({ ord }) => ord)
  const [sources, ends, cut] = yield* abreast([
    sourcesOfAssertions(known.id, own?.id ?? 0, ords),
    endsByAssertions(known.id, ords),
    firstPlacesAfter(own.id, state.lastMessage),
  ])
  const bySource = Map.groupBy(sources, ({ ord }) => ord)
  const byEnd = Map.groupBy(ends, ({ ord }) => ord)
  const isKept = (ord: number): boolean => (bySource.get(ord) ?? []).every((one) => isIn(cut, one.session_id, one.seq))
  const lines = rows
    .filter(({ ord }) => isKept(ord))
    .map((row) =>
      lineOf(
        factRecord(
          row,
          bySource.get(row.ord) ?? [],
          (byEnd.get(row.ord) ?? []).map(({ ended }) => ended),
          ownName(state.partition),
        ),
      ),
    )
  const last = rows.at(-1)
  return { lines, next: rows.length < pageRows || last === undefined ? undefined : { after: last.ord, below: 0 } }
}

const names: Read = function* (_, { known }) {
  const rows = known === undefined ? [] : yield* namesMerged(known.id)
  return { lines: rows.map(({ name_key: name, entity_key: entity }) => lineOf({ kind: 'name', name, entity })), next: undefined }
}

const digestsPerLine = 1_000

/** The own hashes first, then those that strangers brought. */
const forgotten: Read = function* ({ partition }, _, { after, below }) {
  // Those that came with an import have numbers below 0.
  const from = after === 0 ? Number.MIN_SAFE_INTEGER : after
  const { keys, digests, upTo, last } = yield* forgottenAfter(partition, below === 0 ? 'own' : 'strangers', from, digestsPerLine)
  const lines =
    last === undefined
      ? []
      : [
          lineOf({
            kind: 'forgotten',
            keys: keys.map((key) => Buffer.from(key).toString('base64url')),
            digests: digests.map((digest) => Buffer.from(digest).toString('hex')),
            ...(upTo === undefined ? {} : { upTo }),
          }),
        ]
  if (last !== undefined && digests.length === digestsPerLine) return { lines, next: { after: last, below } }
  return { lines, next: below === 0 ? { after: 0, below: 1 } : undefined }
}

const receiptsPerPage = 200

const receipts: Read = function* ({ partition }, _, { after }) {
  const rows = yield* receiptsOfOwner(partition, after, receiptsPerPage)
  const last = rows.at(-1)
  return {
    lines: rows.map((row) => lineOf(receiptRecord(row))),
    next: rows.length < receiptsPerPage || last === undefined ? undefined : { after: last.id, below: 0 },
  }
}

/** The sections of an export, in their order. What a record refers to comes before it. */
const sections = {
  sessions: { read: sessions, of: 'own' },
  messages: { read: messages, of: 'own' },
  blocks: { read: blocks, of: 'own' },
  pages: { read: pages, of: 'own' },
  pageFacts: { read: pageFacts, of: 'own' },
  parts: { read: parts, of: 'own' },
  items: { read: items, of: 'derived' },
  facts: { read: facts, of: 'known' },
  names: { read: names, of: 'known' },
  instructions: { read: instructionsOfSessions, of: 'own' },
  instructionsByHand: { read: instructionsByHand, of: 'own' },
  forgotten: { read: forgotten, of: 'own' },
  receipts: { read: receipts, of: 'own' },
  readings: { read: readings, of: 'own' },
} as const satisfies Readonly<Record<string, Section>>

export type SectionName = keyof typeof sections

export const sectionNames: readonly SectionName[] = Object.keys(sections).filter(isSectionName)

function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sections, name)
}

/** Reads a page of a section. Rejects with ExportInterrupted when something was erased since the export began. */
export function* readSection(state: ExportState, name: SectionName, place: SectionPlace): Program<SectionPage> {
  yield* assertNothingErased(state)
  const standing = yield* partitionsNow(state.partition)
  const section: Section = sections[name]
  const row = standing[section.of]
  return { ...(yield* section.read(state, standing, place)), version: section.of === 'own' ? 0 : (row?.epoch ?? 0) }
}
