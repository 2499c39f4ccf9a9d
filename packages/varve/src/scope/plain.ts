/**
 * Tells whether a value is a plain object, such as `{}`. A Promise, a Map or an instance of a class may have no field `user` of its
 * own: as a scope it would mean the anonymous user.
 */
export function isPlain(received: unknown): received is object {
  return (
    typeof received === 'object' && received !== null && Object.getPrototypeOf(Object.getPrototypeOf(received) ?? Object.prototype) === null
  )
}
