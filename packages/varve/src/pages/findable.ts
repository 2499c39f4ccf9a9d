import { estimateTokenCount } from 'tokenx'
import { analyse } from '../index/analyse.ts'
import { itemTerms } from '../index/item-terms.ts'
import { encodeTerms } from '../index/terms-codec.ts'
import { traitsOf } from '../index/traits.ts'
import type { StoredPage } from '../storage/pages/pages.ts'
import { passagesIn } from './passages.ts'
import type { Turns } from './turns.ts'

/** A searchable text of a page: its description under its name, or a passage under its headings. */
export interface Findable {
  readonly text: string
  readonly terms: Uint8Array
  readonly traits: number
  readonly tokens: number
}

/** The characters of each heading that help to find a passage below it: a page has up to 2,000 passages. */
const headingChars = 200

/** Text that is analysed in one turn, in characters: some 5 ms. */
const charsPerTurn = 8_000

type PageWords = Pick<StoredPage, 'name' | 'description' | 'content'>

/** Returns the searchable texts of a page, each with the text by which it is found: its names and headings stand before it. */
export function* searchedTexts({ name, description, content }: PageWords): Turns<ReadonlyMap<string, string>> {
  const texts = new Map(description === '' ? [] : [[description, `${name}\n${description}`]])
  for (const { headings, text } of yield* passagesIn(content))
    texts.set(text, [name, ...headings.map((heading) => heading.slice(0, headingChars).toWellFormed()), text].join('\n'))
  return texts
}

/** Returns the searchable texts of a page, each once. */
export function* findableIn(page: PageWords, language: string): Turns<readonly Findable[]> {
  const texts = yield* searchedTexts(page)
  yield
  const found: Findable[] = []
  let chars = 0
  for (const [text, all] of texts) {
    found.push({ text, ...(yield* analysedText(all, language)) })
    chars += all.length
    if (chars < charsPerTurn) continue
    chars = 0
    yield
  }
  return found
}

/** Analyses a text like any item's; a long text in pieces, one a turn. */
export function* analysedText(text: string, language: string): Turns<Omit<Findable, 'text'>> {
  if (text.length <= charsPerTurn) return itemTerms(text, language)
  const terms = new Map<string, number>()
  let [length, tokens] = [0, 0]
  for (const piece of pieces(text)) {
    const some = analyse(piece, language)
    for (const [term, count] of some.terms) terms.set(term, (terms.get(term) ?? 0) + count)
    length += some.length
    tokens += estimateTokenCount(piece)
    yield
  }
  return { terms: encodeTerms({ role: 'assistant', language, name: '', text: { terms, length } }), traits: traitsOf(text), tokens }
}

/** Cuts a text into pieces, before a blank where there is one. */
function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const window = text.slice(from, from + charsPerTurn)
    const blank = from + window.length === text.length ? -1 : Math.max(window.lastIndexOf(' '), window.lastIndexOf('\n'))
    const piece = blank > 0 ? window.slice(0, blank) : window
    yield piece
    from += piece.length
  }
}
