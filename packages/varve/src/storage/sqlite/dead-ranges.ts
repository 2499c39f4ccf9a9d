/** A half-open range of a page, in bytes. */
export type DeadRange = readonly [from: number, to: number]

/** The database's own header, before the first page's. */
const fileHeaderBytes = 100

/** Page types (sqlite.org/fileformat2.html, 1.6) and how long their headers are. */
const treeHeaderBytes: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }

const freeBlockHeaderBytes = 4

/**
 * Where on a page nothing living can be: for a page of a tree, the gap between its cell pointers and its cells, and its
 * free blocks; all of any other page (free pages, and the continuations of long rows, which cannot be told from them).
 */
export function deadRanges(page: Buffer, isFirst: boolean): DeadRange[] {
  const start = isFirst ? fileHeaderBytes : 0
  const header = treeHeaderBytes[page[start] ?? 0]
  if (header === undefined) return [[start, page.length]]
  const pointersEnd = start + header + 2 * page.readUInt16BE(start + 3)
  const contentStart = page.readUInt16BE(start + 5) || 65_536
  // A page that is being written may not add up: then all of it is looked at.
  if (pointersEnd > contentStart || contentStart > page.length) return [[start, page.length]]
  return [[pointersEnd, contentStart], ...freeBlocks(page, page.readUInt16BE(start + 1))]
}

function freeBlocks(page: Buffer, first: number): DeadRange[] {
  const blocks: DeadRange[] = []
  let at = first
  // They ascend; one that does not ends the walk.
  while (at > 0 && at + freeBlockHeaderBytes <= page.length) {
    const size = page.readUInt16BE(at + 2)
    blocks.push([at + freeBlockHeaderBytes, Math.min(page.length, at + size)])
    const next = page.readUInt16BE(at)
    if (next <= at) break
    at = next
  }
  return blocks
}
