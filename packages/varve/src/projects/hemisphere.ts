/** A half of the earth: a project's setting. It decides which months a season has. */
export type Hemisphere = 'north' | 'south'

/** Reads it from stored settings, which were checked when they were set. */
export function hemisphereOf({ hemisphere = 'north' }: { readonly hemisphere?: Hemisphere }): Hemisphere {
  return hemisphere
}
