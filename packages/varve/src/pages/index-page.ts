import { partitionList } from '../storage/partition-list.ts'
import { VarveError } from '../errors/varve-error.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { eraseItemsAt } from '../storage/derived/item-erasure.ts'
import { itemKinds, storeItem } from '../storage/derived/items.ts'
import { bankLanguage, partitionLanguage, sessionRowById } from '../storage/log/sessions.ts'
import { Needles } from '../storage/needles.ts'
import { pageState, indexedPassages } from '../storage/pages/page-state.ts'
import { changePage, pageById, pageIndexed, pageKinds, pagesToIndex, type StoredPage, type PageKey } from '../storage/pages/pages.ts'
import { ensureDerivedOf, findDerivedOf, savePartition, nearTo } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import type { Findable } from './findable.ts'
import { withinTransaction, type PageWork, PreparedWork } from './page-work.ts'
import type { PagePort } from './port.ts'
import { inTurns } from './turns.ts'

/** The number of passages that one transaction takes out of the index or puts in: some 10 ms. */
export const passagesAtOnce = 200

/** Makes pages searchable by their new text, all in one transaction. Changed passages are indexed anew, the others stay. */
export function* indexPages(now: number): Program<void> {
  for (const key of yield* pagesToIndex()) {
    const page = yield* pageById(key)
    if (page !== undefined) yield* indexPage(yield* described(page), withinTransaction, now)
  }
}

/**
 * Does the same page by page, in as many transactions as needed. Returns whether all is done.
 *
 * A page that changes meanwhile is left to the program that changed it. When the store refuses, the next write of a
 * page does the rest. `known`: the pages, where they were read.
 */
export async function indexPagesInTurns(here: PagePort, now: number, known?: readonly PageKey[]): Promise<boolean> {
  try {
    let isAll = true
    for (const key of known ?? (await here.read(pagesToIndex()))) isAll = (await indexInTurns(here, key, now)) && isAll
    return isAll
  } catch (error) {
    if (VarveError.is(error)) return false
    throw error
  }
}

async function indexInTurns(here: PagePort, key: PageKey, now: number): Promise<boolean> {
  const page = await here.read(pageById(key))
  if (page === undefined) return true
  const work = new PreparedWork()
  const words = { ...page, description: descriptionStanding(page) }
  const found = await inTurns(work.find(words, await here.read(pageLanguage(page))))
  // Each turn takes passages out or puts passages in. One more turn is for changes by others.
  const most =
    2 * Math.ceil((found.length + 1) / passagesAtOnce) + Math.ceil((await here.read(passagesOf(key))).length / passagesAtOnce) + 1
  for (let turn = 0; turn < most; turn += 1) {
    const isDone = await here.write(() => indexAgain(page, work, now), passagesAtOnce)
    if (isDone !== undefined) return isDone
  }
  return false
}

function* passagesOf(page: PageKey): Program<readonly unknown[]> {
  return yield* indexedPassages(yield* nearTo(page.partition_id), page.id)
}

/** Indexes one part of a page that is as it was read; returns undefined while there is more of it. */
function* indexAgain(read: StoredPage, work: PageWork, now: number): Program<boolean | undefined> {
  const { uuid, revision } = read
  const state = yield* pageState(read.partition_id, read.id)
  if (state === undefined || state.indexed === 1) return true
  if (state.revision !== revision || Buffer.compare(state.uuid, uuid) !== 0) return false
  const page = yield* pageById(read)
  return page !== undefined && (yield* indexPage(yield* described(page), work, now)) ? true : undefined
}

/** Returns a page with its description; a forgotten description is made from the remaining content. */
export function* described(page: StoredPage): Program<StoredPage> {
  const description = descriptionStanding(page)
  if (description === page.description) return page
  yield* changePage({ ...page, description })
  return { ...page, description }
}

export function descriptionStanding({ kind, description, content }: Pick<StoredPage, 'kind' | 'description' | 'content'>): string {
  return kind !== pageKinds.document || description !== '' ? description : pageDescription(content)
}

/** The longest description that is made from a content, in characters. */
const descriptionChars = 200

/** Makes a description: the first line with text, or else the first heading. */
export function pageDescription(content: string): string {
  const text = content.trim()
  let said = ''
  for (let from = 0; from < text.length;) {
    const feed = text.indexOf('\n', from)
    const line = text.slice(from, feed === -1 ? text.length : feed).trim()
    const isHeading = /^#{1,6}\s/.test(line)
    if (line !== '' && (said === '' || !isHeading)) said = line
    if ((line !== '' && !isHeading) || feed === -1) break
    from = feed + 1
  }
  const line = said.replace(/^(?:[-*+>]|\d+[.)]|#{1,6})\s+/, '')
  return line.length <= descriptionChars ? line : `${line.slice(0, descriptionChars - 1).toWellFormed()}…`
}

/** Returns the language in which a page is analysed. */
export function* pageLanguage({
  partition_id: partition,
  session_id: session,
}: Pick<StoredPage, 'partition_id' | 'session_id'>): Program<string> {
  const own = (yield* sessionRowById(partition, session))?.language || (yield* partitionLanguage(partition))
  if (own !== '') return own
  const owner = yield* findDerivedOf(partition)
  return owner === undefined ? '' : yield* bankLanguage(owner.id)
}

/** Indexes as much of a page as one transaction takes. Returns whether that is all. */
export function* indexPage(page: StoredPage, work: PageWork, now: number): Program<boolean> {
  const wanted = work.findable(page, yield* pageLanguage(page))
  if (wanted === undefined) return false
  const owner = yield* ensureDerivedOf(page.partition_id, now)
  const missing = new Map(wanted.map((one) => [one.text, one]))
  const gone = (yield* indexedPassages(partitionList([owner.id]), page.id)).filter(({ content }) => !missing.delete(content))
  const most = work.isAhead ? passagesAtOnce : Number.POSITIVE_INFINITY
  if (gone.length > 0) owner.epoch += 1
  // Their bytes are not searched for, because the page itself stands.
  yield* eraseItemsAt(
    owner,
    gone.slice(0, most).map(({ ord }) => ord),
    new Needles(),
  )
  for (const one of [...missing.values()].slice(0, Math.max(0, most - gone.length))) yield* storePassage(page, one, owner, now)
  yield* savePartition(owner)
  if (gone.length + missing.size > most) return false
  yield* pageIndexed(page)
  return true
}

function* storePassage(
  page: StoredPage,
  { text, terms, traits, tokens }: Findable,
  owner: Parameters<typeof storeItem>[0],
  now: number,
): Program<void> {
  const kind = page.kind === pageKinds.document ? itemKinds.document : itemKinds.notes
  yield* storeItem(
    owner,
    {
      id: uuidv7(now),
      kind,
      rung: 0,
      period: '',
      session: page.session_id,
      home: page.partition_id,
      sentences: [{ text, from: [] }],
      spans: [],
      madeOf: [],
      hand: null,
      handSeq: 0,
      pinned: false,
      messages: 0,
      conversations: 0,
      firstAt: page.created_at,
      lastAt: page.updated_at,
      writer: '',
      provisional: false,
      page: page.id,
      terms,
      traits,
      tokens,
    },
    now,
  )
}
