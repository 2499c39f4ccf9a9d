/**
 * How many runs a property has, given how many make it thorough: a third in CI, all with VARVE_RUNS=full, and as many as VARVE_RUNS says where it is a number.
 */
export function runs(thorough: number): number {
  const asked = process.env['VARVE_RUNS']
  if (asked === 'full') return thorough
  return asked === undefined || asked === '' ? Math.ceil(thorough / 3) : Number(asked)
}
