import { withoutAddedDates } from '../models/added-dates.ts'
import type { BulletBounds, DigestSource } from '../models/writer.ts'

/** Writes the bullets of a digest without a model call. The same sources give the same bullets; they come oldest first. */
export type WriteDigest = (sources: readonly DigestSource[], bounds: BulletBounds) => readonly { readonly text: string }[]

/**
 * Takes the first bullets of all sources, then the second ones, as far as there is room. Each time the heaviest source
 * comes first.
 */
export function mergeBullets(sources: readonly DigestSource[], { maxBullets, maxWords }: BulletBounds): { text: string }[] {
  const heaviest = sources.toSorted((one, other) => other.weight - one.weight)
  const chosen = new Set<string>()
  let [left, more] = [maxWords, true]
  for (let place = 0; more && chosen.size < maxBullets; place += 1) {
    more = false
    for (const { bullets } of heaviest) {
      const text = bullets[place]?.text
      more ||= text !== undefined
      if (text === undefined || chosen.has(text) || chosen.size === maxBullets || wordCountIn(text) > left) continue
      chosen.add(text)
      left -= wordCountIn(text)
    }
  }
  const first = heaviest[0]?.bullets[0]?.text
  if (chosen.size === 0 && first !== undefined) chosen.add(first.split(/\s+/).slice(0, maxWords).join(' '))
  return [...chosen].map((text) => ({ text }))
}

/** Counts words as the bounds of bullets do. */
export function wordCountIn(text: string): number {
  return withoutAddedDates(text).match(/\S+/g)?.length ?? 0
}
