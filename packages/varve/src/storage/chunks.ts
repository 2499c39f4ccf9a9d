/** A list in pieces of a size, the last one what is left. */
export function inChunks<One>(all: readonly One[], size: number): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, place) => all.slice(place * size, (place + 1) * size))
}
