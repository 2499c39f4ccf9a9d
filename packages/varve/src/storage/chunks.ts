/** Splits a list into pieces of a size. The last piece may be shorter. */
export function inChunks<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, place) => all.slice(place * size, (place + 1) * size))
}
