import { calls } from './calls.ts'

/** A call, as a word of the table says it. */
export interface CallSpec {
  /** The handle that has it: '' for its owner. */
  readonly property: string
  readonly method: string
  /** Its name in errors, as in the library: `facts.add`. */
  readonly name: string
  readonly verb: string
  /** The path beneath its owner's, with names of fields after colons. */
  readonly path: string
  /** It only reads, so it needs no idempotency key. */
  readonly reads: boolean
  /** It gives a list of pages. */
  readonly pages: boolean
  /** The fields that it takes by place: those of its path, then others. */
  readonly placed: readonly string[]
  /** The parameter that holds all other fields, or ''. */
  readonly whole: string
  /** The fields that refuse undefined: without them the call would mean more. */
  readonly exact: readonly string[]
}

/** Verbs by their marks; `+`, `~` and `%` are POST. `?` and `~` only read, and so do `*` and `%`, which give pages. */
const verbs: Readonly<Record<string, string>> = { '?': 'GET', '*': 'GET', '=': 'PUT', '^': 'PATCH', '-': 'DELETE' }

/**
 * Reads the calls of an owner. A handle begins with its name, its path where that is another than its name, and `!` with the fields
 * that refuse undefined. Then comes a word for each method: its name, the mark of its verb, its path below the handle's (`.` is
 * the method's name, and a path that begins with `/` is whole), the fields by place that are not in the path, and `(` with the
 * parameter that holds all others.
 */
export function specsOf(words: string): readonly CallSpec[] {
  const specs: CallSpec[] = []
  let [property, base, exact] = ['', '', '']
  for (const word of words.split(/\s/)) {
    const [, method = '', mark = '', place = '', more = '', whole = ''] = /^(\w+)([-?*~%+=^])([^,(]*),?([^(]*)\(?(.*)/.exec(word) ?? []
    if (method === '') {
      ;[, property = '', base = `/${property}`, exact = ''] = /^(\w*)(\/[^!]*)?!?(.*)/.exec(word) ?? []
      continue
    }
    const below = place.replace('.', method)
    const path = below.startsWith('/') ? below : base + (below && `/${below}`)
    specs.push({
      ...{ property, method, path, whole },
      name: property + (property && '.') + method,
      verb: verbs[mark] ?? 'POST',
      reads: '?*~%'.includes(mark),
      pages: '*%'.includes(mark),
      placed: `${path},${more}`.match(/(?<=[:,])\w+/g) ?? [],
      exact: exact.split(','),
    })
  }
  return specs
}

/** The calls of each owner. */
export const specs = {
  shared: specsOf(calls.shared),
  user: specsOf(calls.user),
  project: specsOf(calls.project),
  memory: specsOf(calls.memory),
}
