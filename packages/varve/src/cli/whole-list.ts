import type { List, ListOptions } from '../operations/list.ts'

/** As many items as were asked for, by as many calls as that takes: a list of much text comes in pages. */
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
