/** How deep the parts of a handle are followed: `memory.blocks.set` is at depth 2. */
const deepest = 3

/**
 * Finds every public method of an object and of its parts, by path. Names that begin with `_`, and those that are said to
 * be private, are not public: TypeScript's `private` leaves no trace at run time.
 */
export function publicMethods(of: object, areNotPublic: readonly string[] = []): readonly string[] {
  const found = new Set<string>()
  const met = new Set([of])
  const waiting: { readonly part: object; readonly prefix: string; readonly depth: number }[] = [{ part: of, prefix: '', depth: 1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { part, prefix, depth } = next
    for (const name of namesOf(part)) {
      if (areNotPublic.includes(name)) continue
      const value = valueOf(part, name)
      if (typeof value === 'function') found.add(`${prefix}${name}`)
      else if (typeof value === 'object' && value !== null && depth < deepest && !met.has(value)) {
        met.add(value)
        waiting.push({ part: value, prefix: `${prefix}${name}.`, depth: depth + 1 })
      }
    }
  }
  return [...found].toSorted()
}

/** Names of an object's own fields and of its classes' members, without those that every object has. */
function namesOf(of: object): readonly string[] {
  const names = new Set<string>()
  for (let level: object | null = of; level !== null && !isBuiltIn(level); level = Object.getPrototypeOf(level))
    for (const name of Object.getOwnPropertyNames(level)) if (name !== 'constructor' && !name.startsWith('_')) names.add(name)
  return [...names]
}

/** The value of a field; undefined for one that cannot be read. */
function valueOf(of: object, name: string): unknown {
  try {
    return Reflect.get(of, name)
  } catch {
    // A getter that throws outside a call has no method behind it.
    return undefined
  }
}

const builtIn: ReadonlySet<object> = new Set([Object, Function, Array, Map, Set, Promise, Date, Error].map(({ prototype }) => prototype))

function isBuiltIn(level: object): boolean {
  return builtIn.has(level)
}
