/** Ordinals [from, to], both included. */
export type OrdinalRange = readonly [from: number, to: number]

/**
 * Returns the newest ordinals up to `seq` that are in no range, as (after, upTo]; undefined when none is left. Ranges
 * are ascending and apart from each other.
 */
export function newestGap(done: readonly OrdinalRange[], seq: number): { after: number; upTo: number } | undefined {
  let upTo = seq
  for (const [from, to] of done.toReversed()) {
    if (to < upTo) return { after: to, upTo }
    upTo = Math.min(upTo, from - 1)
  }
  return upTo > 0 ? { after: 0, upTo } : undefined
}

/** Returns all gaps, newest first. */
export function gaps(done: readonly OrdinalRange[], seq: number): { after: number; upTo: number }[] {
  const found: { after: number; upTo: number }[] = []
  for (let gap = newestGap(done, seq); gap !== undefined; gap = newestGap(done, gap.after)) found.push(gap)
  return found
}

/** Returns the ranges with one more, joined where they touch. */
export function withRange(done: readonly OrdinalRange[], [from, to]: OrdinalRange): OrdinalRange[] {
  const apart = done.filter((range) => range[1] < from - 1 || range[0] > to + 1)
  const touching = done.filter((range) => range[1] >= from - 1 && range[0] <= to + 1)
  const joined: OrdinalRange = [Math.min(from, ...touching.map((range) => range[0])), Math.max(to, ...touching.map((range) => range[1]))]
  return [...apart, joined].toSorted((a, b) => a[0] - b[0])
}
