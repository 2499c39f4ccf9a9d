/**
 * Returns the number of runs of a property: a third of the thorough number in CI, all with VARVE_RUNS=full. A number in
 * VARVE_RUNS replaces both.
 */
export function runs(thorough: number, asked = process.env['VARVE_RUNS']): number {
  return asIsAsked(thorough, 3, asked)
}

/** Returns the number of runs of a property whose runs are dear: a tenth in CI, where each run of CI tries other samples. */
export function fewRuns(thorough: number, asked = process.env['VARVE_RUNS']): number {
  return asIsAsked(thorough, 10, asked)
}

function asIsAsked(thorough: number, sampledEvery: number, asked: string | undefined): number {
  if (asked === undefined || asked === '') return Math.ceil(thorough / sampledEvery)
  if (asked === 'full') return thorough
  const count = Number(asked)
  if (Number.isSafeInteger(count) && count >= 1) return count
  throw new RangeError(`VARVE_RUNS is ${JSON.stringify(asked)}; it must be a whole number from 1 on, or "full".`)
}
