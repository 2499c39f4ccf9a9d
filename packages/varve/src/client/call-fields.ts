import type { CallSpec } from './call-table.ts'
import { invalidOption, refuseName } from './remote-error.ts'

/** The fields of a call, by name. */
export type CallFields = Readonly<Record<string, unknown>>

/** The fields of a call, with its signal and its deadline. */
export interface GivenCall extends CallFields {
  readonly signal: AbortSignal | undefined
}

/** What of a call goes into the address and the body of its request. */
export interface PlacedCall {
  readonly address: string
  readonly body: string | undefined
}

/** Joins the arguments of a method: fields by place, an object of all others where it takes one, and the options. */
export function givenCall({ placed, whole }: CallSpec, given: readonly unknown[]): GivenCall {
  const byPlace = Object.fromEntries(placed.map((name, at) => [name, given[at]]))
  const rest = given.slice(placed.length)
  const named = whole === '' ? {} : givenObject(whole, rest.shift())
  const options = givenObject('options', rest[0])
  for (const fields of [named, options])
    for (const [name, value] of Object.entries(fields)) {
      const isOption = name === 'signal' || name === 'deadlineMs'
      if (placed.includes(name) || (whole !== '' && isOption !== (fields === options)))
        throw invalidOption(name, value, 'left out: it is no option of this call')
    }
  const { signal } = options
  if (signal !== undefined && !isSignal(signal)) throw invalidOption('signal', signal, 'an AbortSignal')
  return { ...byPlace, ...named, ...options, signal }
}

function isSignal(received: unknown): received is AbortSignal {
  return 'addEventListener' in Object(received)
}

/** Refuses what is no object of fields. */
export function givenObject(option: string, received: unknown = {}): CallFields {
  if (typeof received !== 'object' || received === null || Array.isArray(received)) throw invalidOption(option, received, 'an object')
  return { ...received }
}

/**
 * Puts the fields of a call into its path, and the others into the query or the body. What no path can hold goes there too, for the
 * server to refuse: a browser resolves `.` and `..` however they are written, so that they would name another path.
 */
export function placedFields({ path, verb, name, exact }: CallSpec, fields: CallFields): PlacedCall {
  const { lines: _, ...others }: Record<string, unknown> = fields
  const address = path.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = others[field]
    // JSON has no form for all that may stand in the place of a name.
    const [named = ''] = /^(?:session|project)(?=s\.|$)/.exec(field === 'session' ? field : name) ?? []
    if (named !== '') refuseName(named, value)
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed()) return '%00'
    delete others[field]
    return encodeURIComponent(value)
  })
  const json = jsonOf(others, exact)
  if (json === '{}') return { address, body: undefined }
  return verb === 'GET' || name === 'import'
    ? { address: `${address}?fields=${encodeURIComponent(json)}`, body: undefined }
    : { address, body: json }
}

/**
 * Writes fields as JSON. JSON leaves undefined out, without which a filter would let more through: it is refused in metadata, and
 * goes as null, which the server refuses, where a call would mean more.
 */
function jsonOf(fields: CallFields, exact: readonly string[]): string {
  const { what, metadata } = fields
  try {
    return JSON.stringify(fields, function (this: unknown, name, value: unknown) {
      const isLost = value === undefined || (typeof value === 'number' && !Number.isFinite(value))
      if (typeof value === 'function' || typeof value === 'symbol' || (isLost && this === metadata)) throw name
      return isLost && (this === what || (this === fields && exact.includes(name))) ? null : value
    })
  } catch {
    throw invalidOption('options', fields, 'written as JSON')
  }
}
