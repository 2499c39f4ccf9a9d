import type { List, ListOptions } from '../operations/list.ts'
import { counted, note } from './terminal.ts'

const longer = '--limit says how many are listed.'

/**
 * Reads as many items as were asked for, page by page: a list of much text comes in pages. Where more are there, it says
 * so on stderr: a cut list looks like a whole one. `rest` says how they are listed.
 */
export async function wholeList<Item>(
  limit: number | undefined,
  list: (options: ListOptions) => Promise<List<Item>>,
  rest = longer,
): Promise<readonly Item[]> {
  const first = await list(limit === undefined ? {} : { limit })
  const found = [...first]
  let { cursor } = first
  const most = limit ?? 0
  while (cursor !== undefined && found.length < most) {
    const page: List<Item> = await list({ limit: most - found.length, cursor })
    found.push(...page)
    cursor = page.cursor
  }
  if (cursor !== undefined) note(`The list goes on after ${counted(found.length, 'item')}: ${rest}`)
  return found
}
