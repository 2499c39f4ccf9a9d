import type { StoredSpan } from '../storage/pages/authors.ts'

/** Merges spans into as few as possible, by session and place. */
export function mergedSpans(spans: readonly StoredSpan[]): StoredSpan[] {
  const merged: [session: number, from: number, to: number][] = []
  for (const [session, from, to] of spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = merged.at(-1)
    if (last?.[0] === session && from <= last[2] + 1) last[2] = Math.max(last[2], to)
    else merged.push([session, from, to])
  }
  return merged
}
