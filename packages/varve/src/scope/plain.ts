/**
 * Tells an object whose own fields are all that it says, as `{}` makes one. A Promise, a Map or a class's instance that was meant as a
 * scope names nobody by its own fields, and would mean the anonymous user.
 */
export function isPlain(received: unknown): received is object {
  return (
    typeof received === 'object' && received !== null && Object.getPrototypeOf(Object.getPrototypeOf(received) ?? Object.prototype) === null
  )
}
