/** Writes numbers of partitions as an argument of `among` (dialect.ts). */
export function partitionList(partitions: Iterable<number>): string {
  return `{${[...new Set(partitions)].join(',')}}`
}
