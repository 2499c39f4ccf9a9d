import type { Appended } from '../storage/log/messages.ts'
import type { Sliced } from './slices.ts'
import type { ValidMessage } from './validate.ts'

/**
 * Some messages of a large batch, as JSON; or one that is long, as it is. Between threads a text is copied as it stands, and ten thousand
 * objects are walked in one go.
 */
export type BatchPage = string | ValidMessage

/** What a page holds: written and read in some tenths of a millisecond. */
const messagesPerPage = 64
const charactersPerPage = 32 * 1024
const resultsPerPage = 256

/** A checked batch in pages. */
export function* batchPages(batch: readonly ValidMessage[]): Sliced<readonly BatchPage[]> {
  const pages: BatchPage[] = []
  let page: ValidMessage[] = []
  let characters = 0
  const close = (): void => {
    if (page.length > 0) pages.push(JSON.stringify(page))
    page = []
    characters = 0
  }
  for (const message of batch) {
    const length = lengthOf(message)
    if (page.length === messagesPerPage || characters + length > charactersPerPage) {
      close()
      yield
    }
    if (length > charactersPerPage) pages.push(message)
    else {
      page.push(message)
      characters += length
    }
  }
  close()
  return pages
}

export function batchOf(pages: readonly BatchPage[]): ValidMessage[] {
  return pages.flatMap((page): ValidMessage[] => (typeof page === 'string' ? JSON.parse(page) : [page]))
}

/** What became of a batch, in pages as well. */
export function resultPages(results: readonly Appended[]): readonly string[] {
  return Array.from({ length: Math.ceil(results.length / resultsPerPage) }, (_, place) => JSON.stringify(results.slice(place * resultsPerPage, (place + 1) * resultsPerPage)))
}

export function* resultsOf(pages: readonly string[]): Sliced<readonly Appended[]> {
  const results: Appended[] = []
  for (const page of pages) {
    const some: readonly Appended[] = JSON.parse(page)
    results.push(...some)
    yield
  }
  return results
}

function lengthOf({ content, parts, metadata }: ValidMessage): number {
  return content.length + (parts?.length ?? 0) + (metadata?.length ?? 0)
}
