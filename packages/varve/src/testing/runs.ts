/**
 * How many runs a property has, given how many make it thorough: a third in CI, all with VARVE_RUNS=full, and as many as
 * VARVE_RUNS says where it is a number.
 */
export function runs(thorough: number, asked = process.env['VARVE_RUNS']): number {
  if (asked === undefined || asked === '') return Math.ceil(thorough / 3)
  if (asked === 'full') return thorough
  const count = Number(asked)
  if (Number.isSafeInteger(count) && count >= 1) return count
  throw new RangeError(`VARVE_RUNS is ${JSON.stringify(asked)}; it must be a whole number from 1 on, or "full".`)
}
