/** A half-open range of a page, in bytes. */
export type DeadRange = readonly [from: number, to: number]

/** The database's own header, before the first page's. */
const fileHeaderBytes = 100

/** Page types (sqlite.org/fileformat2.html, 1.6) and the lengths of their headers. */
const treeHeaderBytes: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }

const freeBlockHeaderBytes = 4

/**
 * Returns the ranges of a page where no living row can be. In a page of a tree these are the gap between its cell
 * pointers and its cells, and its free blocks.
 *
 * Any other page is one whole range: free pages and the continuations of long rows cannot be told apart.
 */
export function deadRanges(page: Buffer, isFirst: boolean): DeadRange[] {
  const start = isFirst ? fileHeaderBytes : 0
  const header = treeHeaderBytes[page[start] ?? 0]
  if (header === undefined) return [[start, page.length]]
  const pointersEnd = start + header + 2 * page.readUInt16BE(start + 3)
  const contentStart = page.readUInt16BE(start + 5) || 65_536
  // A page that is being written may not add up: then the whole page is searched.
  if (pointersEnd > contentStart || contentStart > page.length) return [[start, page.length]]
  return [[pointersEnd, contentStart], ...freeBlocks(page, page.readUInt16BE(start + 1))]
}

function freeBlocks(page: Buffer, first: number): DeadRange[] {
  const blocks: DeadRange[] = []
  let at = first
  // Free blocks ascend; one that does not ends the walk.
  while (at > 0 && at + freeBlockHeaderBytes <= page.length) {
    const size = page.readUInt16BE(at + 2)
    blocks.push([at + freeBlockHeaderBytes, Math.min(page.length, at + size)])
    const next = page.readUInt16BE(at)
    if (next <= at) break
    at = next
  }
  return blocks
}
