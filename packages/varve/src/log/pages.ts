import type { Retold } from '../storage/log/append-keys.ts'
import type { Sliced } from '../messages/slices.ts'
import type { ValidMessage } from '../messages/validate.ts'

/**
 * Several items as JSON, or one long item as it is. Between threads a text is copied as it stands; ten thousand objects
 * would be walked in one go.
 */
export type Page<Item> = string | Item

export type BatchPage = Page<ValidMessage>

/** The bounds of a page, which is written and read in some tenths of a millisecond. */
const itemsPerPage = 64
const charactersPerPage = 32 * 1024
const resultsPerPage = 256

/** Puts items in pages, by the characters of each. */
export function* pagesOf<Item extends object>(items: Iterable<Item>, lengthOf: (item: Item) => number): Sliced<readonly Page<Item>[]> {
  const pages: Page<Item>[] = []
  let page: Item[] = []
  let characters = 0
  const close = (): void => {
    if (page.length > 0) pages.push(JSON.stringify(page))
    page = []
    characters = 0
  }
  for (const item of items) {
    const length = lengthOf(item)
    if (page.length === itemsPerPage || characters + length > charactersPerPage) {
      close()
      yield
    }
    if (length > charactersPerPage) pages.push(item)
    else {
      page.push(item)
      characters += length
    }
  }
  close()
  return pages
}

export function itemsOf<Item extends object>(pages: readonly Page<Item>[]): Item[] {
  return pages.flatMap((page): Item[] => (typeof page === 'string' ? JSON.parse(page) : [page]))
}

/** Puts a checked batch in pages. */
export function batchPages(batch: readonly ValidMessage[]): Sliced<readonly BatchPage[]> {
  return pagesOf(batch, ({ content, parts, metadata }) => content.length + (parts?.length ?? 0) + (metadata?.length ?? 0))
}

/** Puts the results of a batch in pages. */
export function resultPages(results: readonly Retold[]): readonly string[] {
  return Array.from({ length: Math.ceil(results.length / resultsPerPage) }, (_, place) =>
    JSON.stringify(results.slice(place * resultsPerPage, (place + 1) * resultsPerPage)),
  )
}

export function* resultsOf(pages: readonly string[]): Sliced<readonly Retold[]> {
  const results: Retold[] = []
  for (const page of pages) {
    const some: readonly Retold[] = JSON.parse(page)
    results.push(...some)
    yield
  }
  return results
}
