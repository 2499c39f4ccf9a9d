import { itemTerms } from '../index/item-terms.ts'
import { eraseItem } from '../storage/derived/item-erasure.ts'
import { itemKinds, itemsOfPage, storeItem } from '../storage/derived/items.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { changePage, pageById, pageIndexed, pageKinds, pagesToIndex, type StoredPage } from '../storage/pages/pages.ts'
import { ensureDerivedOf, savePartition } from '../storage/partitions.ts'
import type { Program } from '../storage/program.ts'
import { bankLanguage, partitionLanguage, sessionRowById } from '../storage/log/sessions.ts'
import { pagePassages } from './passages.ts'

/** What is found of a page: its description under its name, and its passages under their headings. */
interface Findable {
  readonly text: string
  readonly terms: string
}

/** Has pages found by what they say now: passages that changed are indexed anew, the others stay. */
export function* indexPages(now: number): Program<void> {
  for (const id of yield* pagesToIndex()) {
    const page = yield* pageById(id)
    if (page !== undefined) yield* indexPage(yield* described(page), now)
  }
}

/** A description that was forgotten is made of what is left. */
function* described(page: StoredPage): Program<StoredPage> {
  if (page.kind !== pageKinds.document || page.description !== '' || page.content.trim() === '') return page
  const description = descriptionOf(page.content)
  yield* changePage({ ...page, description })
  return { ...page, description }
}

/** The longest description that is made of a content, in characters. */
const descriptionChars = 200

/** The first line that says something, or else the first heading. */
export function descriptionOf(content: string): string {
  const said = content.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  const line = (said.find((one) => !/^#{1,6}\s/.test(one)) ?? said[0] ?? '').replace(/^(?:[-*+>]|\d+[.)]|#{1,6})\s+/, '')
  return line.length <= descriptionChars ? line : `${line.slice(0, descriptionChars - 1).toWellFormed()}…`
}

function* indexPage(page: StoredPage, now: number): Program<void> {
  const owner = yield* ensureDerivedOf(page.partition_id, now)
  const language = (yield* sessionRowById(page.session_id))?.language || (yield* partitionLanguage(page.partition_id)) || (yield* bankLanguage(owner.id))
  const wanted = new Map(findableIn(page).map((one) => [one.text, one]))
  let hasRaised = false
  for (const { ord, content } of yield* itemsOfPage(page.id)) {
    if (wanted.delete(content)) continue
    if (!hasRaised) owner.epoch += 1
    hasRaised = true
    yield* eraseItem(owner, ord)
  }
  const kind = page.kind === pageKinds.document ? itemKinds.document : itemKinds.notes
  for (const { text, terms } of wanted.values()) {
    yield* storeItem(owner, {
      id: uuidv7(now), kind, rung: 0, period: '', session: page.session_id, sentences: [{ text, from: [] }], spans: [], madeOf: [], hand: null, handSeq: 0, pinned: false,
      messages: 0, conversations: 0, firstAt: page.created_at, lastAt: page.updated_at, writer: '', provisional: false, page: page.id, ...itemTerms(terms, language),
    }, now)
  }
  yield* savePartition(owner)
  yield* pageIndexed(page.id)
}

function findableIn({ name, description, content }: StoredPage): Findable[] {
  const described = description === '' ? [] : [{ text: description, terms: `${name}\n${description}` }]
  return [...described, ...pagePassages(content).map(({ headings, text }) => ({ text, terms: [name, ...headings, text].join('\n') }))]
}

/** What is left of pages after something was erased is found by what it says. */
export function* thenIndexed<Result>(erasing: Program<Result>, now: number): Program<Result> {
  const result = yield* erasing
  yield* indexPages(now)
  return result
}
