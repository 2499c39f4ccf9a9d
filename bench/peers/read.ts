/** A field of what came from outside, which may be anything. */
export function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined
}

/** A number that must be there. */
export function numberIn(value: unknown, name: string): number {
  const found = field(value, name)
  if (typeof found !== 'number') throw new RangeError(`${name} must be a number, received ${JSON.stringify(found)}`)
  return found
}
