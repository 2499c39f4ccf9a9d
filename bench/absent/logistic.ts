/** An example for a fit: its values, whether it is present, and its weight. */
export interface Example {
  readonly values: readonly number[]
  readonly isPresent: boolean
  readonly weight: number
}

const rounds = 40
const ridge = 1e-4

/**
 * Fits a logistic regression by Newton's method. Gives the base, then a coefficient for each value. A coefficient that
 * comes out negative is left out (0): more evidence must never lower the chance.
 */
export function fitLogistic(examples: readonly Example[]): number[] {
  const size = (examples[0]?.values.length ?? 0) + 1
  let used = Array.from({ length: size }, (_, place) => place)
  for (;;) {
    const found = fitUsed(examples, used, size)
    const kept = used.filter((place) => place === 0 || (found[place] ?? 0) >= 0)
    if (kept.length === used.length) return found
    used = kept
  }
}

function fitUsed(examples: readonly Example[], used: readonly number[], size: number): number[] {
  const found = Array.from({ length: size }, () => 0)
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 0; round < rounds; round += 1) {
    const slope = used.map((place) => -ridge * (found[place] ?? 0))
    const curve = used.map((_row, row) => used.map((_column, column): number => (row === column ? ridge : 0)))
    for (const { values, isPresent, weight } of examples) {
      const at = (place: number): number => (place === 0 ? 1 : (values[place - 1] ?? 0))
      const chance = 1 / (1 + Math.exp(-used.reduce((sum, place) => sum + (found[place] ?? 0) * at(place), 0)))
      const share = weight / total
      used.forEach((place, row) => {
        slope[row] = (slope[row] ?? 0) + share * (Number(isPresent) - chance) * at(place)
        const line = curve[row] ?? []
        used.forEach((other, column) => {
          line[column] = (line[column] ?? 0) + share * chance * (1 - chance) * at(place) * at(other)
        })
      })
    }
    solve(curve, slope).forEach((step, row) => {
      const place = used[row] ?? 0
      found[place] = (found[place] ?? 0) + step
    })
  }
  return found
}

/** Solves a system of linear equations by Gaussian elimination; the matrix is symmetric and positive. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, place) => [...row, right[place] ?? 0])
  rows.forEach((pivot, place) => {
    const head = pivot[place] ?? 1
    rows.forEach((row, other) => {
      if (other === place) return
      const factor = (row[place] ?? 0) / head
      pivot.forEach((value, column) => {
        row[column] = (row[column] ?? 0) - factor * value
      })
    })
  })
  return rows.map((row, place) => (row.at(-1) ?? 0) / (row[place] ?? 1))
}

/** Gives the chance that a present example has a higher value than an absent one; equal ones count half. */
export function areaUnder(present: readonly number[], absent: readonly number[]): number {
  const all = [...present.map((value) => ({ value, isPresent: true })), ...absent.map((value) => ({ value, isPresent: false }))]
  const byValue = [...Map.groupBy(all, ({ value }) => value)].toSorted(([a], [b]) => a - b)
  let below = 0
  let won = 0
  for (const [, equal] of byValue) {
    const here = equal.filter(({ isPresent }) => !isPresent).length
    won += (equal.length - here) * (below + here / 2)
    below += here
  }
  return won / (present.length * absent.length)
}
