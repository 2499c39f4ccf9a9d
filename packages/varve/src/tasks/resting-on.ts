/**
 * Cleans the grounds of each fact, by places: without itself, without repetitions, and without grounds that would close
 * a circle. In a circle every fact would hold only because of the others.
 */
export function restingOn(given: readonly (readonly number[])[]): number[][] {
  const ground: number[][] = given.map(() => [])
  for (const [place, others] of given.entries()) {
    for (const other of new Set(others)) if (!reaches(ground, other, place)) ground[place]?.push(other)
  }
  return ground.map((others) => others.toSorted((a, b) => a - b))
}

function reaches(ground: readonly (readonly number[])[], from: number, to: number): boolean {
  const [open, seen] = [[from], new Set([from])]
  for (const place of open) {
    if (place === to) return true
    for (const next of ground[place] ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return false
}
