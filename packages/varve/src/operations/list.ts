import type { Listed } from '../storage/listed.ts'

/** Items of a list. A list of much text ends early. */
export type List<Item> = readonly Item[] & {
  /** The place where the next page begins; absent when there are no more. */
  readonly cursor?: string
}

/** A page of a list; `for await` goes on through all pages, `limit` items each. */
export interface Listing<Item> extends Promise<List<Item>>, AsyncIterable<Item> {}

export interface ListOptions {
  /** The most items of a page. */
  readonly limit?: number | undefined
  /** The `cursor` of the page before. */
  readonly cursor?: string | undefined
}

export function listOf<Item>({ items, cursor }: Listed<Item>): List<Item> {
  return cursor === undefined ? items : Object.assign([...items], { cursor })
}

/** Makes a list whose pages are read one after the other, the first at once. */
export function listing<Item>(first: Promise<List<Item>>, next: (cursor: string) => Promise<List<Item>>): Listing<Item> {
  async function* items(): AsyncGenerator<Item, void> {
    for (let page = await first; ; page = await next(page.cursor)) {
      yield* page
      if (page.cursor === undefined) return
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}
