/** A call, as a line of the table says it. */
export interface CallSpec {
  /** Its name in errors, as in the library: `facts.add`. */
  readonly name: string
  readonly method: string
  readonly verb: string
  /** The path beneath its owner's, with names of fields in braces. */
  readonly path: string
  /** It only reads, so it needs no idempotency key. */
  readonly reads: boolean
  /** It gives a list of pages. */
  readonly pages: boolean
  /** The fields that it takes by place. */
  readonly placed: readonly string[]
  /** The parameter that holds all other fields. */
  readonly whole?: string
  /** The fields that refuse undefined: without them the call would mean more. */
  readonly exact: readonly string[]
}

/**
 * Reads the lines of a handle: method, verb, path, fields. A verb with `?` only reads, and one with `*` gives pages. The
 * fields by place are those of the path where the line names no others. `=` names the parameter that holds all fields, and `!`
 * the fields that refuse undefined.
 */
export function specsOf(property: string, lines: string): readonly CallSpec[] {
  return lines.split('\n').map((line) => {
    const [method = '', verb = '', path = '', ...fields] = line.split(' ')
    const whole = fields.find((field) => field.startsWith('='))?.slice(1)
    const exact = fields.find((field) => field.startsWith('!'))?.slice(1)
    const placed = fields.find((field) => /^\w/.test(field))
    const [known = ''] = /^\w+/.exec(verb) ?? []
    return {
      name: property === '' ? method : `${property}.${method}`,
      method,
      verb: known,
      path,
      reads: known === 'GET' || verb.includes('?'),
      pages: verb.includes('*'),
      placed: placed?.split(',') ?? [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      ...(whole === undefined ? {} : { whole }),
      exact: exact?.split(',') ?? [],
    }
  })
}
