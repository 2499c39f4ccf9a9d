/** Returns a field of an unknown value from outside. */
export function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? Reflect.get(value, name) : undefined
}

/** Returns a number field, which must exist. */
export function numberIn(value: unknown, name: string): number {
  const found = field(value, name)
  if (typeof found !== 'number') throw new RangeError(`${name} must be a number, received ${JSON.stringify(found)}`)
  return found
}
