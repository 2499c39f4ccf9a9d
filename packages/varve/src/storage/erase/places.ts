/**
 * Makes a test of whether any of some places in a session lies within a range, both ends included. The places may be in
 * any order; undefined stands for all places.
 */
export function withinPlaces(seqs: readonly number[] | undefined): (from: number, to: number) => boolean {
  if (seqs === undefined) return () => true
  const sorted = Float64Array.from(seqs).sort()
  return (from, to) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? 0) < from) low = middle + 1
      else high = middle
    }
    return (sorted[low] ?? Number.POSITIVE_INFINITY) <= to
  }
}
