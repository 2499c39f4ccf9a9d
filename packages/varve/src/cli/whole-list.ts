import type { List, ListOptions } from '../operations/list.ts'

/** Reads as many items as were asked for, page by page: a list of much text comes in pages. */
export async function wholeList<Item>(
  limit: number | undefined,
  list: (options: ListOptions) => Promise<List<Item>>,
): Promise<readonly Item[]> {
  if (limit === undefined) return list({})
  const found: Item[] = []
  let cursor: string | undefined
  do {
    const page: List<Item> = await list({ limit: limit - found.length, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page)
    cursor = page.cursor
  } while (cursor !== undefined && found.length < limit)
  return found
}
